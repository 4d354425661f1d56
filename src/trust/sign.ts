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

/** The bytes that a document's own signature is over: canonical JSON without the signature itself, and only it. */
export function signedBytes(value: JsonObject, place: SignaturePlace): Buffer {
  return canonicalBytes(withoutMember(value, place))
}

/**
 * Signs an agent definition (AAIF §12) or a conformance report in its own member; a signature that it had is replaced.
 * @throws SIGNATURE_HAS_NO_PLACE for other documents; NOT_JSON for data on which readers disagree
 */
export function signDocument(value: Json, privateKey: KeyObject): SignedDocument {
  const place = signaturePlaceOf(value)
  if (place === undefined || !isObject(value)) {
    throw new WaybillError('SIGNATURE_HAS_NO_PLACE', {
      fault: 'usage',
      message: 'this kind of document has no member for a signature',
      hint: 'sign it beside the file: `waybill sign FILE --key NAME --detached`',
    })
  }
  const [container, member] = place
  const before = value[container]
  if (before !== undefined && !isObject(before)) {
    throw new WaybillError('SIGNATURE_HAS_NO_PLACE', {
      at: `/${container}`,
      message: `"${container}" is no object, so it has no room for a signature`,
      hint: '`waybill validate` tells what is wrong with this document',
    })
  }
  // The container is signed too, and stays when the signature is taken out.
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
 * Signs any document beside it: a compact JWS without its payload (RFC 7515 appendix F), over the canonical JSON.
 * A card that names its key by a did:key is signed with that key only (AgentCard §6.3).
 * @throws NOT_JSON, CARD_DID_MISMATCH
 */
export async function signDetached(value: Json, privateKey: KeyObject): Promise<string> {
  assertOwnDid(value, privateKey)
  return signDetachedJws(canonicalBytes(value), privateKey)
}
