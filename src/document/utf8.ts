import { isUtf8 } from 'node:buffer'

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Decodes UTF-8 (RFC 3629) and keeps a byte order mark. @returns undefined if the bytes are not UTF-8 */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  return isUtf8(bytes) ? decoder.decode(bytes) : undefined
}

/** Bytes; up to here a loop is faster than a call of the platform. */
const SHORT = 24

/** {@link decodeUtf8} of the bytes from `start` to before `end`, for the many short texts of a document. */
export function decodeUtf8Part(bytes: Buffer, start: number, end: number): string | undefined {
  if (end - start <= SHORT) {
    const text = decodeAscii(bytes, start, end)
    if (text !== undefined) return text
  }
  const text = bytes.toString('utf8', start, end)
  // What is no UTF-8 becomes U+FFFD, which a text may also hold.
  return text.includes('\uFFFD') ? decodeUtf8(bytes.subarray(start, end)) : text
}

function decodeAscii(bytes: Buffer, start: number, end: number): string | undefined {
  let text = ''
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? 0x80
    if (byte >= 0x80) return undefined
    text += String.fromCharCode(byte)
  }
  return text
}
