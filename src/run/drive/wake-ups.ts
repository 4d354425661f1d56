import type { Program } from '../../plan/plan.ts'
import { approvalTimeoutAt } from '../decide/gate-approval.ts'
import type { Fact } from '../event.ts'
import type { RunState } from '../state.ts'
import { isOnceSent } from '../unsettled.ts'

/** A time at which a run continues without outside input, and the fact for that time. */
export interface WakeUp {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly fact: Fact
}

/**
 * Returns the next wake-up of a run, or null if it has none. Timers are derived from the state alone, so a run that
 * waits needs no process.
 * @param drainMs time for calls that the end of the run waits for
 */
export function nextWakeUp(program: Program, state: RunState, drainMs: number): WakeUp | null {
  const { end, ending } = state
  if (end !== null) return null
  if (ending !== null) {
    return state.calls.some(isOnceSent)
      ? { at: ending.since + drainMs, fact: { type: 'drain.passed' } }
      : null
  }
  let next: WakeUp | null = null
  const consider = (at: number, fact: Fact) => {
    if (next === null || at < next.at) next = { at, fact }
  }
  // The time in which a run waits for a person does not count against its deadline.
  if (state.deadline_at !== null && state.status !== 'waiting')
    consider(state.deadline_at, { type: 'deadline.passed' })
  if (program.plan.approval?.timeout_ms !== undefined) {
    for (const call of state.calls) {
      const at = approvalTimeoutAt(program, call)
      if (at !== null) consider(at, { type: 'approval.lapsed', call_id: call.id })
    }
  }
  return next
}
