import type { JsonObject } from '../document/json.ts'
import type { Plan } from '../plan/plan.ts'
import {
  argumentsLeftOpen,
  type CallRule,
  callRuleText,
  whyNotCovered,
} from '../policy/approval/call-rule.ts'
import type { StandingRules } from '../policy/approval/standing-rules.ts'
import { taintOf } from '../run/decide/taint.ts'
import { decisionFact, type PersonDecided } from '../run/record/left-decision.ts'
import type { Records } from '../run/record/records.ts'
import type { CallEntry, RunState } from '../run/state.ts'
import { leftDecision } from './left-decisions.ts'

export interface Beforehand {
  readonly records: Pick<Records, 'runs'>
  /** Of all agents that may take part. */
  readonly plans: readonly Plan[]
  /** What was allowed for this run alone, and by whom. */
  readonly allowed: readonly CallRule[]
  readonly by: string
  readonly standing: StandingRules
}

/**
 * What a person decided about a call before it was asked: in another terminal, for this run, or by a standing rule.
 * A person's decision about this very call comes first. A call whose fate is unknown is never decided by a rule.
 * @param args real values in place of what stands for personal data
 * @param plan of the agent whose call it is
 */
export async function standingDecision(
  call: CallEntry,
  state: RunState,
  args: JsonObject,
  plan: Plan,
  { records, plans, allowed, by, standing }: Beforehand,
): Promise<PersonDecided | undefined> {
  const left = await leftDecision(records, state.run_id, call)
  if (left !== undefined) return decisionFact(left)
  if (call.status !== 'asking') return undefined
  const allows = (rule: CallRule) => rule.tool === call.tool && isCovered(rule, args, plan, state)
  const approve = (who: string, grant: string, rule: string): PersonDecided => ({
    type: 'person.decided',
    call_id: call.id,
    verdict: 'approve',
    by: who,
    why: `allowed beforehand: ${rule}`,
    grant,
  })
  const now = leadsToOnePlace(call.tool, plans) ? allowed.find(allows) : undefined
  if (now !== undefined) return approve(by, '--yes', callRuleText(now))
  const rule = (await standing.of(plan)).find((each) => allows(each.rule))
  if (rule === undefined || !(await standing.spend(rule.id))) return undefined
  return approve(rule.by, rule.id, rule.what)
}

/** A rule for this run names no agent: it must not matter whose tool of this name is called. */
export function leadsToOnePlace(name: string, plans: readonly Plan[]): boolean {
  const places = plans.flatMap(({ tools }) =>
    tools
      .filter((tool) => tool.name === name)
      .map(({ protocol, method, endpoint }) => `${protocol} ${method} ${endpoint}`),
  )
  return new Set(places).size <= 1
}

/** A destination that a tool's result named needs a person, unless the rule itself says that it may be one. */
function isCovered(rule: CallRule, args: JsonObject, plan: Plan, state: RunState): boolean {
  return whyNotCovered(rule, args) === null && taintOf(plan, state, argumentsLeftOpen(rule, args)) === null
}
