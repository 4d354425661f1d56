import type pg from 'pg'
import { WaybillError } from '../../document/issue.ts'
import type { CallOfRule } from '../../policy/approval/standing-rules.ts'
import type { Grant } from '../../run/record/grant.ts'
import { originalText, storedText } from '../database/stored-text.ts'
import { inOrganisation, type Sql } from '../database/tenant.ts'
import type { Asked } from './match-policy.ts'
import type { PolicyView } from './policy.ts'
import { policyFor } from './policy-rows.ts'
import { startersOf } from './starters-of.ts'

type Policy = Pick<PolicyView, 'name' | 'approvals_needed' | 'starter_may_decide'>

type RuleMaker = Pick<Grant, 'by' | 'token_makers' | 'token_made_at'>

interface Row {
  readonly settings: string | null
  readonly starters: readonly string[]
}

/**
 * Returns why a rule does not decide a call, or undefined if it may: a rule stands for one approval of its maker. An open
 * question has the policy that it opened with; a call that has no question yet has the one that matches now.
 * @param rule who has made it
 */
export async function heldByPolicy(
  sql: Sql,
  org: string,
  rule: RuleMaker,
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
  const members = needsStarters ? await membersBehind(sql, org, rule, run_id) : [rule.by]
  return whyHeld(policy, members, starters.map(originalText))
}

/** Returns who has made a rule, and who had made the token for it after the run had begun. */
export async function membersBehind(
  sql: Sql,
  org: string,
  { by, token_makers, token_made_at }: RuleMaker,
  runId: string,
): Promise<readonly string[]> {
  if (token_makers === undefined || token_made_at === undefined) return [by]
  const isLater = await isBegunBefore(sql, org, storedText(runId), token_made_at)
  return isLater ? [by, ...token_makers] : [by]
}

/** Returns whether a run, or the one that it belongs to, had begun at a moment. @param at RFC 3339 */
export async function isBegunBefore(
  sql: Sql,
  org: string,
  storedRunId: string,
  at: string,
): Promise<boolean> {
  const { rowCount } = await sql.query(
    `SELECT FROM waybill.runs AS r JOIN waybill.runs AS t ON t.org = r.org AND t.run_id = coalesce(r.root, r.run_id)
     WHERE r.org = $1 AND r.run_id = $2 AND t.created_at < $3`,
    [org, storedRunId, Date.parse(at)],
  )
  return rowCount === 1
}

/** Returns why a policy does not let a rule decide a call, or undefined if it does. */
export function whyHeld(
  { name, approvals_needed, starter_may_decide }: Policy,
  members: readonly string[],
  starters: readonly string[],
): string | undefined {
  if (approvals_needed > 1) return `the approval policy ${name} needs ${approvals_needed} approvals`
  const causer = members.find((member) => starters.includes(member))
  if (!starter_may_decide && causer !== undefined)
    return `${causer} has caused this call, and the approval policy ${name} lets only others decide`
  return undefined
}

/** What the approval policies of an organisation say about rules. */
export interface RulePolicies {
  /** Returns why a rule of this person does not decide a call. */
  held(rule: RuleMaker, call: CallOfRule): Promise<string | undefined>
  /** Refuses a rule that would never decide while the policies are as they are now. @throws RULE_HELD_BY_POLICY */
  assertDecides(asked: Asked): Promise<void>
}

export function rulePoliciesOf({ app, org }: { readonly app: pg.Pool; readonly org: string }): RulePolicies {
  return {
    held: (rule, call) => inOrganisation(app, org, (sql) => heldByPolicy(sql, org, rule, call)),
    async assertDecides(asked) {
      const policy = await inOrganisation(app, org, (sql) => policyFor(sql, org, asked))
      const why = policy && whyHeld({ ...policy, starter_may_decide: true }, [], [])
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
