import { decodeText } from '../document/decode-text.ts'
import type { Issue } from '../document/issue.ts'
import type { Json } from '../document/json.ts'
import { readDocument } from '../document/read-document.ts'
import { detectKind } from './kinds.ts'
import { type Neighbour, neighbourOf, neighbourOfText } from './neighbour.ts'

/** A file that our reader refuses is not read a second time if it is longer, in bytes. */
const LONGEST = 2 * 1024 * 1024
/** Agent files of other tools contain messages and attachments. */
const DEEPEST = 256

/**
 * Returns what the bytes of a file are if they are a document of another format; undefined for our own kinds and for
 * unknown documents. A file that our reader refuses is read as other readers do.
 * @param value the data of the file, if it was read
 */
export function neighbourOfFile(
  bytes: Uint8Array,
  value: Json | undefined,
  file?: string,
): Neighbour | undefined {
  if (value !== undefined) return detectKind(value) === null ? neighbourOf(value) : undefined
  if (bytes.byteLength > LONGEST) return undefined
  const decoded = decodeText(bytes)
  const text = 'text' in decoded ? neighbourOfText(decoded.text) : undefined
  if (text !== undefined) return text
  const reading = { foreign: true, maxDepth: DEEPEST, ...(file !== undefined && { file }) } as const
  const { document } = readDocument(bytes, reading)
  return document === undefined || detectKind(document.value) !== null
    ? undefined
    : neighbourOf(document.value)
}

/** Returns the issue of a file of another format: what it is, and what can be done with it here. */
export function neighbourIssue({ what, way }: Neighbour): Issue {
  return {
    severity: 'error',
    code: 'KIND_UNKNOWN',
    pointer: '',
    line: 1,
    column: 1,
    message: `this is ${what}, not an agent definition`,
    hint: way,
  }
}
