import { createHash } from 'node:crypto'
import { canonicalize } from '../../document/canonical.ts'
import { WaybillError } from '../../document/issue.ts'
import type { Json } from '../../document/json.ts'
import { ownMember } from '../../document/own-member.ts'
import type { Content } from './generated/artifact-envelope.ts'

/** The bytes of an inline body, or the reason why they cannot be computed. */
export type BodyBytes =
  | { readonly bytes: Uint8Array; readonly certain: boolean }
  /** `encoding: "base64"`, but the body is not base64. */
  | { readonly problem: 'not-base64' }
  /** A character encoding that this product cannot encode. */
  | { readonly problem: 'unknown-encoding' }

/** Node's names for the supported character encodings. */
const ENCODINGS: Readonly<Record<string, BufferEncoding>> = {
  'utf-8': 'utf8',
  utf8: 'utf8',
  'us-ascii': 'utf8',
  ascii: 'utf8',
  'iso-8859-1': 'latin1',
  latin1: 'latin1',
  'utf-16le': 'utf16le',
}

/**
 * Returns the bytes that body_hash and size_bytes describe: the encoded text, or the decoded base64. A structured body
 * given as an object has no bytes; its canonical form (RFC 8785) is used, and `certain` is false because the format
 * does not define a form.
 */
export function bytesOfBody(body: Json, encoding = 'utf-8'): BodyBytes {
  if (typeof body !== 'string') return { bytes: Buffer.from(canonicalize(body)), certain: false }
  if (encoding.toLowerCase() === 'base64') {
    const bytes = decodeBase64(body)
    return bytes === undefined ? { problem: 'not-base64' } : { bytes, certain: true }
  }
  const name = ownMember(ENCODINGS, encoding.toLowerCase())
  return name === undefined
    ? { problem: 'unknown-encoding' }
    : { bytes: Buffer.from(body, name), certain: true }
}

/**
 * Node's decoder skips invalid characters, so the decoded bytes are encoded again and compared, ignoring line breaks.
 */
function decodeBase64(text: string): Uint8Array | undefined {
  const packed = text.replaceAll(/[\r\n\t ]/g, '')
  const bytes = Buffer.from(packed, 'base64')
  return bytes.toString('base64').replaceAll('=', '') === packed.replace(/={0,2}$/, '') ? bytes : undefined
}

/** Returns SHA-256 in lower-case hex. */
export function hashOfContent(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Returns true if bytes match a body_hash: hex of any case, with or without the prefix `sha256:`. */
export function matchesHash(bytes: Uint8Array, bodyHash: string): boolean {
  return hashOfContent(bytes) === bodyHash.toLowerCase().replace(/^sha256:/, '')
}

/**
 * Accepts content fetched from body_url if it matches body_hash (§2.4). Without body_hash any content is accepted.
 * @throws BODY_HASH_MISMATCH
 */
export function acceptFetchedBody(content: Content, bytes: Uint8Array): Uint8Array {
  if (content.body_hash === undefined || matchesHash(bytes, content.body_hash)) return bytes
  throw new WaybillError('BODY_HASH_MISMATCH', {
    at: '/content/body_hash',
    rule: 'AAH-2.4-03',
    message: 'the content fetched from body_url does not match body_hash',
    hint: 'request the artifact again from its author; the content was damaged or replaced',
  })
}
