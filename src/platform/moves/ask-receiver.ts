import type { StoredMove } from '../../run/record/move-records.ts'
import type { MoveReply } from '../../session/moves/move-reply.ts'
import type { AgentState } from '../../spec/aaif/generated/state.ts'
import { requestIn } from '../../state/migration-protocol.ts'
import { HANDOFF_TYPE } from '../../state/stream/streamed-state.ts'
import { writeHandoff } from '../../state/stream/write-handoff.ts'
import { askPeer, isFinal, type PeerAnswer, type PeerPort } from './peer-client.ts'
import type { PeerAddress } from './peer-rows.ts'

/**
 * Sends the request that the phase of a move asks for: the state, or the withdrawal of its token.
 * @param document the state with its token, as JSON
 * @throws PEER_UNREACHABLE
 */
export async function askReceiver(
  port: PeerPort,
  peer: PeerAddress,
  { jti, phase, method }: Pick<StoredMove, 'jti' | 'phase' | 'method'>,
  document: string,
  signal: AbortSignal,
): Promise<MoveReply> {
  if (requestIn(phase) === 'withdraw')
    return replyIn(await askPeer(port, peer, { method: 'DELETE', path: `/v1/migrations/${jti}`, signal }))
  const sent =
    method === 'stream'
      ? { path: '/v1/handoff', body: streamOf(document), mediaType: HANDOFF_TYPE }
      : { path: '/v1/states', body: document }
  return replyIn(await askPeer(port, peer, { method: 'POST', signal, ...sent }))
}

function streamOf(document: string): Iterable<string> {
  const state = JSON.parse(document) as AgentState
  return writeHandoff(state, { token: state.provenance?.migration_token ?? '' })
}

/** Returns what an answer says of the receiver's row. */
function replyIn(said: PeerAnswer): MoveReply {
  if ('problem' in said) {
    const failure = { code: said.problem.code, why: said.problem.message }
    return { answer: isFinal(said) ? 'rejected' : 'nothing', targetRunId: null, failure }
  }
  const { json, status } = said
  const targetRunId = typeof json.run_id === 'string' ? json.run_id : null
  if (status === 201 || json.state === 'owned_here') return { answer: 'owned', targetRunId }
  return { answer: json.state === 'refused' ? 'refused' : 'nothing', targetRunId: null }
}
