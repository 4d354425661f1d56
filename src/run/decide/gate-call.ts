import { ownMember } from '../../document/own-member.ts'
import type { Program } from '../../plan/plan.ts'
import { breachOfCall } from '../../policy/constraints/check-call.ts'
import type { JudgedBreach } from '../event.ts'
import type { RunState, ToolCall } from '../state.ts'
import { needsJudge } from './gate-answer.ts'

/**
 * Checks a tool call before it is sent. A call cannot be redacted or repaired afterwards, so at every level a
 * breach means that it is not sent.
 * @param earlier calls of the same answer that will be sent: they count as well
 */
export function breachOfToolCall(
  program: Program,
  state: RunState,
  call: ToolCall,
  earlier: readonly { readonly tool: string }[],
  at: number,
): JudgedBreach | null {
  for (const { rule, text } of program.plan.constraints) {
    if (rule === undefined) continue
    const why = breachOfCall(rule, {
      tool: call.tool,
      args: call.args,
      at,
      called: (tool) =>
        (ownMember(state.tally, tool)?.called ?? 0) + earlier.filter((other) => other.tool === tool).length,
      succeeded: (tool) => (ownMember(state.tally, tool)?.succeeded ?? 0) > 0,
    })
    if (why !== null) return { constraint: text, why, call_id: call.id }
  }
  return null
}

/**
 * Returns true if a judge must review calls of this tool: only calls that may change something are worth the
 * time.
 */
export function mustBeJudged(program: Program, tool: string): boolean {
  const planned = program.tool.get(tool)
  return needsJudge(program) && planned?.effect === 'write' && planned.agent === undefined
}
