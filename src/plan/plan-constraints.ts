import { describeRule } from '../policy/constraints/constraint-rule.ts'
import { readConstraint } from '../policy/constraints/read-constraint.ts'
import type { AgentDefinition } from '../spec/aaif/generated/agent.ts'
import type { Inherited } from './inherited.ts'
import type { PlannedConstraint } from './plan.ts'

/** Returns how each constraint is enforced (AAIF §3, §12): by a rule, by a judge, or only by the prompt. */
export function planConstraints(
  { agent }: AgentDefinition,
  inherited: Inherited,
  judged: boolean,
): readonly PlannedConstraint[] {
  const tools = new Set((agent.tools ?? []).map(({ name }) => name))
  const own = agent.constraints ?? []
  const passedOn = inherited.constraints.filter((text) => !own.includes(text))
  return [...own, ...passedOn].map((text, index): PlannedConstraint => {
    const from = index < own.length ? {} : { inherited: true as const }
    const rule = readConstraint(text, tools)
    if (rule !== null) return { text, enforcement: 'rule', rule, reading: describeRule(rule), ...from }
    return { text, enforcement: judged ? 'judge' : 'prompt', ...from }
  })
}

/** Returns whether a constraint can be checked only on a complete answer. */
export function holdsWholeAnswers({ enforcement, rule }: PlannedConstraint): boolean {
  if (enforcement === 'judge') return true
  return rule?.kind === 'length' || rule?.kind === 'contains' || rule?.kind === 'format'
}
