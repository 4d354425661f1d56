import { defined } from '../../document/defined.ts'
import { WaybillError } from '../../document/issue.ts'
import { ownMember } from '../../document/own-member.ts'
import { type CallRule, callRuleText } from '../../policy/approval/call-rule.ts'
import { type Grant, isInForce } from '../../run/record/grant.ts'
import { grantOfRule, type RuledTool } from '../../session/check-rule.ts'
import type { Principal } from '../../session/principal.ts'
import type { RuleView } from '../inbox/decision.ts'
import type { RuleTerms } from './rule.ts'

const HOUR_MS = 3_600_000
const LONGEST_DAYS = 90

/** The grant of a rule. */
export interface RuleGrant extends Grant {
  readonly agent_id: string
  readonly agent_name: string
  readonly until: string
}

export interface MadeBy {
  readonly id: string
  readonly by: string
  readonly token?: Principal['token']
  /** Whose call it is made from. */
  readonly user?: string
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Where the terms are in the request: a JSON pointer. */
  readonly at: string
}

/**
 * Returns the grant of a rule.
 * @param definitions the identities of the agents, by definition hash
 * @throws UNTIL_INVALID; AGENT_NOT_FOUND if the source of the definition is not known
 */
export function ruleGrant(
  rule: CallRule,
  ruled: RuledTool,
  definitions: Readonly<Record<string, string>>,
  { until, uses, any_version = false, why }: RuleTerms,
  { id, by, token, user, now, at }: MadeBy,
): RuleGrant {
  const { definition_hash, ...scope } = grantOfRule(rule, ruled)
  const definition = ownMember(definitions, definition_hash)
  if (definition === undefined) throw sourceUnknown(scope.agent_name)
  return {
    id,
    ...scope,
    definition,
    ...(!any_version && { definition_hash }),
    until: untilOf(until, now, at),
    ...defined({ uses_left: uses, why }),
    by,
    ...defined({ user }),
    ...(token?.makers !== undefined && defined({ token_makers: token.makers, token_made_at: token.made_at })),
    at: new Date(now).toISOString(),
  }
}

/** Returns a grant as lists show it. */
export function ruleView({
  tools: _tools,
  called_how: _how,
  token_makers: _makers,
  token_made_at: _made,
  user: _user,
  ...shown
}: Grant): RuleView {
  return { ...shown, in_force: isInForce(shown, Date.now()) }
}

/** @returns RFC 3339, UTC */
function untilOf(text: string | undefined, now: number, at: string): string {
  const end = text === undefined ? now + HOUR_MS : Date.parse(text)
  if (end > now && end <= now + LONGEST_DAYS * 24 * HOUR_MS) return new Date(end).toISOString()
  throw new WaybillError('UNTIL_INVALID', {
    fault: 'usage',
    at: `${at}/until`,
    message: `a rule cannot be valid until ${text}`,
    hint: `name a time in the next ${LONGEST_DAYS} days, such as ${new Date(now + HOUR_MS).toISOString()}`,
  })
}

function sourceUnknown(name: string): WaybillError {
  return new WaybillError('AGENT_NOT_FOUND', {
    fault: 'usage',
    message: `the source of the definition of ${name} is not known`,
    hint: 'upload the definition again, and start a new run of it',
  })
}

export function serviceAccount(): WaybillError {
  return new WaybillError('PERSON_REQUIRED', {
    fault: 'refused',
    message: 'a service account cannot make a standing rule',
    hint: 'make it with a token or session of a person who has the role approver',
  })
}

export function tooManyRules(most: number): WaybillError {
  return new WaybillError('RULE_LIMIT', {
    message: `the organisation has ${most} rules in force`,
    hint: 'revoke some with DELETE /v1/rules/RULE, or make one rule with patterns in place of several',
  })
}

export function ambiguousTool(rule: CallRule, names: readonly string[]): WaybillError {
  return new WaybillError('CALL_RULE_AMBIGUOUS', {
    fault: 'usage',
    at: '/what',
    message: `several agents have a tool named ${rule.tool}: ${names.join(', ')}`,
    hint: 'approve a call of the right agent with the member "rule"',
  })
}

export function otherCall(rule: CallRule, why: string): WaybillError {
  return new WaybillError('CALL_RULE_OTHER_CALL', {
    fault: 'usage',
    at: '/rule/what',
    message: `the rule "${callRuleText(rule)}" does not cover the call that is approved: ${why}`,
    hint: 'write a rule that covers this call, or approve the call without a rule',
  })
}

export function onlyWithApprove(verdict: string): WaybillError {
  return new WaybillError('APPROVAL_VERDICT_INVALID', {
    fault: 'usage',
    at: '/rule',
    message: `a decision to ${verdict} makes no rule`,
    hint: 'use "rule" with the verdict "approve"; POST /v1/rules makes a rule without a decision',
  })
}
