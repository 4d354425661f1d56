import type { Code } from '../document/codes.ts'
import { WaybillError } from '../document/issue.ts'
import type { JsonObject } from '../document/json.ts'
import { suggest } from '../document/suggest.ts'
import type { Plan, PlannedTool } from '../plan/plan.ts'
import { type CallRule, callRuleText } from '../policy/approval/call-rule.ts'
import { placeOf } from '../policy/approval/standing-rules.ts'
import { leadsToOnePlace } from './standing-decision.ts'

export interface RuledTool {
  readonly plan: Plan
  readonly tool: PlannedTool
}

/**
 * Returns the tools that a rule names, at least one. A rule with a typing error must not be stored, because it would
 * match no call.
 * @throws CALL_RULE_UNKNOWN_TOOL, CALL_RULE_UNKNOWN_ARGUMENT
 */
export function toolsOfRule(rule: CallRule, plans: readonly Plan[]): readonly [RuledTool, ...RuledTool[]] {
  const [first, ...others] = plans.flatMap((plan) =>
    plan.tools.filter(({ name }) => name === rule.tool).map((tool) => ({ plan, tool })),
  )
  if (first === undefined) {
    const known = plans.flatMap((plan) => plan.tools.map(({ name }) => name))
    const near = suggest(rule.tool, known)
    throw unfit('CALL_RULE_UNKNOWN_TOOL', rule, `no agent has a tool named ${rule.tool}`, near, known)
  }
  for (const { tool } of [first, ...others]) assertArguments(rule, tool)
  return [first, ...others]
}

/**
 * Checks a rule for one run (`--yes`). It names no agent, so all tools of this name must have the same endpoint.
 * @throws CALL_RULE_UNKNOWN_TOOL, CALL_RULE_UNKNOWN_ARGUMENT, CALL_RULE_AMBIGUOUS
 */
export function assertRuleForRun(rule: CallRule, plans: readonly Plan[]): void {
  const found = toolsOfRule(rule, plans)
  if (leadsToOnePlace(rule.tool, plans)) return
  const places = found.map(
    ({ plan, tool }) => `${tool.endpoint ?? `a ${tool.protocol}`} for ${plan.agent_name}`,
  )
  throw new WaybillError('CALL_RULE_AMBIGUOUS', {
    fault: 'usage',
    message: `"${callRuleText(rule)}": the tools named ${rule.tool} have different endpoints: ${places.join(', ')}`,
    hint: 'create a standing rule for one agent: waybill grants allow call … --agent FILE',
  })
}

/** Returns the members of the grant for a rule: calls, agent, version of the definition and tool. */
export function grantOfRule(rule: CallRule, { plan, tool }: RuledTool) {
  const { agent_id, agent_name, definition_hash } = plan
  const what = callRuleText(rule)
  return { kind: 'call' as const, what, agent_id, agent_name, definition_hash, ...placeOf(tool) }
}

/** @throws CALL_RULE_UNKNOWN_ARGUMENT if the schema of the tool lists its arguments and one of the rule is missing */
export function assertArguments(rule: CallRule, { parameters_schema }: PlannedTool): void {
  const members = parameters_schema?.properties as JsonObject | undefined
  if (members === undefined) return
  const known = Object.keys(members)
  const stray = rule.where.find(({ path }) => !known.includes(path[0] ?? ''))?.path[0]
  if (stray === undefined) return
  throw unfit(
    'CALL_RULE_UNKNOWN_ARGUMENT',
    rule,
    `${rule.tool} has no argument ${stray}`,
    suggest(stray, known),
    known,
  )
}

function unfit(
  code: Code,
  rule: CallRule,
  message: string,
  near?: string,
  known: readonly string[] = [],
): WaybillError {
  const others = known.length === 0 ? {} : { hint: `available: ${known.join(', ')}` }
  return new WaybillError(code, {
    fault: 'usage',
    message: `the rule "${callRuleText(rule)}" would match no call: ${message}`,
    ...(near === undefined ? others : { hint: `did you mean ${near}?` }),
  })
}
