import { WaybillError } from '../../document/issue.ts'
import type { JsonObject } from '../../document/json.ts'
import type { AgentState } from '../../spec/aaif/generated/state.ts'
import { parseAgentState } from '../../spec/aaif/parse-agent-state.ts'
import { assertStateChecksum, stateDigest } from '../../trust/checksum.ts'
import { type MigrationClaims, verifyMigrationToken } from '../../trust/migration-token.ts'
import type { TrustedKey } from '../../trust/trust-store.ts'

/** Values against which a home verifies a state that it has fetched. */
export interface ExpectedArrival {
  readonly jti: string
  /** The run there. */
  readonly runId: string
  /** The sender, as the URI of its place. */
  readonly source: string
  /** The places of this home. */
  readonly places: readonly string[]
  /** The keys that are pinned for the sender. */
  readonly keys: readonly TrustedKey[]
  readonly nowSeconds: number
}

/**
 * Verifies a fetched state, its checksum and its token (AAIF §8.2 step 4).
 * @throws the first error of the document; STATE_CHECKSUM_MISSING, STATE_CHECKSUM_MISMATCH; errors of tokens
 */
export async function verifyArrival(
  given: JsonObject,
  { jti, runId, source, places, keys, nowSeconds }: ExpectedArrival,
): Promise<{ readonly document: AgentState; readonly claims: MigrationClaims }> {
  const document = parseAgentState(given)
  assertStateChecksum(document as unknown as JsonObject)
  const { state_id: stateId, agent_id: agentId, provenance } = document
  const claims = await verifyMigrationToken(provenance?.migration_token ?? '', {
    nowSeconds,
    stateId,
    agentId,
    keys,
    bound: {
      profile: 'full',
      issuers: [source],
      audiences: places,
      runId,
      digest: stateDigest(document as unknown as JsonObject),
    },
  })
  if (document.run_id !== runId || claims.jti !== jti) throw otherMove()
  return { document, claims }
}

function otherMove(): WaybillError {
  return new WaybillError('STATE_TOKEN_INVALID', {
    fault: 'refused',
    at: '/provenance/migration_token',
    message: 'the migration token is refused: it is of another move',
    hint: 'request a new token for this state from the sender',
    rule: 'AAIF-8.2-04',
  })
}
