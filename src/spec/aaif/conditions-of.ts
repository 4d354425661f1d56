import type { AgentDefinition, Condition } from './generated/agent.ts'

/** A Condition and its pointer. */
export interface PlacedCondition {
  readonly pointer: string
  readonly condition: Condition
  /** What follows if it cannot be evaluated. */
  readonly undecided: string
}

const NOT_SATISFIED = 'it counts as not satisfied'

/** Returns the Conditions of a definition, which has four places for them (AAIF-5-01). */
export function* conditionsOf({ agent }: AgentDefinition): Iterable<PlacedCondition> {
  for (const [index, { when }] of (agent.orchestration?.subagents ?? []).entries()) {
    if (when !== undefined)
      yield {
        pointer: `/agent/orchestration/subagents/${index}/when`,
        condition: when,
        undecided: NOT_SATISFIED,
      }
  }
  for (const [index, { condition }] of (agent.orchestration?.handoff ?? []).entries()) {
    yield {
      pointer: `/agent/orchestration/handoff/${index}/condition`,
      condition,
      undecided: NOT_SATISFIED,
    }
  }
  for (const [index, { filter }] of (agent.events?.triggers ?? []).entries()) {
    if (filter !== undefined)
      yield {
        pointer: `/agent/events/triggers/${index}/filter`,
        condition: filter,
        undecided: 'the trigger starts no run',
      }
  }
  const trigger = agent.compliance?.human_in_the_loop?.trigger
  if (trigger !== undefined)
    yield {
      pointer: '/agent/compliance/human_in_the_loop/trigger',
      condition: trigger,
      undecided: 'a person must approve each write call',
    }
}
