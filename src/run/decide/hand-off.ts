import type { Json } from '../../document/json.ts'
import type { Program } from '../../plan/plan.ts'
import type { Decision } from '../event.ts'
import type { CallEntry, RunState, RunWarning } from '../state.ts'
import { callAlone, subagentNamed } from './agent-call.ts'
import { conditionPayload } from './condition-payload.ts'
import { isKnownWarning } from './is-known-warning.ts'
import { mergeDecisions } from './merge-decisions.ts'
import { allDone, endIfNotCallable, finishWithLast } from './subagent-results.ts'

/**
 * Calls the target of the first hand-off rule whose condition is true and that has not fired in this turn
 * (AAIF §4.3 mid-run hand-off). A condition that cannot be evaluated counts as not satisfied, with a warning.
 * @param otherwise the decision if no rule fires
 */
export function handOffOr(
  program: Program,
  state: RunState,
  output: Json,
  otherwise: () => Decision,
): Decision {
  const warnings: RunWarning[] = []
  const due = handoffDue(program, state, output, warnings)
  const next = due ?? otherwise()
  const fresh = warnings.filter((warning) => !isKnownWarning(state, warning))
  return fresh.length === 0 ? next : mergeDecisions({ warnings: fresh }, next)
}

function handoffDue(
  program: Program,
  state: RunState,
  output: Json,
  warnings: RunWarning[],
): Decision | null {
  const { orchestration } = program.plan
  // A number that selects an answer of a worker is not an answer to the task.
  if (orchestration === undefined || state.choice !== undefined) return null
  for (const [rule, condition] of program.handoffs.entries()) {
    const handoff = orchestration.handoffs[rule]
    if (handoff === undefined || state.handed_off.includes(rule)) continue
    const payload = conditionPayload(program.plan, state, state.input, output)
    const { outcome, reason } = condition.evaluate(payload)
    if (outcome === 'unevaluable') {
      warnings.push({
        code: 'CONDITION_UNEVALUABLE',
        message: `/agent/orchestration/handoff/${rule}/condition counts as not satisfied: ${reason}`,
        about: { handoff: rule },
      })
    }
    if (outcome !== 'true') continue
    const target = subagentNamed(program, handoff.target)
    if (target === undefined) continue
    const call = callAlone(program, state, `handoff${rule}`, target, state.input, {
      passContext: handoff.pass_context,
      memory: handoff.pass_memory ? { type: 'long_term' } : null,
    })
    return mergeDecisions(
      { stage: { type: 'handoff', rule }, handed_off: rule, add: [call] },
      endIfNotCallable(call),
    )
  }
  return null
}

/** Ends the run with the result of the sub-agent that took over. */
export function afterHandoff(program: Program, calls: readonly CallEntry[]): Decision {
  return allDone(calls) ? finishWithLast(program, calls) : {}
}
