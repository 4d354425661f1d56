import type { JsonObject } from '../document/json.ts'
import type { Plan } from '../plan/plan.ts'
import {
  argumentsLeftOpen,
  type CallRule,
  callRuleText,
  whyNotCovered,
} from '../policy/approval/call-rule.ts'
import type { StandingRules } from '../policy/approval/standing-rules.ts'
import { lacksValues } from '../run/decide/lacks-values.ts'
import { taintOf } from '../run/decide/taint.ts'
import { decisionFact, type PersonDecided } from '../run/record/left-decision.ts'
import type { Records } from '../run/record/records.ts'
import type { CallEntry, RunState } from '../run/state.ts'
import { leftDecision } from './left-decisions.ts'

export interface DecisionSources {
  readonly records: Pick<Records, 'runs'>
  /** The plans of all agents that may take part. */
  readonly plans: readonly Plan[]
  /** The rules for this run alone, and who gave them. */
  readonly allowed: readonly CallRule[]
  readonly by: string
  readonly standing: StandingRules
}

/**
 * Returns a decision about a call that exists before a person is asked: a person's decision in another terminal, a
 * rule for this run, or a standing rule. A person's decision about this call has priority. A call with unknown
 * outcome is never decided by a rule.
 * @param args with real values instead of placeholders
 * @param plan of the agent that makes the call
 */
export async function standingDecision(
  call: CallEntry,
  state: RunState,
  args: JsonObject,
  plan: Plan,
  sources: DecisionSources,
): Promise<PersonDecided | undefined> {
  const { records, by, standing } = sources
  const left = await leftDecision(records, state.run_id, call)
  if (left !== undefined) return decisionFact(left)
  if (call.status !== 'asking') return undefined
  const approve = (who: string, grant: string, rule: string): PersonDecided => ({
    type: 'person.decided',
    call_id: call.id,
    verdict: 'approve',
    by: who,
    why: `standing rule: ${rule}`,
    grant,
  })
  const { now, made } = await rulesFor(call, state, args, plan, sources)
  if (now !== undefined) return approve(by, '--yes', callRuleText(now))
  const asked = { run_id: state.run_id, key: call.key, agent_id: plan.agent_id, tool: call.tool }
  // A rule of another person may decide what this person may not.
  for (const { id, by: maker, what } of made)
    if (await standing.spend(id, asked)) return approve(maker, id, what)
  return undefined
}

/** Returns whether {@link standingDecision} would find one, without the use of a rule. */
export async function isDecided(
  call: CallEntry,
  state: RunState,
  args: JsonObject,
  plan: Plan,
  sources: DecisionSources,
): Promise<boolean> {
  if ((await leftDecision(sources.records, state.run_id, call)) !== undefined) return true
  if (call.status !== 'asking') return false
  const { now, made } = await rulesFor(call, state, args, plan, sources)
  return now !== undefined || made.length > 0
}

/** Returns the rule for this run, and the standing rules, that cover a call. */
async function rulesFor(
  call: CallEntry,
  state: RunState,
  args: JsonObject,
  plan: Plan,
  { plans, allowed, standing }: DecisionSources,
) {
  const allows = (rule: CallRule) => rule.tool === call.tool && isCovered(rule, args, plan, state)
  const now = leadsToOnePlace(call.tool, plans) ? allowed.find(allows) : undefined
  const made = (await standing.of(plan)).filter(({ rule }) => allows(rule))
  return { now, made }
}

/**
 * Returns true if all tools of this name lead to one place. A rule for this run names no agent, so it must not
 * matter which agent's tool is called.
 */
export function leadsToOnePlace(name: string, plans: readonly Plan[]): boolean {
  const places = plans.flatMap(({ tools }) =>
    tools
      .filter((tool) => tool.name === name)
      .map(({ protocol, method, endpoint }) => `${protocol} ${method} ${endpoint}`),
  )
  return new Set(places).size <= 1
}

/**
 * Returns true if a rule covers a call. A destination that a tool's result named needs a person, unless the rule
 * itself allows it; and so does a call whose real values were left behind.
 */
export function isCovered(rule: CallRule, args: JsonObject, plan: Plan, state: RunState): boolean {
  if (whyNotCovered(rule, args) !== null || lacksValues(state, args)) return false
  return taintOf(plan, state, argumentsLeftOpen(rule, args)) === null
}
