import type { Program } from '../../plan/plan.ts'
import type { Decision } from '../event.ts'
import type { RunState } from '../state.ts'
import { failed } from './run-end.ts'

/**
 * Ends the run if its deadline has passed (AAIF §4.6 timeout_seconds). While the run waits for a person, no
 * time counts.
 */
export function deadlinePassed(program: Program, state: RunState, at: number): Decision | null {
  if (state.deadline_at === null || at < state.deadline_at || state.status === 'waiting') return null
  const seconds = (program.plan.limits.timeout_ms ?? 0) / 1000
  return {
    abort: 'all',
    end: failed('timeout', 'TIMEOUT', `the run was stopped after ${seconds} s`, {
      pointer: '/agent/runtime/timeout_seconds',
      rule: 'AAIF-4.6-01',
      hint: 'raise runtime.timeout_seconds, or --budget seconds=N when that was the limit',
    }),
  }
}
