import { WaybillError } from '../../document/issue.ts'
import type { Json } from '../../document/json.ts'
import { readDocument } from '../../document/read-document.ts'
import { parseRegistry } from '../../spec/aaif/parse-registry.ts'
import type { Io } from '../io.ts'
import { type FileSpeech, readNamedFile } from './read-any-document.ts'

const SPEECH: FileSpeech = { what: 'the registry', hint: 'check the path given with --registry' }

/**
 * Reads the registries of `--registry FILE` (AAIF §10), in the given order.
 * @throws FILE_UNREADABLE, FILE_NOT_REGULAR, FILE_TOO_LARGE; the first problem of a registry, with its place
 */
export async function readRegistries(files: readonly string[], io: Io): Promise<readonly Json[]> {
  const registries: Json[] = []
  for (const file of files) {
    const bytes = readNamedFile(file, io, SPEECH)
    const { document, issues } = readDocument(bytes, { file })
    if (document === undefined) throw unreadable(file, issues[0]?.message ?? 'it is not a document')
    parseRegistry(document)
    registries.push(document.value)
  }
  return registries
}

function unreadable(file: string, message: string): WaybillError {
  return new WaybillError('FILE_UNREADABLE', {
    fault: 'usage',
    message,
    file,
    hint: 'a registry is a JSON document as described in AAIF §10',
  })
}
