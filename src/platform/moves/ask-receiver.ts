import { WaybillError } from '../../document/issue.ts'
import type { StoredMove } from '../../run/record/move-records.ts'
import type { MoveReply } from '../../session/moves/move-reply.ts'
import type { AgentState, StateMessage } from '../../spec/aaif/generated/state.ts'
import { requestIn } from '../../state/migration-protocol.ts'
import { HANDOFF_TYPE, streamedState } from '../../state/stream/streamed-state.ts'
import { handoffError, sendHandoff, writeHandoff } from '../../state/stream/write-handoff.ts'
import { askPeer, isFinal, type PeerAnswer, type PeerPort } from './peer-client.ts'
import type { PeerAddress } from './peer-rows.ts'

export interface AskedMove extends Pick<StoredMove, 'jti' | 'phase' | 'method' | 'target' | 'checksum'> {
  /** A stream is sent over a WebSocket. */
  readonly socket?: boolean
}

/**
 * Sends the request that the phase of a move asks for: the state, or the withdrawal of its token.
 * @param document the state with its token, as JSON
 * @param conversation of a stream, if it is not in the document
 * @throws PEER_UNREACHABLE
 */
export async function askReceiver(
  port: PeerPort,
  peer: PeerAddress,
  { jti, phase, method, target, checksum, socket = false }: AskedMove,
  document: string,
  signal: AbortSignal,
  conversation?: AsyncIterable<readonly StateMessage[]>,
): Promise<MoveReply> {
  if (requestIn(phase) === 'withdraw')
    return replyIn(
      await askPeer(port, peer, { method: 'DELETE', path: `/v1/migrations/${jti}`, signal }),
      target,
    )
  const sent =
    method === 'stream'
      ? {
          path: '/v1/handoff',
          body: streamOf(document, checksum, conversation),
          mediaType: HANDOFF_TYPE,
          socket,
        }
      : { path: '/v1/states', body: document }
  return replyIn(await askPeer(port, peer, { method: 'POST', signal, ...sent }), target)
}

async function* streamOf(
  document: string,
  checksum: string | null,
  conversation: AsyncIterable<readonly StateMessage[]> | undefined,
): AsyncGenerator<string> {
  const state = JSON.parse(document) as AgentState
  const token = state.provenance?.migration_token ?? ''
  try {
    if (conversation === undefined) yield* writeHandoff(state, { token })
    else yield* sendHandoff(streamedState(state), conversation, { token, checksum: checksum ?? '' })
  } catch (error) {
    // A connection that only ends says nothing: the receiver could not know that nothing follows.
    const code = error instanceof WaybillError ? error.code : 'HANDOFF_FAILED'
    yield handoffError(code, 'the sender cannot complete the state')
    throw error
  }
}

/**
 * Returns what an answer says of the receiver's row. An organisation that the token does not name knows nothing of it: its
 * answer would give the run a second owner.
 * @param receiver the place that the token names
 */
function replyIn(said: PeerAnswer, receiver: string): MoveReply {
  if ('problem' in said) {
    const failure = { code: said.problem.code, why: said.problem.message }
    return { answer: isFinal(said) ? 'rejected' : 'nothing', targetRunId: null, failure }
  }
  const { json, status } = said
  const targetRunId = typeof json.run_id === 'string' ? json.run_id : null
  if (status === 201 || json.state === 'owned_here')
    return json.owner === receiver
      ? { answer: 'owned', targetRunId }
      : { answer: 'nothing', targetRunId: null }
  const isRefused = json.state === 'refused' && json.place === receiver
  return { answer: isRefused ? 'refused' : 'nothing', targetRunId: null }
}
