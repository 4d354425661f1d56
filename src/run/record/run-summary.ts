import { apply } from '../apply.ts'
import type { RunEvent } from '../event.ts'
import { initialState, type RunState, type StopReason } from '../state.ts'
import { asksPerson } from '../unsettled.ts'
import type { RunHeader } from './run-header.ts'

/** What a list shows of a run beside its header; a store keeps it with every append. */
export interface RunSummary {
  readonly status: RunState['status']
  readonly stop_reason: StopReason | null
  /** Calls that wait for a person. */
  readonly questions: number
  readonly seq: number
  /** Milliseconds since the epoch; 0: nothing has happened. */
  readonly at: number
}

export function summaryOf({ status, end, calls, seq, at }: RunState): RunSummary {
  let questions = 0
  for (const call of calls) if (asksPerson(call)) questions++
  return { status, stop_reason: end?.stop_reason ?? null, questions, seq, at }
}

/** The state of a run: the fold of its events. */
export function foldRun(header: RunHeader, events: readonly RunEvent[]): RunState {
  let state = initialState(header.run_id, header.agent_id, header.plan_hash)
  for (const event of events) state = apply(state, event)
  return state
}

/**
 * Finds the first event that is not in its place.
 * @returns the sequence number that was expected there; undefined when all are in order, from `first`
 */
export function firstGap(events: readonly RunEvent[], first = 1): number | undefined {
  const index = events.findIndex((event, place) => event.seq !== first + place)
  return index === -1 ? undefined : first + index
}
