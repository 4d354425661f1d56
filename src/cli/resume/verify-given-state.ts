import { WaybillError } from '../../document/issue.ts'
import type { JsonObject } from '../../document/json.ts'
import { tokenMissing } from '../../session/moves/token-errors.ts'
import type { AgentState } from '../../spec/aaif/generated/state.ts'
import { assertPaused } from '../../state/assert-paused.ts'
import { stateDigest } from '../../trust/checksum.ts'
import { readJws } from '../../trust/jws.ts'
import { type MigrationClaims, verifyMigrationToken } from '../../trust/migration-token.ts'
import { matchesPattern } from '../../trust/name-pattern.ts'
import type { TrustedKey } from '../../trust/trust-store.ts'

/** Values against which a home verifies a state that a person gives it. */
export interface ExpectedState {
  /** The trusted keys of the home. */
  readonly keys: readonly TrustedKey[]
  /** The places of the home. */
  readonly places: readonly string[]
  /** A state of a run that is being moved may come without a token: its run may continue elsewhere too. */
  readonly fork: boolean
  readonly nowSeconds: number
}

/** What proves that the run of a state has stopped at its source. */
export interface ProvedStop {
  readonly claims: MigrationClaims
  /** The sender, as its token or its state says. */
  readonly source: string
}

/**
 * Verifies the migration token of a state whose checksum is right (AAIF §8.2 step 4, §12). The caller checks whether it was
 * used before.
 * @returns undefined: it has none, so the run that continues it is a fork
 * @throws errors of tokens; STATE_NOT_PAUSED; STATE_TOKEN_MISSING for a run that is being moved
 */
export async function verifyGivenState(
  document: AgentState,
  { keys, places, fork, nowSeconds }: ExpectedState,
): Promise<ProvedStop | undefined> {
  const { migration_token: token, source_platform: platform } = document.provenance ?? {}
  if (token === undefined || token === null) {
    if (document.status === 'migrating' && !fork) throw tokenMissing('or continue it with --as-fork')
    return undefined
  }
  // Else the token would be passed over, and with it the proof that the run does not continue elsewhere.
  if (fork) throw tokenGiven()
  assertPaused(document)
  const { state_id: stateId, agent_id: agentId, run_id: runId } = document
  const senders = keys.filter((key) => signsFor(key, platform))
  const kid = readJws(token)?.header.kid
  const signer = senders.find(({ keyId }) => keyId === kid)
  const profile = signer?.profile ?? 'full'
  const named = (signer?.signsFor.sourcePlatform ?? []).filter((name) => !name.includes('*'))
  const claims = await verifyMigrationToken(token, {
    nowSeconds,
    stateId,
    agentId,
    keys: senders,
    bound: {
      profile,
      issuers: [...(platform === undefined ? [] : [platform]), ...(profile === 'draft' ? named : [])],
      audiences: places,
      runId,
      digest: stateDigest(document as unknown as JsonObject),
    },
  })
  return { claims, source: claims.iss ?? platform ?? '' }
}

function signsFor({ signsFor: { authoredBy, sourcePlatform } }: TrustedKey, platform = ''): boolean {
  if (sourcePlatform === undefined) return authoredBy === undefined
  return sourcePlatform.some((pattern) => matchesPattern(pattern, platform))
}

function tokenGiven(): WaybillError {
  return new WaybillError('USAGE', {
    fault: 'usage',
    message: 'the state has a migration token, so its run is taken over and not forked',
    hint: 'leave out --as-fork',
  })
}
