import type { KeyObject } from 'node:crypto'
import { defined } from '../document/defined.ts'
import { strictJson } from '../document/strict-json.ts'
import { decodeBase64 } from './base64.ts'
import { keyIdOf, SIGNATURE_BYTES } from './ed25519.ts'

/** The only supported algorithm: the header of a token must name it, and never selects another. */
export const ALGORITHM = 'EdDSA'

/** A strictly well-formed compact JWS, not yet verified. */
export interface ReadJws {
  readonly header: { readonly alg: string; readonly kid?: string; readonly typ?: string }
  readonly protectedHeader: string
  readonly payload: string
  readonly signature: string
}

/** Signs a payload that is sent separately: `header..signature`. */
export async function signDetachedJws(payload: Uint8Array, privateKey: KeyObject): Promise<string> {
  const { CompactSign } = await import('jose')
  const jws = await new CompactSign(payload)
    .setProtectedHeader({ alg: ALGORITHM, kid: keyIdOf(privateKey) })
    .sign(privateKey)
  return jws.replace(/\.[^.]*\./, '..')
}

/** @returns undefined if the text is not a compact JWS of ours in its exact encoding */
export function readJws(text: string): ReadJws | undefined {
  const parts = text.split('.')
  const [protectedHeader = '', payload = '', signature = ''] = parts
  if (parts.length !== 3 || decodeBase64(payload, 'base64url') === undefined) return undefined
  if (decodeBase64(signature, 'base64url')?.byteLength !== SIGNATURE_BYTES) return undefined
  const header = readHeader(protectedHeader)
  return header === undefined ? undefined : { header, protectedHeader, payload, signature }
}

function readHeader(text: string): ReadJws['header'] | undefined {
  const bytes = decodeBase64(text, 'base64url')
  if (bytes === undefined) return undefined
  let header: unknown
  try {
    header = strictJson(bytes.toString('utf8'))
  } catch {
    return undefined
  }
  if (typeof header !== 'object' || header === null || Array.isArray(header)) return undefined
  const { alg, kid, typ, crit, b64 } = header as Record<string, unknown>
  // Critical extensions change what is signed; none is supported.
  if (alg !== ALGORITHM || crit !== undefined || b64 !== undefined) return undefined
  if ((kid !== undefined && typeof kid !== 'string') || (typ !== undefined && typeof typ !== 'string'))
    return undefined
  return { alg, ...defined({ kid, typ }) }
}

/** Verifies a JWS over a payload; for a detached JWS the caller provides the payload. */
export async function verifyJws(jws: ReadJws, payload: Uint8Array, publicKey: KeyObject): Promise<boolean> {
  const { flattenedVerify, errors } = await import('jose')
  try {
    await flattenedVerify(
      {
        protected: jws.protectedHeader,
        payload: Buffer.from(payload).toString('base64url'),
        signature: jws.signature,
      },
      publicKey,
      { algorithms: [ALGORITHM] },
    )
    return true
  } catch (error) {
    if (error instanceof errors.JOSEError) return false
    throw error
  }
}
