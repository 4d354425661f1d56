import { isUtf8 } from 'node:buffer'
import type { Code } from './codes.ts'
import { decodeUtf8 } from './utf8.ts'

export type DecodedText =
  | { readonly text: string }
  | { readonly code: Code; readonly message: string; readonly hint: string; readonly before: string }

/**
 * Decodes a file as UTF-8 (RFC 8259 §8.1); a byte order mark at the start is dropped.
 * On failure `before` is the text up to the first invalid byte, from which the caller computes line and column.
 */
export function decodeText(bytes: Uint8Array): DecodedText {
  if (looksLikeUtf16(bytes)) {
    return {
      code: 'ENCODING_NOT_UTF8',
      message: 'the file is UTF-16, not UTF-8',
      hint: 'save it again as UTF-8',
      before: '',
    }
  }
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  const body = bytes.subarray(start)
  const text = decodeUtf8(body)
  if (text !== undefined) return { text }
  const bad = firstBadByte(body)
  const hex = (body[bad] ?? 0).toString(16).padStart(2, '0').toUpperCase()
  return {
    code: 'ENCODING_NOT_UTF8',
    message: `byte ${start + bad} (0x${hex}) is not valid UTF-8`,
    hint: 'save the file again as UTF-8; it may be in an older encoding such as Latin-1',
    before: decodeUtf8(body.subarray(0, bad)) ?? '',
  }
}

function looksLikeUtf16(bytes: Uint8Array): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
}

/** Returns the offset of the first sequence that is not valid UTF-8 (RFC 3629). */
function firstBadByte(bytes: Uint8Array): number {
  let at = 0
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at)
    if (length === 0) return at
    at += length
  }
  return at
}

function sequenceLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0
  if (lead < 0x80) return 1
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2
  if (lead < 0xc2 || lead > 0xf4 || at + length > bytes.length) return 0
  return isUtf8(bytes.subarray(at, at + length)) ? length : 0
}
