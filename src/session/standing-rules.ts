import { ownMember } from '../document/own-member.ts'
import { parseCallRule } from '../policy/approval/call-rule.ts'
import { calledHow, type RuledAgent, type StandingRules } from '../policy/approval/standing-rules.ts'
import { type Grant, isInForce } from '../run/record/grant.ts'
import type { GrantRecords } from '../run/record/records.ts'
import type { RunHeader } from '../run/record/run-header.ts'

/**
 * Returns the standing rules of a home for the agents of one run.
 * @param definitions by definition hash, the identities of the run's agents in the home
 */
export function standingRules(
  grants: Pick<GrantRecords, 'list' | 'spend'>,
  definitions: RunHeader['definitions'],
): StandingRules {
  return {
    async of(agent) {
      const now = Date.now()
      return (await grants.list())
        .filter(
          (grant) =>
            grant.kind === 'call' &&
            isInForce(grant, now) &&
            isOf(grant, agent, ownMember(definitions ?? {}, agent.definition_hash)),
        )
        .map((grant) => ({ grant, rule: parseCallRule(grant.what) }))
        .filter(({ grant, rule }) => leadsThere(grant, agent, rule.tool))
        .map(({ grant: { id, what, by }, rule }) => ({ id, rule, what, by }))
    },
    spend: async (id, call) => grants.spend(id, Date.now(), call),
  }
}

/**
 * Returns true if the rule was made for this agent in its current form. A definition that the home does not know
 * has no rules.
 */
function isOf(grant: Grant, agent: RuledAgent, definition: string | undefined): boolean {
  return (
    definition !== undefined &&
    grant.definition === definition &&
    grant.agent_id === agent.agent_id &&
    (grant.definition_hash === undefined || grant.definition_hash === agent.definition_hash)
  )
}

/**
 * Returns true if the tool is the one of the rule: a tool of the same name with another address or method is
 * another tool.
 */
function leadsThere({ endpoint, called_how }: Grant, { tools }: RuledAgent, tool: string): boolean {
  const now = tools.find(({ name }) => name === tool)
  return now !== undefined && now.endpoint === endpoint && calledHow(now) === called_how
}
