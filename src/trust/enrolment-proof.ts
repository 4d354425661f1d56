import type { KeyObject } from 'node:crypto'
import { WaybillError } from '../document/issue.ts'
import { keyIdOf } from './ed25519.ts'
import { homePlace } from './home-place.ts'
import { ALGORITHM, readJws, verifyJws } from './jws.ts'
import type { PublicKeyOfSet } from './key-set.ts'

/** What a machine without a server says to have its keys pinned: it holds the private key, and this member asks. */
export interface EnrolmentClaims {
  /** Unix time in seconds. */
  readonly iat: number
  /** The organisation on the platform, as the URI of its place. */
  readonly aud: string
  /** The member that the token of the request acts for. */
  readonly sub: string
}

/** Distinguishes these proofs from tokens and other signatures by the same keys. */
const TYPE = 'waybill-enrolment+jwt'

/** How far the clocks may differ, in seconds. */
const VALID_SECONDS = 300

/** Signs a proof: a compact JWS with EdDSA. */
export async function issueEnrolmentProof(claims: EnrolmentClaims, privateKey: KeyObject): Promise<string> {
  const { CompactSign } = await import('jose')
  const { iat, aud, sub } = claims
  const iss = homePlace(keyIdOf(privateKey))
  return new CompactSign(Buffer.from(JSON.stringify({ iat, iss, aud, sub })))
    .setProtectedHeader({ alg: ALGORITHM, kid: keyIdOf(privateKey), typ: TYPE })
    .sign(privateKey)
}

/**
 * Verifies that the sender holds the last one of its keys, and means this organisation and this member. Public keys are
 * known to others, who could otherwise have the machine of another user act for them.
 * @throws PEER_INVALID
 */
export async function verifyEnrolmentProof(
  proof: string,
  keys: readonly PublicKeyOfSet[],
  expected: EnrolmentClaims,
): Promise<void> {
  const jws = readJws(proof)
  if (jws === undefined || jws.header.typ !== TYPE) throw invalid('it is not a proof of an enrolment')
  const signer = keys.at(-1)
  if (signer === undefined || signer.keyId !== jws.header.kid) throw invalid('its key is not the last one')
  const payload = Buffer.from(jws.payload, 'base64url')
  if (!(await verifyJws(jws, payload, signer.publicKey))) throw invalid('its signature is not valid')
  const { iat, iss, aud, sub } = claimsIn(payload)
  if (iss !== homePlace(signer.keyId)) throw invalid('it is of another machine')
  if (aud !== expected.aud) throw invalid(`it is not for ${expected.aud}`)
  if (sub !== expected.sub) throw invalid('it is of another member')
  if (typeof iat !== 'number' || Math.abs(iat - expected.iat) > VALID_SECONDS)
    throw invalid('it is too old, or the clocks of the machine and the platform differ')
}

function claimsIn(payload: Buffer): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(payload.toString('utf8')))
  } catch {
    throw invalid('its payload is not JSON')
  }
}

function invalid(why: string): WaybillError {
  return new WaybillError('PEER_INVALID', {
    fault: 'refused',
    at: '/proof',
    message: `the machine is not enrolled: the proof is refused: ${why}`,
    hint: 'log in again with `waybill login`',
  })
}
