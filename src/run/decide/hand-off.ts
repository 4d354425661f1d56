import type { Json } from '../../document/json.ts'
import type { Program } from '../../plan/plan.ts'
import type { Decision } from '../event.ts'
import type { CallEntry, RunState } from '../state.ts'
import { callSubagent, subagentNamed } from './agent-call.ts'
import { conditionPayload } from './condition-payload.ts'
import { mergeDecisions } from './merge-decisions.ts'
import { allDone, endIfNotCallable, finishWithLast } from './subagent-results.ts'

/**
 * Calls the target of the first hand-off rule whose condition is true and that has not fired in this turn
 * (AAIF §4.3 mid-run hand-off).
 * @returns null if no rule fires
 */
export function handoffDue(program: Program, state: RunState, output: Json): Decision | null {
  const { orchestration } = program.plan
  // A number that selects an answer of a worker is not an answer to the task.
  if (orchestration === undefined || state.choice !== null) return null
  for (const [rule, condition] of program.handoffs.entries()) {
    const handoff = orchestration.handoffs[rule]
    if (handoff === undefined || state.handed_off.includes(rule)) continue
    const payload = conditionPayload(program.plan, state, state.input, output)
    if (condition.evaluate(payload).outcome !== 'true') continue
    const target = subagentNamed(program, handoff.target)
    if (target === undefined) continue
    const call = callSubagent(program, state, `handoff${rule}`, target, state.input, {
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
