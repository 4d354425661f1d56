import type { Program } from '../../plan/plan.ts'
import { approvalTimeoutAt } from '../decide/gate-approval.ts'
import type { Fact } from '../event.ts'
import type { Clock } from '../ports.ts'
import type { RunState } from '../state.ts'
import { isOnceSent } from '../unsettled.ts'

/** A time at which a run continues without outside input, and the fact for that time. */
export interface WakeUp {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly fact: Fact
}

/** The alarm of a driven run, for its next wake-up. */
export class Alarm {
  readonly #clock: Clock
  readonly #ring: (fact: Fact) => void
  #set: (WakeUp & { readonly cancel: () => void }) | null = null

  constructor(clock: Clock, ring: (fact: Fact) => void) {
    this.#clock = clock
    this.#ring = ring
  }

  set(next: WakeUp | null): void {
    if (next?.at === this.#set?.at && next?.fact.type === this.#set?.fact.type) return
    this.cancel()
    if (next === null) return
    const cancel = this.#clock.alarm(next.at, () => {
      this.#set = null
      this.#ring(next.fact)
    })
    this.#set = { ...next, cancel }
  }

  cancel(): void {
    this.#set?.cancel()
    this.#set = null
  }
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
