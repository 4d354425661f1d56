import type { KeyObject } from 'node:crypto'
import { WaybillError } from '../document/issue.ts'
import { isObject } from '../document/json.ts'
import { strictJson } from '../document/strict-json.ts'
import { keyIdOf } from './ed25519.ts'
import { ALGORITHM, readJws, verifyJws } from './jws.ts'
import type { PublicKeyOfSet } from './key-set.ts'

/** An organisation asks another one which of its runs have arrived there. */
export interface ArrivalsClaims {
  /** Unix time in seconds. */
  readonly iat: number
  /** Who asks, as the URI of its place. */
  readonly iss: string
  /** Who is asked, in the same way. */
  readonly aud: string
}

/** Distinguishes these questions from tokens and other signatures by the same keys. */
const TYPE = 'waybill-arrivals+jwt'

/** How far the clocks may differ, in seconds. */
const VALID_SECONDS = 300

/** Signs a question: a compact JWS with EdDSA. */
export async function issueArrivalsQuestion(
  { iat, iss, aud }: ArrivalsClaims,
  privateKey: KeyObject,
): Promise<string> {
  const { CompactSign } = await import('jose')
  return new CompactSign(Buffer.from(JSON.stringify({ iat, iss, aud })))
    .setProtectedHeader({ alg: ALGORITHM, kid: keyIdOf(privateKey), typ: TYPE })
    .sign(privateKey)
}

/**
 * Verifies who asks: a bearer token does not say which platform uses it.
 * @param keysAt the keys that are pinned for a place
 * @returns the place of the organisation that asks
 * @throws PEER_INVALID
 */
export async function verifyArrivalsQuestion(
  question: string,
  expected: Pick<ArrivalsClaims, 'iat' | 'aud'>,
  keysAt: (place: string) => readonly PublicKeyOfSet[],
): Promise<string> {
  const jws = readJws(question)
  if (jws === undefined || jws.header.typ !== TYPE) throw invalid('it is not a question about arrivals')
  const payload = Buffer.from(jws.payload, 'base64url')
  const { iat, iss, aud } = claimsIn(payload)
  const signer = keysAt(typeof iss === 'string' ? iss : '').find(({ keyId }) => keyId === jws.header.kid)
  if (signer === undefined || typeof iss !== 'string')
    throw invalid('its key is not pinned for the platform that it names')
  if (!(await verifyJws(jws, payload, signer.publicKey))) throw invalid('its signature is not valid')
  if (aud !== expected.aud) throw invalid(`it is not for ${expected.aud}`)
  if (typeof iat !== 'number' || Math.abs(iat - expected.iat) > VALID_SECONDS)
    throw invalid('it is too old, or the clocks of the platforms differ')
  return iss
}

function claimsIn(payload: Buffer): Readonly<Record<string, unknown>> {
  try {
    const claims = strictJson(payload.toString('utf8'))
    if (isObject(claims)) return claims
  } catch {
    // Refused below.
  }
  throw invalid('its payload is not a JSON object')
}

function invalid(why: string): WaybillError {
  return new WaybillError('PEER_INVALID', {
    fault: 'refused',
    at: '/question',
    message: `the question about arrivals is refused: ${why}`,
    hint: 'pin the platform that asks, with its keys: `waybill peers add`',
  })
}
