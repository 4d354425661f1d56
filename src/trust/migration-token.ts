import type { KeyObject } from 'node:crypto'
import type { Code } from '../document/codes.ts'
import { WaybillError } from '../document/issue.ts'
import { strictJson } from '../document/strict-json.ts'
import { keyIdOf } from './ed25519.ts'
import { ALGORITHM, readJws, verifyJws } from './jws.ts'
import type { PublicKeyOfSet } from './key-set.ts'
import type { TrustedKey } from './trust-store.ts'

/** Claims of a migration token (AAIF §8.2): one state of one agent may be imported once, until the expiry time. */
export interface MigrationClaims {
  /** Unix time in seconds. */
  readonly iat: number
  readonly exp: number
  /** Id of the token: a receiver accepts it once. */
  readonly jti: string
  readonly state_id: string
  readonly agent_id: string
  /** The organisation that issues it, as the URL of its place on its platform. */
  readonly iss?: string
  /** The organisation that may import the state, in the same way. */
  readonly aud?: string
  readonly run_id?: string
  /** SHA-256 of the state without its checksum and this token; see `stateDigest`. */
  readonly digest?: string
  /** The run was only paused to be moved, so it continues after the import. */
  readonly continues?: boolean
}

/** AAIF §8.2 step 2: at most 15 minutes. */
export const MAX_LIFETIME_SECONDS = 900
/**
 * Tolerance for clock differences between machines. Does not extend the lifetime; only accepts tokens issued slightly
 * in the future.
 */
const CLOCK_SKEW_SECONDS = 120
/** Distinguishes tokens from signatures over documents by the same keys. */
const TYPE = 'aaif-migration+jwt'

/**
 * Issues a migration token: a compact JWS with EdDSA.
 * @throws STATE_TOKEN_INVALID for a lifetime that receivers refuse
 */
export async function issueMigrationToken(claims: MigrationClaims, privateKey: KeyObject): Promise<string> {
  const problem = claimsProblem(claims)
  if (problem !== undefined) throw invalid(problem)
  const { CompactSign } = await import('jose')
  const { iat, exp, jti, state_id, agent_id, iss, aud, run_id, digest, continues } = claims
  const payload = { iss, aud, iat, exp, jti, state_id, agent_id, run_id, digest, continues }
  return new CompactSign(Buffer.from(JSON.stringify(payload)))
    .setProtectedHeader({ alg: ALGORITHM, kid: keyIdOf(privateKey), typ: TYPE })
    .sign(privateKey)
}

/** Values against which the receiver verifies a token. */
export interface TokenExpectation {
  /** Unix time in seconds. */
  readonly nowSeconds: number
  readonly stateId: string
  readonly agentId: string
  readonly keys: readonly TrustedKey[]
  /** What a token between platforms must be bound to; absent: a token need not name it. */
  readonly bound?: {
    readonly issuer: string
    /** Of a home with several keys: one of its places. */
    readonly audience: string | readonly string[]
    readonly runId: string | undefined
    /** Absent: the caller compares it when the content has arrived. */
    readonly digest?: string
  }
}

/**
 * Verifies a migration token for one state of one agent. The caller checks whether its `jti` was used before.
 * @throws STATE_TOKEN_INVALID (malformed, changed, lifetime too long, other state or agent),
 *   STATE_TOKEN_EXPIRED, STATE_TOKEN_UNKNOWN_SIGNER, STATE_TOKEN_REVOKED
 */
