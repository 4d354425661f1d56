import type { Program } from '../../plan/plan.ts'
import type { Decision } from '../event.ts'
import { callsAfter } from '../round.ts'
import type { CallStatus, RunState } from '../state.ts'
import { isUnsettled } from '../unsettled.ts'
import { mergeDecisions } from './merge-decisions.ts'

/**
 * Holds an end back while a call that must not be repeated is on its way, or a sub-agent's run is: the run would
 * forget what became of it. Everything else is stopped, and nothing new begins. A rehearsal changes nothing in the
 * world, so its end is never held.
 */
export function holdEnd(program: Program, state: RunState, decision: Decision): Decision {
  const { end, clear: _clear, settle: _settle, stage: _stage, review: _review, ...rest } = decision
  if (end === undefined || state.ending !== null || program.plan.rehearsal) return decision
  const calls = callsAfter(state.calls, rest)
  if (!calls.some(isUnsettled)) return decision
  // A sub-agent that waits for a person is driven once more, to be cancelled.
  const held = calls.filter(({ status }) => status === 'held')
  const { set: before, abort: _abort, ...others } = rest
  const set = [...Object.entries(before ?? {}), ...held.map(({ id }): [string, CallStatus] => [id, 'sent'])]
  return mergeDecisions(others, {
    ...(set.length > 0 && { set: Object.fromEntries(set) }),
    abort: 'all',
    ending: end,
  })
}
