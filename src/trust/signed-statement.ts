import type { KeyObject } from 'node:crypto'
import { canonicalize } from '../document/canonical.ts'
import type { JsonObject } from '../document/json.ts'
import { decodeBase64 } from './base64.ts'
import { keyIdOf, signEd25519, verifyEd25519 } from './ed25519.ts'

export interface Signature {
  /** RFC 7638 thumbprint of the signing key. */
  readonly key: string
  /** Base64 Ed25519 signature over the canonical form of the statement. */
  readonly sig: string
}

/** Signs a statement. Its member `type` names its kind, so that a signature is not valid for another kind. */
export function signStatement(statement: JsonObject & { readonly type: string }, key: KeyObject): Signature {
  return { key: keyIdOf(key), sig: signEd25519(bytesOf(statement), key).toString('base64') }
}

/** Returns whether the signature was made with this key over this statement. */
export function isSigned(statement: JsonObject, { sig }: Signature, key: KeyObject): boolean {
  const signature = decodeBase64(sig)
  return signature !== undefined && verifyEd25519(bytesOf(statement), signature, key)
}

function bytesOf(statement: JsonObject): Buffer {
  return Buffer.from(canonicalize(statement))
}
