import { createHash } from 'node:crypto'
import canonicalizeJson from 'canonicalize'
import { type Json, WaybillError } from './issue.ts'

/** The canonical text of a JSON value (RFC 8785): the same bytes for the same data, whoever writes them. */
export function canonicalize(value: Json): string {
  const text = canonicalizeJson(value)
  if (text === undefined) {
    throw new WaybillError('NOT_JSON', { message: 'a value without a JSON form has no canonical form' })
  }
  return text
}

/** SHA-256 in lower-case hex of the canonical form in UTF-8. */
export function sha256OfCanonical(value: Json): string {
  return sha256(canonicalize(value))
}

/** SHA-256 in lower-case hex of a text in UTF-8. */
export function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex')
}
