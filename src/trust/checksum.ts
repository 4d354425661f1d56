import { canonicalize, sha256 } from '../document/canonical.ts'
import { WaybillError } from '../document/issue.ts'
import type { JsonObject } from '../document/json.ts'
import { assertJsonData } from '../document/json-data.ts'
import { withoutMember } from './without-member.ts'

const PLACE = ['provenance', 'checksum'] as const

/**
 * Returns the checksum of an Agent State (AAIF §8.1): SHA-256 in lower-case hex over its canonical JSON without
 * `provenance.checksum`.
 */
export function stateChecksum(state: JsonObject): string {
  assertJsonData(state)
  return sha256(canonicalize(withoutMember(state, PLACE)))
}

/** Returns the state with its checksum. */
export function withStateChecksum(state: JsonObject): JsonObject {
  const provenance = { ...(state.provenance as JsonObject | undefined) }
  const placed = { ...state, provenance }
  return { ...placed, provenance: { ...provenance, checksum: stateChecksum(placed) } }
}

/**
 * Compares the digits without regard to case: the draft demands hex, and says nothing about the case of it.
 * @throws STATE_CHECKSUM_MISSING, STATE_CHECKSUM_MISMATCH
 */
export function assertStateChecksum(state: JsonObject): void {
  const written = (state.provenance as JsonObject | undefined)?.checksum
  if (typeof written !== 'string') {
    throw new WaybillError('STATE_CHECKSUM_MISSING', {
      at: '/provenance/checksum',
      message: 'this state has no checksum, so its integrity cannot be verified',
      hint: 'export the state again with a checksum',
      rule: 'AAIF-8.2-04',
    })
  }
  if (written.toLowerCase() === stateChecksum(state)) return
  throw new WaybillError('STATE_CHECKSUM_MISMATCH', {
    at: '/provenance/checksum',
    message: 'the state does not match its checksum: it was changed or damaged after it was captured',
    hint: 'export it again; an edited state cannot be restored',
    rule: 'AAIF-8.2-04',
  })
}

/**
 * Returns what a migration token is bound to: SHA-256 in lower-case hex over the canonical JSON of an Agent State without
 * its checksum and its token, which are added later.
 */
export function stateDigest(state: JsonObject): string {
  assertJsonData(state)
  return sha256(canonicalize(withoutMember(withoutMember(state, PLACE), ['provenance', 'migration_token'])))
}
