import { resolve } from 'node:path'
import type { Code } from '../document/codes.ts'
import { defined } from '../document/defined.ts'
import { WaybillError } from '../document/issue.ts'
import type { Json, JsonObject } from '../document/json.ts'
import { readDocument } from '../document/read-document.ts'
import { readFileWithin } from '../document/read-file.ts'
import { whyUnreadable } from '../document/why-unreadable.ts'
import { LARGEST_SCHEMA_BYTES, type MappedSchemas } from '../schema/mapped-schemas.ts'
import { checkUserSchema } from '../schema/user-schema.ts'

/**
 * Returns the files of `--schema URL=FILE`, by URL, with absolute paths. The last equals sign separates the two parts,
 * because a URL may contain others.
 * @throws SCHEMA_MAPPING_INVALID
 */
export function parseSchemaMappings(
  mappings: readonly string[] = [],
  cwd: string,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    mappings.map((text) => {
      const sign = text.lastIndexOf('=')
      const [address, file] = [text.slice(0, Math.max(sign, 0)).trim(), text.slice(sign + 1).trim()]
      if (address === '' || file === '' || address.replace(/#$/, '').includes('#')) {
        throw refusal('SCHEMA_MAPPING_INVALID', {
          message: `"${text}" does not map a schema to a file`,
          hint: 'use --schema URL=FILE, such as --schema https://example.com/address.json=address.json; the URL has no part after #',
        })
      }
      return [address, resolve(cwd, file)]
    }),
  )
}

/**
 * Reads the files that the operator maps to addresses of schemas.
 * @param files absolute paths, by address
 * @throws SCHEMA_FILE_INVALID if a file cannot be read, or contains no usable JSON Schema
 */
export function readSchemaFiles(files: Readonly<Record<string, string>>): MappedSchemas {
  return Object.fromEntries(
    Object.entries(files).map(([address, file]) => [address, readSchemaFile(address, file)]),
  )
}

/**
 * Returns the schemas that a program maps to addresses.
 * @param given each a schema, or the path of its file
 * @throws SCHEMA_FILE_INVALID
 */
export function readGivenSchemas(given: Readonly<Record<string, string | JsonObject>>): MappedSchemas {
  return Object.fromEntries(
    Object.entries(given).map(([address, schema]) => [
      address,
      typeof schema === 'string' ? readSchemaFile(address, resolve(schema)) : usable(address, schema),
    ]),
  )
}

function readSchemaFile(address: string, file: string): Json {
  const { document, issues } = readDocument(readBounded(address, file), { file })
  if (document === undefined) throw notSchema(address, issues[0]?.message ?? 'it is not a document', file)
  return usable(address, document.value, file)
}

function usable(address: string, schema: Json, file?: string): Json {
  const problem = checkUserSchema(schema).find(({ severity }) => severity === 'error')
  if (problem !== undefined) throw notSchema(address, `${problem.pointer} ${problem.message}`.trim(), file)
  return schema
}

function notSchema(address: string, why: string, file: string | undefined): WaybillError {
  return refusal('SCHEMA_FILE_INVALID', {
    ...defined({ file }),
    message: `what is mapped to ${address} is not a usable JSON Schema: ${why}`,
    hint: 'map the address to a JSON Schema, in a file as JSON or YAML',
  })
}

function readBounded(address: string, file: string): Buffer {
  try {
    return readFileWithin(file, LARGEST_SCHEMA_BYTES)
  } catch (cause) {
    throw refusal('SCHEMA_FILE_INVALID', {
      file,
      message: `the file for the schema ${address} cannot be read: ${whyUnreadable(cause)}`,
      hint: 'check the path given with --schema, or under "schemas" in the configuration or the options',
      cause,
    })
  }
}

function refusal(
  code: Code,
  details: {
    readonly message: string
    readonly hint: string
    readonly file?: string
    readonly cause?: unknown
  },
): WaybillError {
  return new WaybillError(code, { fault: 'usage', ...details })
}
