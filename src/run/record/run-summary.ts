import { apply } from '../apply.ts'
import type { RunEvent } from '../event.ts'
import { initialState } from '../initial-state.ts'
import type { RunState, StopReason } from '../state.ts'
import { asksPerson, isOnceSent } from '../unsettled.ts'
import { recordDamaged } from './record-errors.ts'
import type { ListedRecord } from './records.ts'
import type { RunHeader } from './run-header.ts'

/** The part of a list entry that changes; a store updates it with every append. */
export interface RunSummary {
  readonly status: RunState['status']
  readonly stop_reason: StopReason | null
  /** Calls that wait for a person. */
  readonly questions: number
  readonly seq: number
  /** Milliseconds since the epoch; 0: there is no event yet. */
  readonly at: number
}

export function summaryOf({ status, end, calls, seq, at }: RunState): RunSummary {
  let questions = 0
  for (const call of calls) if (asksPerson(call)) questions++
  return { status, stop_reason: end?.stop_reason ?? null, questions, seq, at }
}

/** Returns whether a write that must not be repeated leaves with this state, or is in flight. */
export function hasOnceInFlight({ calls }: Pick<RunState, 'calls'>): boolean {
  return calls.some(isOnceSent)
}

/** Returns the list entry for a summary. @param created_at milliseconds since the epoch */
export function listedSummary(
  { status, stop_reason, questions, seq, at }: RunSummary,
  created_at: number,
): Pick<ListedRecord, 'status' | 'stop_reason' | 'seq' | 'questions' | 'created_at' | 'updated_at'> {
  return {
    status,
    ...(stop_reason !== null && { stop_reason }),
    seq,
    questions,
    created_at,
    updated_at: at === 0 ? created_at : at,
  }
}

/** Returns the state of a run: the fold of its events. */
export function foldRun(header: RunHeader, events: readonly RunEvent[]): RunState {
  let state = initialState(header.run_id, header.agent_id, header.plan_hash)
  for (const event of events) state = apply(state, event)
  return state
}

/**
 * Checks that no event of a whole run is missing. @throws RECORD_DAMAGED with the number of the first missing event
 * @param before how many events come before these
 */
export function assertInOrder(runId: string, events: readonly RunEvent[], before = 0): void {
  const index = events.findIndex(({ seq }, place) => seq !== before + place + 1)
  if (index === -1) return
  throw recordDamaged(runId, 'the event is missing or out of order', { seq: before + index + 1 })
}

/**
 * Returns the sequence number that the last event on record must have before these events are appended.
 * @param state of the run after these events
 */
export function seqBefore(events: readonly RunEvent[], state: Pick<RunState, 'seq'>): number {
  return (events[0]?.seq ?? state.seq + 1) - 1
}
