import type { Program } from '../../plan/plan.ts'
import type { Decision } from '../event.ts'
import { callsAfter } from '../round.ts'
import type { CallStatus, RunState } from '../state.ts'
import { isUnsettled } from '../unsettled.ts'
import { mergeDecisions } from './merge-decisions.ts'

/**
 * Delays the end of a run while a call that must not be repeated, or a sub-agent's run, is in flight:
 * otherwise the run would never record its outcome. All other work is stopped, and no new work starts. A
 * rehearsal has no effects, so its end is never delayed.
 */
export function holdEnd(program: Program, state: RunState, decision: Decision): Decision {
  const { end, clear: _clear, settle: _settle, stage: _stage, review: _review, say: _say, ...rest } = decision
  if (end === undefined || state.ending !== null || program.plan.rehearsal) return decision
  const calls = callsAfter(state.calls, rest)
  if (!calls.some(isUnsettled)) return decision
  // The run of a sub-agent that waits for a person is driven once more, to be cancelled.
  const held = calls.filter(({ status }) => status === 'held')
  const { set: before, abort: _abort, ...others } = rest
  const set = [...Object.entries(before ?? {}), ...held.map(({ id }): [string, CallStatus] => [id, 'sent'])]
  return mergeDecisions(others, {
    ...(set.length > 0 && { set: Object.fromEntries(set) }),
    abort: 'all',
    ending: end,
  })
}
