import type { PlannedLimits, Program } from '../../plan/plan.ts'
import type { Decision } from '../event.ts'
import type { DeadlineOf, RunEnd, RunState } from '../state.ts'
import { failed } from './run-end.ts'

/**
 * Returns when a new turn must end (ms since the epoch; null: at no time), and the limit that says so: the earliest of
 * the agent's own timeout, the operator's budget of seconds, and the deadline of the caller.
 */
export function deadlineOfTurn(
  limits: PlannedLimits,
  state: RunState,
  at: number,
): { readonly deadline_at: number | null; readonly deadline_of?: DeadlineOf } {
  const { deadline_at: inherited, deadline_of: inheritedOf = 'runtime' } = state.limits
  const candidates: readonly (readonly [ends: number | undefined, of: DeadlineOf])[] = [
    [limits.timeout_ms === undefined ? undefined : at + limits.timeout_ms, 'runtime'],
    [limits.budget_ms === undefined ? undefined : at + limits.budget_ms, 'budget'],
    [inherited, inheritedOf],
  ]
  let deadline_at: number | null = null
  let of: DeadlineOf = 'runtime'
  for (const [ends, limit] of candidates) {
    if (ends === undefined || (deadline_at !== null && ends >= deadline_at)) continue
    deadline_at = ends
    of = limit
  }
  return { deadline_at, ...(of !== (state.deadline_of ?? 'runtime') && { deadline_of: of }) }
}

/**
 * Ends the run if its deadline has passed (AAIF §4.6 timeout_seconds). While the run waits for a person, no
 * time counts.
 */
export function deadlinePassed(program: Program, state: RunState, at: number): Decision | null {
  if (state.deadline_at === null || at < state.deadline_at || state.status === 'waiting') return null
  return { abort: 'all', end: endAtDeadline(program, state) }
}

function endAtDeadline({ plan: { limits } }: Program, state: RunState): RunEnd {
  const own = state.deadline_of === 'budget' ? limits.budget_ms : limits.timeout_ms
  const after = own === undefined ? 'at the deadline of the agent that called it' : `after ${own / 1000} s`
  if (state.deadline_of === 'budget') {
    return failed('budget', 'BUDGET_EXCEEDED', `the budget is used up: the run was stopped ${after}`, {
      hint: 'raise --budget seconds=N, or budget.seconds in the configuration',
    })
  }
  return failed('timeout', 'TIMEOUT', `the run was stopped ${after}`, {
    ...(own !== undefined && { pointer: '/agent/runtime/timeout_seconds' }),
    rule: 'AAIF-4.6-01',
    hint:
      own === undefined
        ? 'raise runtime.timeout_seconds of the agent that called it'
        : 'raise runtime.timeout_seconds',
  })
}
