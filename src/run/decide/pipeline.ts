import type { Json } from '../../document/json.ts'
import type { Program } from '../../plan/plan.ts'
import type { PlannedOrchestration } from '../../plan/planned-orchestration.ts'
import type { Decision } from '../event.ts'
import type { CallEntry, RunState } from '../state.ts'
import { callAlone, subagentNamed } from './agent-call.ts'
import { mergeDecisions } from './merge-decisions.ts'
import { failed } from './run-end.ts'
import { allDone, endIfNotCallable, finishWithLast } from './subagent-results.ts'

/** Calls the sub-agent of one step of a pipeline (AAIF §4.3). */
export function startStep(
  program: Program,
  state: RunState,
  orchestration: PlannedOrchestration,
  step: number,
  input: Json,
): Decision {
  const alias = orchestration.steps[step] ?? ''
  const subagent = subagentNamed(program, alias)
  if (subagent === undefined) {
    return {
      end: failed('error', 'SUBAGENT_UNRESOLVED', `the step ${alias} names no sub-agent`, {
        rule: 'AAIF-4.3-03',
      }),
    }
  }
  const call = callAlone(program, state, `step${step}`, subagent, input)
  return mergeDecisions(
    { stage: { type: 'pipeline', step }, clear: true, add: [call] },
    endIfNotCallable(call),
  )
}

/** Passes the result of a step to the next step; the result of the last step is the output of the run. */
export function afterStep(
  program: Program,
  state: RunState,
  orchestration: PlannedOrchestration,
  step: number,
  calls: readonly CallEntry[],
): Decision {
  if (!allDone(calls)) return {}
  const last = calls.at(-1)
  if (last === undefined || last.error === true || step + 1 >= orchestration.steps.length)
    return finishWithLast(program, calls)
  return startStep(program, state, orchestration, step + 1, last.result ?? null)
}
