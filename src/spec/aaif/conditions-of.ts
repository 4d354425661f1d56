import type { AgentDefinition, Condition } from './generated/agent.ts'

/** A Condition and its pointer. */
export interface PlacedCondition {
  readonly pointer: string
  readonly condition: Condition
}

/** Returns the Conditions of a definition, which has four places for them (AAIF-5-01). */
export function* conditionsOf({ agent }: AgentDefinition): Iterable<PlacedCondition> {
  for (const [index, { when }] of (agent.orchestration?.subagents ?? []).entries()) {
    if (when !== undefined) yield { pointer: `/agent/orchestration/subagents/${index}/when`, condition: when }
  }
  for (const [index, { condition }] of (agent.orchestration?.handoff ?? []).entries()) {
    yield { pointer: `/agent/orchestration/handoff/${index}/condition`, condition }
  }
  for (const [index, { filter }] of (agent.events?.triggers ?? []).entries()) {
    if (filter !== undefined) yield { pointer: `/agent/events/triggers/${index}/filter`, condition: filter }
  }
  const trigger = agent.compliance?.human_in_the_loop?.trigger
  if (trigger !== undefined)
    yield { pointer: '/agent/compliance/human_in_the_loop/trigger', condition: trigger }
}
