import type { ReadResult } from '../../document/read-document.ts'
import { type ReadLinesOptions, readLines } from '../../document/read-lines.ts'
import { parseDocument, type Source } from '../parse-document.ts'
import type { HandoffMessage } from './generated/handoff-message.ts'
import { validateHandoffStream } from './validate-handoff-stream.ts'

/** Reads the lines of a streaming handoff; an unreadable line breaks the rule that each line is an object (§8.3). */
export function readHandoffStream(source: string | Uint8Array, options: ReadLinesOptions = {}): ReadResult {
  const read = readLines(source, options)
  if (read.document !== undefined) return read
  return {
    issues: read.issues.map((issue) =>
      issue.code === 'DOCUMENT_TOO_LARGE' ? issue : { ...issue, rule: 'AAIF-8.3-02' },
    ),
  }
}

/**
 * Reads a streaming handoff as a whole (AAIF §8.3) and returns its messages unchanged; its token and checksum are not
 * verified.
 * @throws WaybillError with the code, pointer and rule of the first error, and the number of others.
 */
export function parseHandoffStream(
  source: Source,
  options: ReadLinesOptions = {},
): readonly HandoffMessage[] {
  return parseDocument(source, validateHandoffStream, options, readHandoffStream)
}
