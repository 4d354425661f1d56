import { createHash } from 'node:crypto'
import canonicalizeJson from 'canonicalize'
import { WaybillError } from './issue.ts'
import type { Json } from './json.ts'
import { assertJsonData } from './json-data.ts'

/**
 * Returns the canonical text of a JSON value (RFC 8785): the same data always gives the same bytes.
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
 * Returns the input of signatures and checksums: canonical JSON in UTF-8, of data that all readers interpret equally.
 * @throws NOT_JSON for data that readers interpret differently, including integers beyond 2^53; DOCUMENT_TOO_DEEP
 */
export function canonicalBytes(value: Json): Buffer {
  assertJsonData(value, { exactNumbers: true })
  return Buffer.from(canonicalize(value), 'utf8')
}

/** Returns SHA-256 in lower-case hex of the canonical form in UTF-8. */
export function sha256OfCanonical(value: Json): string {
  return sha256(canonicalize(value))
}

/** Returns SHA-256 in lower-case hex of a text in UTF-8. */
export function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex')
}
