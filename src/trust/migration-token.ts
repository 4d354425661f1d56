import type { KeyObject } from 'node:crypto'
import type { Code } from '../document/codes.ts'
import { WaybillError } from '../document/issue.ts'
import { strictJson } from '../document/strict-json.ts'
import { keyIdOf } from './ed25519.ts'
import { ALGORITHM, readJws, verifyJws } from './jws.ts'
import type { PublicKeyOfSet } from './key-set.ts'
import type { TokenProfile } from './token-profile.ts'
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
  /** The organisation that may import the state, in the same way. Others may write several names. */
  readonly aud?: string | readonly string[]
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
/** What tokens of other platforms call themselves; absent is accepted as well. Each other type is another kind of token. */
const TYPES: readonly (string | undefined)[] = [TYPE, 'jwt', undefined]

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
  /** What else a token is bound to; absent: only to its state and its agent. */
  readonly bound?: {
    readonly profile: TokenProfile
    /** The names of the platform that sends. */
    readonly issuers: readonly string[]
    /** The names of the receiver: of a home with several keys, one for each. */
    readonly audiences: readonly string[]
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
  // Without more claims, a signature over a document could look like a token.
  const types = expected.bound === undefined ? [TYPE] : TYPES
  if (jws === undefined || !types.includes(jws.header.typ?.toLowerCase()))
    throw invalid('it is not a migration token')
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

/** @throws STATE_TOKEN_INVALID for a claim that says something else, or is missing in the full profile */
function assertBound(
  { iss, aud, run_id, digest }: MigrationClaims,
  { profile, issuers, audiences, runId, ...bound }: NonNullable<TokenExpectation['bound']>,
): void {
  const names = aud === undefined ? [] : [aud].flat()
  if (profile === 'full') {
    if (iss === undefined)
      throw incomplete(`it was issued by an unnamed platform, not by ${issuers.join(' or ')}`)
    if (names.length === 0) throw incomplete(`it is for no platform, not for ${audiences.join(', or ')}`)
    if (digest === undefined)
      throw incomplete('it is not bound to the content of the state: digest is missing')
    if (run_id === undefined && runId !== undefined)
      throw incomplete('it is not bound to the run: run_id is missing')
  }
  if (iss !== undefined && !issuers.includes(iss))
    throw invalid(`it was issued by ${iss}, not by ${issuers.join(' or ')}`)
  if (aud !== undefined && !names.some((name) => audiences.includes(name)))
    throw invalid(`it is for ${names.join(', ')}, not for ${audiences.join(', or ')}`)
  if (run_id !== undefined && run_id !== runId) throw invalid('it is for another run')
  if (digest !== undefined && bound.digest !== undefined && digest.toLowerCase() !== bound.digest)
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
  const { iat, exp, jti, state_id, agent_id, ...optional } = claims as Record<string, unknown>
  if (!Number.isFinite(iat) || !Number.isFinite(exp)) return 'iat and exp must be times in seconds'
  for (const [name, value] of Object.entries({ jti, state_id, agent_id })) {
    if (typeof value !== 'string' || value === '') return `${name} is missing`
  }
  const { iss, aud, run_id, digest, continues } = optional
  for (const [name, value] of Object.entries({ iss, run_id, digest })) {
    if (value !== undefined && typeof value !== 'string') return `${name} is not a text`
  }
  if (aud !== undefined && ![aud].flat().every((name) => typeof name === 'string'))
    return 'aud is neither a text nor a list of texts'
  if (continues !== undefined && typeof continues !== 'boolean') return 'continues is neither true nor false'
  const lifetime = (exp as number) - (iat as number)
  if (lifetime <= 0) return 'it expires before it was issued'
  if (lifetime > MAX_LIFETIME_SECONDS)
    return `its lifetime is ${lifetime} seconds; at most ${MAX_LIFETIME_SECONDS} are allowed`
  return undefined
}

/** A token of the draft has fewer claims, which only the operator may accept. */
function incomplete(why: string): WaybillError {
  const hint =
    'if the sender is not Waybill, pin its key with the profile draft; else request a new token from it'
  return refused('STATE_TOKEN_INVALID', why, hint)
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
