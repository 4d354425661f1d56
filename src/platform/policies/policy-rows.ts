import { WaybillError } from '../../document/issue.ts'
import { storedText } from '../database/stored-text.ts'
import type { Sql } from '../database/tenant.ts'
import { type Asked, matches } from './match-policy.ts'
import type { NewPolicy, PolicyView } from './policy.ts'

/** Policies of one organisation. All of them are read when a question opens. */
export const MOST_POLICIES = 100

export const DEFAULT_ORDER = 100

export interface PolicyRow {
  readonly name: string
  readonly place: number
  readonly body: string
  readonly changed_at: Date
  readonly changed_by: string
}

/** Returns all policies, in the order in which they are tried. */
export async function policyRows(sql: Sql, org: string): Promise<readonly PolicyRow[]> {
  const { rows } = await sql.query<PolicyRow>(
    `SELECT name, place, body, changed_at, changed_by FROM waybill.approval_policies WHERE org = $1 ORDER BY place, name`,
    [org],
  )
  return rows
}

/** @throws POLICY_NOT_FOUND */
export async function readPolicy(sql: Sql, org: string, name: string): Promise<PolicyView> {
  const { rows } = await sql.query<PolicyRow>(
    `SELECT name, place, body, changed_at, changed_by FROM waybill.approval_policies WHERE org = $1 AND name = $2`,
    [org, storedText(name)],
  )
  const [row] = rows
  if (row === undefined) throw policyNotFound(name)
  return policyView(row)
}

/** Returns the policy of a new question. */
export async function policyFor(sql: Sql, org: string, asked: Asked): Promise<PolicyView | undefined> {
  return (await policyRows(sql, org)).map(policyView).find((policy) => matches(policy, asked))
}

export function policyView({ name, body, changed_at, changed_by }: PolicyRow): PolicyView {
  return {
    name,
    order: DEFAULT_ORDER,
    match: {},
    notify: {},
    approvals_needed: 1,
    starter_may_decide: true,
    ...(JSON.parse(body) as NewPolicy),
    changed_at: changed_at.toISOString(),
    changed_by,
  }
}

export function policyNotFound(name: string): WaybillError {
  return new WaybillError('POLICY_NOT_FOUND', {
    fault: 'usage',
    message: `the organisation has no approval policy ${JSON.stringify(name.slice(0, 100))}`,
    hint: 'list the policies with GET /v1/approval-policies, or add one with PUT',
  })
}
