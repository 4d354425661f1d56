/**
 * Decodes the body of an HTTP answer in its own encoding: that of its byte order mark, else the charset of its
 * content type, else UTF-8. Checks for secrets, personal data and phrases then see the text that a model would read.
 * @param contentType the header, or null
 * @returns null if it is not text: an unknown charset, bytes that are invalid in it, or a NUL character
 */
export function decodeResponse(bytes: Uint8Array, contentType: string | null): string | null {
  const declared = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? '')?.[1]
  try {
    const text = new TextDecoder(markedEncoding(bytes) ?? declared ?? 'utf-8', { fatal: true }).decode(bytes)
    // UTF-16 that is read as UTF-8 has a NUL beside each ASCII letter, which would hide words from checks.
    return text.includes('\0') ? null : text
  } catch {
    return null
  }
}

function markedEncoding([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return undefined
}
