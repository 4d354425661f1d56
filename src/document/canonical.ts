import { createHash } from 'node:crypto'
import canonicalizeJson from 'canonicalize'
import { WaybillError } from './issue.ts'
import type { Json } from './json.ts'
import { assertJsonData } from './json-data.ts'

/**
 * The canonical text of a JSON value (RFC 8785): the same bytes for the same data, whoever writes them.
 * @throws NOT_JSON
 */
export function canonicalize(value: Json): string {
  let text: string | undefined
  let cause: unknown
  try {
    text = canonicalizeJson(value)
  } catch (error) {
    cause = error
  }
  if (text === undefined) {
    const why = cause instanceof Error ? `: ${cause.message}` : ''
    throw new WaybillError('NOT_JSON', { message: `this has no canonical form${why}`, cause })
  }
  return text
}

/**
 * The bytes that a signature or a checksum is made over: canonical JSON in UTF-8, of data on which all readers agree.
 * @throws NOT_JSON for what some reader would see differently, integers beyond 2^53 included; DOCUMENT_TOO_DEEP
 */
export function canonicalBytes(value: Json): Buffer {
  assertJsonData(value, { exactNumbers: true })
  return Buffer.from(canonicalize(value), 'utf8')
}

/** SHA-256 in lower-case hex of the canonical form in UTF-8. */
export function sha256OfCanonical(value: Json): string {
  return sha256(canonicalize(value))
}

/** SHA-256 in lower-case hex of a text in UTF-8. */
export function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex')
}
