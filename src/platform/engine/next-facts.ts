import type { Json } from '../../document/json.ts'
import type { Fact } from '../../run/event.ts'
import type { RunState } from '../../run/state.ts'
import { storedText } from '../database/stored-text.ts'
import type { Sql } from '../database/tenant.ts'

/** A message of a session that its run has not taken in. */
export interface QueuedMessage {
  readonly id: string
  readonly input: Json
  readonly on_busy: OnBusy
  readonly by: string
  /** A trigger has taken it. */
  readonly triggered?: boolean
}

/**
 * Returns the facts that the stored messages of a run's session lead to now, and marks the messages as delivered that
 * the run has taken in. Whether a message was delivered is decided by the run's record alone: a crash between the append
 * of its fact and this mark neither loses nor repeats it. May be called as often as is useful, also with an older state:
 * a fact that was taken in is ignored.
 * @param state of the run, from its recorded events
 * @returns the facts in order: to begin a drive with, or to submit to a run that is being driven; none if nothing has
 * to be done now
 */
export async function nextFacts(
  sql: Sql,
  org: string,
  runId: string,
  state: RunState,
): Promise<readonly Fact[]> {
  const { rows } = await sql.query<Omit<QueuedMessage, 'input'> & { readonly input: string }>(
    `SELECT m.id, m.input, m.on_busy, m.by, m.triggered FROM waybill.conversations AS c
     JOIN waybill.messages AS m ON m.org = $1 AND m.session = c.session AND m.state = 'queued'
     WHERE c.org = $1 AND c.run_id = $2 ORDER BY m.n`,
    [org, storedText(runId)],
  )
  if (rows.length === 0) return []
  const queued = rows.map(({ input, ...row }): QueuedMessage => ({ ...row, input: JSON.parse(input) }))
  const delivered = queued.filter(({ id }) => isReceived(state, id))
  await markDelivered(sql, org, runId, delivered)
  // They wait for the run that the session's next message begins.
  if (takesNoTurns(state)) return []
  return factsOf(
    queued.filter((message) => !delivered.includes(message)),
    state,
  )
}

/**
 * Returns the facts that queued messages lead to in a state of their run. One turn at a time: a message that interrupts
 * is the next turn, else the oldest one; messages that steer enter the active turn, whatever waits before them.
 */
export function factsOf(queued: readonly QueuedMessage[], state: RunState): readonly Fact[] {
  const { seq, end, ending, status, steering } = state
  if (seq === 0) return []
  const urgent = queued.find(({ on_busy }) => on_busy === 'interrupt' || on_busy === 'rollback')
  const next = urgent ?? queued[0]
  if (end !== null) return next === undefined ? [] : [saidBy(next)]
  if (urgent !== undefined) {
    const how = urgent.on_busy === 'rollback' ? 'rollback' : 'interrupt'
    const isStopping = ending?.superseded === how || ending?.superseded === 'rollback'
    // Its next turn begins when the interrupted one has ended.
    if (isStopping && status !== 'paused') return []
    return [{ type: 'turn.interrupted', by: urgent.by, how, message: urgent.id }, saidBy(urgent)]
  }
  if (ending !== null) return []
  return queued
    .filter(({ on_busy, id }) => on_busy === 'steer' && !steering.some(({ message }) => message === id))
    .map(({ id, input }) => ({ type: 'user.steered', input, message: id }))
}

function saidBy({ id, input, triggered }: QueuedMessage): Fact {
  return { type: 'user.said', input, message: id, ...(triggered === true && { triggered }) }
}

function isReceived({ received }: RunState, id: string): boolean {
  return received.some((one) => one === id)
}

/** Returns true if the run was refused as a whole: it takes no more input (see `beginNextTurn`). */
export function takesNoTurns({ end }: Pick<RunState, 'end'>): boolean {
  return end?.status === 'refused' && end.error?.code !== 'PII_REJECTED'
}

/** The record of the run holds what it may hold of the input; the copy in the queue is removed. */
async function markDelivered(
  sql: Sql,
  org: string,
  runId: string,
  messages: readonly QueuedMessage[],
): Promise<void> {
  if (messages.length === 0) return
  await sql.query(
    `UPDATE waybill.messages AS m SET state = 'delivered', input = NULL FROM waybill.conversations AS c
     WHERE c.org = $1 AND c.run_id = $2 AND m.org = $1 AND m.session = c.session AND m.id = ANY ($3) AND m.state = 'queued'`,
    [org, storedText(runId), messages.map(({ id }) => id)],
  )
}

export const ON_BUSY = ['enqueue', 'reject', 'interrupt', 'rollback', 'steer'] as const
export type OnBusy = (typeof ON_BUSY)[number]
