import type { KeyObject } from 'node:crypto'
import { WaybillError } from '../document/issue.ts'
import { strictJson } from '../document/strict-json.ts'
import { keyIdOf } from './ed25519.ts'
import { ALGORITHM, readJws, verifyJws } from './jws.ts'
import type { TrustedKey } from './trust-store.ts'

/** What a receiver without a server says about a migration token: its decision is final. */
export interface ArrivalClaims {
  /** Unix time in seconds. */
  readonly iat: number
  /** Id of the token. */
  readonly jti: string
  /** The receiver, as the URI of its place. */
  readonly iss: string
  /** The sender, as the URI of its place. */
  readonly aud: string
  readonly state: 'owned' | 'refused'
  /** The run of the receiver; null: it was not imported. */
  readonly run_id: string | null
}

/** Distinguishes these statements from tokens and other signatures by the same keys. */
const TYPE = 'waybill-arrival+jwt'

/** Signs a statement: a compact JWS with EdDSA. */
export async function issueArrivalStatement(claims: ArrivalClaims, privateKey: KeyObject): Promise<string> {
  const { CompactSign } = await import('jose')
  const { iat, jti, iss, aud, state, run_id } = claims
  return new CompactSign(Buffer.from(JSON.stringify({ iat, jti, iss, aud, state, run_id })))
    .setProtectedHeader({ alg: ALGORITHM, kid: keyIdOf(privateKey), typ: TYPE })
    .sign(privateKey)
}

/** Values against which the sender verifies a statement. */
export interface ArrivalExpectation {
  readonly jti: string
  /** The places of the receiver. */
  readonly issuers: readonly string[]
  readonly audience: string
  readonly keys: readonly TrustedKey[]
}

/** Verifies a statement about one token. @throws MOVE_REPORT_INVALID */
export async function verifyArrivalStatement(
  statement: string,
  { jti, issuers, audience, keys }: ArrivalExpectation,
): Promise<ArrivalClaims> {
  const jws = readJws(statement)
  if (jws === undefined || jws.header.typ !== TYPE) throw invalid('it is not a statement about an arrival')
  const signer = keys.find(({ keyId }) => keyId === jws.header.kid)
  if (signer === undefined) throw invalid('its key is not one of the receiver')
  const payload = Buffer.from(jws.payload, 'base64url')
  if (!(await verifyJws(jws, payload, signer.publicKey))) throw invalid('its signature is not valid')
  const claims = readClaims(payload)
  if (claims.jti !== jti) throw invalid('it is about another token')
  if (!issuers.includes(claims.iss)) throw invalid(`it is of ${claims.iss}`)
  if (claims.aud !== audience) throw invalid(`it is for ${claims.aud}`)
  return claims
}

function readClaims(payload: Buffer): ArrivalClaims {
  let claims: Partial<ArrivalClaims> | null
  try {
    claims = strictJson(payload.toString('utf8')) as Partial<ArrivalClaims> | null
  } catch {
    throw invalid('its payload is not JSON')
  }
  const { iat, jti, iss, aud, state, run_id } = claims ?? {}
  if (!Number.isSafeInteger(iat) || [jti, iss, aud].some((text) => typeof text !== 'string'))
    throw invalid('it has no iat, jti, iss or aud')
  const isOwned = state === 'owned' && typeof run_id === 'string' && run_id !== ''
  if (isOwned || (state === 'refused' && run_id === null)) return claims as ArrivalClaims
  throw invalid('it does not say who owns the run')
}

function invalid(why: string): WaybillError {
  return new WaybillError('MOVE_REPORT_INVALID', {
    fault: 'refused',
    at: '/statement',
    message: `the statement about the arrival is refused: ${why}`,
    hint: 'the receiver signs it with a key that is pinned: `waybill migrate RUN --from URL` reports again',
  })
}
