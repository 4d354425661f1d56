import type { ReadOptions } from '../../document/read-document.ts'
import { parseDocument, type Source } from '../parse-document.ts'
import type { ArtifactEnvelope } from './generated/artifact-envelope.ts'
import { validateArtifactEnvelope } from './validate-artifact-envelope.ts'

/**
 * Reads an artifact envelope (AAH 0.1 to 0.3) from text, bytes, a document or plain data, and returns its data
 * unchanged, unknown members included. `isSimple`, `isSectioned` and `isUpdate` return its shape.
 * @throws WaybillError with the code, pointer and rule of the first error; the message names the others.
 */
export function parseArtifactEnvelope(source: Source, options: ReadOptions = {}): ArtifactEnvelope {
  return parseDocument(source, validateArtifactEnvelope, options)
}
