import { isUtf8 } from 'node:buffer'

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Decodes UTF-8 (RFC 3629) as it is: a byte order mark in a text belongs to it. @returns undefined when it is none */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  return isUtf8(bytes) ? decoder.decode(bytes) : undefined
}
