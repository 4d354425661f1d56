import type { KeyObject } from 'node:crypto'
import { canonicalBytes } from '../document/canonical.ts'
import { WaybillError } from '../document/issue.ts'
import { isObject, type Json, type JsonObject } from '../document/json.ts'
import { assertOwnDid } from './card-did.ts'
import { keyIdOf, signEd25519 } from './ed25519.ts'
import { signDetachedJws } from './jws.ts'
import { type SignaturePlace, signaturePlaceOf } from './signature-place.ts'
import { withoutMember } from './without-member.ts'

export interface SignedDocument {
  readonly document: JsonObject
  readonly place: SignaturePlace
  /** Base64, 64 bytes. */
  readonly signature: string
  readonly keyId: string
}

/** Returns the input of the embedded signature of a document: its canonical JSON without the signature. */
export function signedBytes(value: JsonObject, place: SignaturePlace): Buffer {
  return canonicalBytes(withoutMember(value, place))
}

/**
 * Signs an agent definition (AAIF §12) or a conformance report in its signature member; replaces an existing signature.
 * @throws SIGNATURE_HAS_NO_PLACE for other documents; NOT_JSON for data that readers interpret differently
 */
export function signDocument(value: Json, privateKey: KeyObject): SignedDocument {
  const place = signaturePlaceOf(value)
  if (place === undefined || !isObject(value)) {
    throw new WaybillError('SIGNATURE_HAS_NO_PLACE', {
      fault: 'usage',
      message: 'this kind of document has no member for a signature',
      hint: 'write the signature to a separate file: `waybill sign FILE --key NAME --detached`',
    })
  }
  const [container, member] = place
  const before = value[container]
  if (before !== undefined && !isObject(before)) {
    throw new WaybillError('SIGNATURE_HAS_NO_PLACE', {
      at: `/${container}`,
      message: `"${container}" is not an object, so it cannot contain a signature`,
      hint: '`waybill validate` lists the errors of this document',
    })
  }
  // The container is signed as well, and remains when the signature is removed.
  const bytes = signedBytes({ ...value, [container]: before ?? {} }, place)
  const signature = signEd25519(bytes, privateKey).toString('base64')
  return {
    document: { ...value, [container]: { ...before, [member]: signature } },
    place,
    signature,
    keyId: keyIdOf(privateKey),
  }
}

/**
 * Signs any document with a detached signature: a compact JWS without its payload (RFC 7515 appendix F), over the
 * canonical JSON. A card that names its key by did:key can only be signed with that key (AgentCard §6.3).
 * @throws NOT_JSON, CARD_DID_MISMATCH
 */
export async function signDetached(value: Json, privateKey: KeyObject): Promise<string> {
  assertOwnDid(value, privateKey)
  return signDetachedJws(canonicalBytes(value), privateKey)
}
