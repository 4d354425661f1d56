import { readDocument } from '../document/read-document.ts'
import { readInside } from '../document/read-inside.ts'
import { findMapped, LARGEST_SCHEMA_BYTES, type MappedSchemas } from '../schema/mapped-schemas.ts'
import type { FindSchema, FoundSchema } from '../schema/user-schema-bundle.ts'

/**
 * Finds the documents that the schemas of a definition refer to: first those that the operator maps, then files in the
 * folder of the definition, by relative path. Never fetches anything.
 * @param folder absent: no files are read
 */
export function createFindSchema(mapped: MappedSchemas = {}, folder?: string): FindSchema {
  const inMap = findMapped(mapped)
  const read = new Map<string, FoundSchema>()
  return (address) => {
    const known = inMap(address)
    if ('document' in known || URL.canParse(address)) return known
    const found = read.get(address) ?? readFromFolder(address, folder)
    read.set(address, found)
    return found
  }
}

function readFromFolder(address: string, folder: string | undefined): FoundSchema {
  const read = readInside(folder, decodedPath(address), LARGEST_SCHEMA_BYTES)
  if (!read.ok) return { reason: `the file was not read: ${read.reason}` }
  const { document, issues } = readDocument(read.text, { file: address })
  return document === undefined
    ? { reason: `it is not a document: ${issues[0]?.message ?? 'it cannot be read'}` }
    : { document: document.value }
}

function decodedPath(address: string): string {
  try {
    return decodeURIComponent(address)
  } catch {
    return address
  }
}
