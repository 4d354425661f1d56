import { WaybillError } from '../../document/issue.ts'
import type { CallOfRule } from '../../policy/approval/standing-rules.ts'
import { inOrganisation, type Sql } from '../database/tenant.ts'
import type { PolicyView } from '../inbox/inbox.ts'
import type { Asked } from '../inbox/match-policy.ts'
import { policyFor } from '../inbox/policy-rows.ts'
import { startersOf } from '../inbox/starters-of.ts'
import type { OrganisationParts } from '../people/organisation-parts.ts'
import { originalText, storedText } from '../records/stored-text.ts'

type Policy = Pick<PolicyView, 'name' | 'approvals_needed' | 'starter_may_decide'>

interface Row {
  readonly settings: string | null
  readonly starters: readonly string[]
}

/**
 * Returns why a rule does not decide a call, or undefined if it may: a rule stands for one approval of its maker. An open
 * question has the policy that it opened with; a call that has no question yet has the one that matches now.
 * @param by who has made the rule
 */
export async function heldByPolicy(
  sql: Sql,
  org: string,
  by: string,
  { run_id, key, ...asked }: CallOfRule,
): Promise<string | undefined> {
  const { rows } = await sql.query<Row>(
    `SELECT settings, starters FROM waybill.questions WHERE org = $1 AND run_id = $2 AND key = $3 AND closed_at IS NULL
     ORDER BY asked DESC LIMIT 1`,
    [org, storedText(run_id), storedText(key)],
  )
  const [opened] = rows
  const policy =
    opened === undefined
      ? await policyFor(sql, org, asked)
      : (JSON.parse(opened.settings ?? 'null') as Policy | null)
  if (policy === null || policy === undefined) return undefined
  const needsStarters = policy.approvals_needed <= 1 && !policy.starter_may_decide
  const starters = needsStarters ? (opened?.starters ?? (await startersOf(sql, org, storedText(run_id)))) : []
  return whyHeld(policy, by, starters.map(originalText))
}

/** Returns why a policy does not let a rule decide a call, or undefined if it does. */
export function whyHeld(
  { name, approvals_needed, starter_may_decide }: Policy,
  by: string,
  starters: readonly string[],
): string | undefined {
  if (approvals_needed > 1) return `the approval policy ${name} needs ${approvals_needed} approvals`
  if (!starter_may_decide && starters.includes(by))
    return `${by} has caused this call, and the approval policy ${name} lets only others decide`
  return undefined
}

/** What the approval policies of an organisation say about rules. */
export interface RulePolicies {
  /** Returns why a rule of this person does not decide a call. */
  held(by: string, call: CallOfRule): Promise<string | undefined>
  /** Refuses a rule that would never decide while the policies are as they are now. @throws RULE_HELD_BY_POLICY */
  assertDecides(asked: Asked): Promise<void>
}

export function rulePoliciesOf({ app, org }: Pick<OrganisationParts, 'app' | 'org'>): RulePolicies {
  return {
    held: (by, call) => inOrganisation(app, org, (sql) => heldByPolicy(sql, org, by, call)),
    async assertDecides(asked) {
      const policy = await inOrganisation(app, org, (sql) => policyFor(sql, org, asked))
      const why = policy && whyHeld({ ...policy, starter_may_decide: true }, '', [])
      if (why !== undefined) throw ruleHeld(why)
    },
  }
}

/** @param why as {@link whyHeld} returns it */
export function ruleHeld(why: string): WaybillError {
  return new WaybillError('RULE_HELD_BY_POLICY', {
    fault: 'refused',
    message: `a standing rule cannot decide: ${why}`,
    hint: 'decide each call, or let an admin change the policy; GET /v1/approval-policies lists the policies',
  })
}
