import type { JsonObject } from '../../document/json.ts'
import { inOrganisation } from '../database/tenant.ts'
import type { OwnerParts } from './ask-owners.ts'
import { type MoveRow, moveRow } from './move-rows.ts'
import { askPeer, type PeerPort } from './peer-client.ts'
import type { PeerAddress } from './peer-rows.ts'

/** The same receiver is asked about a run at most once in this time, in seconds. */
const AGAIN_S = 60
/** How long a reader waits for the answer, in milliseconds. */
const ANSWER_MS = 3_000

/**
 * Asks the receiver of a run that was given away whether it still knows the run, and stores the answer. No answer changes
 * nothing; a receiver that fetches is never asked.
 * @returns the move as it is afterwards
 */
export async function lookAtReceiver(
  { app, peers }: Pick<OwnerParts, 'app' | 'peers'>,
  org: string,
  move: MoveRow,
  address: () => Promise<PeerAddress>,
  stopping: AbortSignal,
): Promise<MoveRow> {
  if (move.phase !== 'moved' || move.pull) return move
  const { rowCount } = await inOrganisation(app, org, (sql) =>
    sql.query(
      `UPDATE waybill.moves SET receiver_asked_at = clock_timestamp() WHERE org = $1 AND jti = $2 AND phase = 'moved'
         AND (receiver_asked_at IS NULL OR receiver_asked_at < clock_timestamp() - ${AGAIN_S} * interval '1 second')`,
      [org, move.jti],
    ),
  )
  if (rowCount === 0) return move
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(ANSWER_MS)])
  const knows = await answerOf(peers, move, address, signal)
  if (knows === undefined) return move
  return inOrganisation(app, org, async (sql) => {
    await sql.query(
      `UPDATE waybill.moves SET receiver = $3 WHERE org = $1 AND jti = $2 AND phase = 'moved'`,
      [org, move.jti, knows ? null : 'unknown'],
    )
    return (await moveRow(sql, org, move.jti)) ?? move
  })
}

/** @returns whether the receiver knows the run; undefined: it has not said so */
async function answerOf(
  peers: PeerPort,
  { jti, target }: MoveRow,
  address: () => Promise<PeerAddress>,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  try {
    const answer = await askPeer(peers, await address(), {
      method: 'GET',
      path: `/v1/migrations/${jti}`,
      signal,
    })
    if ('problem' in answer)
      return answer.status === 404 && answer.problem.code === 'MOVE_NOT_FOUND' ? false : undefined
    return knowsRun(answer.json, target)
  } catch {
    // The move is over: a receiver that cannot be asked now is asked by the next reader.
    return undefined
  }
}

/** Only the organisation that the token names says something about it. */
function knowsRun({ state, place }: JsonObject, target: string): boolean | undefined {
  if (place !== target) return undefined
  return state === 'owned_here' ? true : state === 'refused' ? false : undefined
}