export async function verifyMigrationToken(
  token: string,
  expected: TokenExpectation,
): Promise<MigrationClaims> {
  const jws = readJws(token)
  if (jws === undefined || jws.header.typ !== TYPE) throw invalid('it is not a migration token')
  const signers = expected.keys.filter(({ keyId }) => keyId === jws.header.kid)
  const [signer] = signers
  if (signer === undefined) {
    throw refused(
      'STATE_TOKEN_UNKNOWN_SIGNER',
      'its key is not trusted',
      'trust the key of the sending platform',
    )
  }
  const payload = Buffer.from(jws.payload, 'base64url')
  if (!(await verifyJws(jws, payload, signer.publicKey))) throw invalid('its signature is not valid')
  const revoked = signers.find(({ revokedAt }) => revokedAt !== undefined)
  if (revoked !== undefined) {
    throw refused(
      'STATE_TOKEN_REVOKED',
      `the key "${revoked.name}" was revoked`,
      'request a token signed with another key',
    )
  }
  const claims = readClaims(payload)
  if (claims.iat > expected.nowSeconds + CLOCK_SKEW_SECONDS) throw invalid('it was issued in the future')
  if (claims.state_id !== expected.stateId) throw invalid('it is for another state')
  if (claims.agent_id !== expected.agentId) throw invalid('it is for another agent')
  if (expected.bound !== undefined) assertBound(claims, expected.bound)
  if (claims.exp <= expected.nowSeconds) {
    throw refused(
      'STATE_TOKEN_EXPIRED',
      'it has expired',
      'request a new token from the sender and import at once',
    )
  }
  return claims
}

/**
 * Reads a token that this platform has issued itself, at any later time.
 * @returns undefined if it is not one of this issuer, or was changed
 */
export async function readOwnToken(
  token: string,
  keys: readonly PublicKeyOfSet[],
  issuer: string,
): Promise<MigrationClaims | undefined> {
  const jws = readJws(token)
  const signer = keys.find(({ keyId }) => keyId === jws?.header.kid)
  if (jws === undefined || jws.header.typ !== TYPE || signer === undefined) return undefined
  const payload = Buffer.from(jws.payload, 'base64url')
  if (!(await verifyJws(jws, payload, signer.publicKey))) return undefined
  const claims = readClaims(payload)
  return claims.iss === issuer ? claims : undefined
}

function assertBound(claims: MigrationClaims, bound: NonNullable<TokenExpectation['bound']>): void {
  if (claims.iss !== bound.issuer)
    throw invalid(`it was issued by ${claims.iss ?? 'an unnamed platform'}, not by ${bound.issuer}`)
  const audiences = [bound.audience].flat()
  if (claims.aud === undefined || !audiences.includes(claims.aud))
    throw invalid(`it is for ${claims.aud ?? 'no platform'}, not for ${audiences.join(', or ')}`)
  if (claims.run_id !== bound.runId) throw invalid('it is for another run')
  if (bound.digest !== undefined && claims.digest !== bound.digest)
    throw invalid('it is for another content of this state')
}

function readClaims(payload: Buffer): MigrationClaims {
  let claims: unknown
  try {
    claims = strictJson(payload.toString('utf8'))
  } catch {
    throw invalid('its payload is not JSON')
  }
  const problem = claimsProblem(claims)
  if (problem !== undefined) throw invalid(problem)
  return claims as MigrationClaims
}

function claimsProblem(claims: unknown): string | undefined {
  if (typeof claims !== 'object' || claims === null) return 'its payload is not an object'
  const { iat, exp, jti, state_id, agent_id } = claims as Record<string, unknown>
  if (!Number.isSafeInteger(iat) || !Number.isSafeInteger(exp)) return 'iat and exp must be whole seconds'
  for (const [name, value] of Object.entries({ jti, state_id, agent_id })) {
    if (typeof value !== 'string' || value === '') return `${name} is missing`
  }
  const lifetime = (exp as number) - (iat as number)
  if (lifetime <= 0) return 'it expires before it was issued'
  if (lifetime > MAX_LIFETIME_SECONDS)
    return `its lifetime is ${lifetime} seconds; at most ${MAX_LIFETIME_SECONDS} are allowed`
  return undefined
}

function invalid(why: string): WaybillError {
  return refused('STATE_TOKEN_INVALID', why, 'request a new token for this state from the sender')
}

function refused(code: Code, why: string, hint: string): WaybillError {
  return new WaybillError(code, {
    at: '/provenance/migration_token',
    message: `the migration token is refused: ${why}`,
    hint,
  })
}
