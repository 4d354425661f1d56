import { createHash } from 'node:crypto'
import { canonicalize } from '../../document/canonical.ts'
import { WaybillError } from '../../document/issue.ts'
import type { Json } from '../../document/json.ts'
import type { Content } from './generated/artifact-envelope.ts'

/** The bytes of an inline body, or why there are none. */
export type BodyBytes =
  | { readonly bytes: Uint8Array; readonly certain: boolean }
  /** `encoding: "base64"` and a body that is no base64. */
  | { readonly problem: 'not-base64' }
  /** A character encoding whose bytes cannot be made here. */
  | { readonly problem: 'unknown-encoding' }

/** Node's names for the character encodings whose bytes can be made. */
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
 * The bytes that body_hash and size_bytes are about: the text in its encoding, or what its base64 stands for. A
 * structured body given as an object has no bytes of its own; its canonical form (RFC 8785) stands for them, and
 * `certain` is false because the text names none.
 */
export function bytesOfBody(body: Json, encoding = 'utf-8'): BodyBytes {
  if (typeof body !== 'string') return { bytes: Buffer.from(canonicalize(body)), certain: false }
  if (encoding.toLowerCase() === 'base64') {
    const bytes = decodeBase64(body)
    return bytes === undefined ? { problem: 'not-base64' } : { bytes, certain: true }
  }
  const name = ENCODINGS[encoding.toLowerCase()]
  return name === undefined
    ? { problem: 'unknown-encoding' }
    : { bytes: Buffer.from(body, name), certain: true }
}

/** Line breaks aside, base64 must be exactly what encoding its bytes gives: Node's decoder skips what it cannot read. */
function decodeBase64(text: string): Uint8Array | undefined {
  const packed = text.replaceAll(/[\r\n\t ]/g, '')
  const bytes = Buffer.from(packed, 'base64')
  return bytes.toString('base64').replaceAll('=', '') === packed.replace(/={0,2}$/, '') ? bytes : undefined
}

/** SHA-256 in lower-case hex. */
export function hashOfContent(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Whether bytes are those that a body_hash names: hex of any case, with or without the prefix `sha256:`. */
export function matchesHash(bytes: Uint8Array, bodyHash: string): boolean {
  return hashOfContent(bytes) === bodyHash.toLowerCase().replace(/^sha256:/, '')
}

/**
 * Accepts what was fetched from body_url, if it is the content that the envelope tells of (§2.4). Without body_hash
 * nothing is known about it, and it is accepted.
 * @throws BODY_HASH_MISMATCH
 */
export function acceptFetchedBody(content: Content, bytes: Uint8Array): Uint8Array {
  if (content.body_hash === undefined || matchesHash(bytes, content.body_hash)) return bytes
  throw new WaybillError('BODY_HASH_MISMATCH', {
    at: '/content/body_hash',
    rule: 'AAH-2.4-03',
    message: 'what was fetched from body_url is not the content of this artifact',
    hint: 'ask who made the artifact for it again; this one was damaged or exchanged on its way',
  })
}
