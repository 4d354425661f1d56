import type { KeyObject } from 'node:crypto'
import { defined } from '../../document/defined.ts'
import type { JsonObject } from '../../document/json.ts'
import type { StoredState } from '../../run/record/move-records.ts'
import type { AgentState, StateMessage } from '../../spec/aaif/generated/state.ts'
import { StreamedHash } from '../../state/stream/streamed-hash.ts'
import { streamedChecksum, streamedState } from '../../state/stream/streamed-state.ts'
import { stateDigest, withStateChecksum } from '../../trust/checksum.ts'
import { issueMigrationToken, MAX_LIFETIME_SECONDS } from '../../trust/migration-token.ts'

export interface SignedMove {
  readonly jti: string
  /** Who sends, and who receives, as the URIs of their places. */
  readonly source: string
  readonly target: string
  readonly method: 'document' | 'stream'
  /** Only the move has stopped the run. */
  readonly paused: boolean
}

/**
 * Returns a captured state with its migration token (AAIF §8.2 steps 2 and 3), which is bound to this state, its content,
 * the agent, the sender and the receiver.
 * @param at milliseconds since the epoch
 * @param conversation of a stream, if it is not in the document
 */
export async function signState(
  document: AgentState,
  { jti, source, target, method, paused }: SignedMove,
  key: KeyObject,
  at: number,
  conversation?: AsyncIterable<readonly StateMessage[]>,
): Promise<StoredState> {
  const { state_id, agent_id, run_id } = document
  const iat = Math.floor(at / 1000)
  const exp = iat + MAX_LIFETIME_SECONDS
  const digest =
    method === 'stream'
      ? await digestOf(streamedState(document), conversation)
      : stateDigest(document as unknown as JsonObject)
  const token = await issueMigrationToken(
    {
      iss: source,
      aud: target,
      iat,
      exp,
      jti,
      state_id,
      agent_id,
      ...defined({ run_id }),
      digest,
      ...(paused && { continues: true }),
    },
    key,
  )
  const signed = withStateChecksum({
    ...(document as unknown as JsonObject),
    provenance: { ...document.provenance, migration_token: token },
  } as JsonObject)
  // The one that the receiver sees: a stream has its own, in its last line.
  const checksum =
    method === 'stream' ? digest : (signed.provenance as { readonly checksum: string }).checksum
  return { document: JSON.stringify(signed), state_id, checksum, expires_at: exp * 1000 }
}

async function digestOf(
  state: AgentState,
  conversation: AsyncIterable<readonly StateMessage[]> | undefined,
): Promise<string> {
  if (conversation === undefined) return streamedChecksum(state)
  const hash = new StreamedHash(state)
  for await (const messages of conversation) hash.add(messages)
  return hash.digest(state)
}
