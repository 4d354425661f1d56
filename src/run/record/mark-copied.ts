import type { Program } from '../../plan/plan.ts'
import { recordCopied } from '../decide/record-copied.ts'
import type { RunState } from '../state.ts'
import { withCall } from '../with-call.ts'
import type { CopiedRecord } from './records.ts'

/**
 * Returns the state of a run whose record is a copy as it would be after the event `record.copied`, which the next drive
 * appends. A run that has ended takes in nothing.
 */
export function markCopied(plan: Program['plan'], state: RunState, copied: CopiedRecord): RunState {
  if (state.end !== null) return state
  const { judged = [] } = recordCopied({ plan }, state, { type: 'record.copied', ...copied })
  const calls = judged.reduce((all, call) => withCall(all, call.id, () => call), state.calls)
  return { ...state, calls, copied: copied.generation }
}
