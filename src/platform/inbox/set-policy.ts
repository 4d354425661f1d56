import { WaybillError } from '../../document/issue.ts'
import { sql } from '../database/sql.ts'
import { storedText } from '../database/stored-text.ts'
import type { Sql } from '../database/tenant.ts'
import { memberNotFound } from '../people/organisation-parts.ts'
import { teamNotFound } from '../people/people.ts'
import type { NewPolicy, Notify } from '../policies/policy.ts'
import { DEFAULT_ORDER, MOST_POLICIES } from '../policies/policy-rows.ts'
import { webhookNotFound } from '../webhooks/rows.ts'

export interface StoredPolicy {
  readonly org: string
  readonly name: string
  readonly policy: NewPolicy
  readonly by: string
  /** Whether the operator has configured a mail server. */
  readonly mails: boolean
}

/** Stores a policy. @throws the errors of {@link Inbox.setPolicy} */
export async function storePolicy(on: Sql, { org, name, policy, by, mails }: StoredPolicy): Promise<void> {
  assertTimes(policy)
  await assertReceivers(on, org, policy.notify, '/notify', mails)
  await assertReceivers(on, org, policy.escalate?.notify, '/escalate/notify', mails)
  // One at a time, so that two do not both find a free place.
  await on.query('SELECT FROM waybill.organisations WHERE org = $1 FOR NO KEY UPDATE', [org])
  const place = policy.order ?? DEFAULT_ORDER
  const { rowCount } = await on.query(
    sql`INSERT INTO waybill.approval_policies AS p (org, name, place, body, changed_by)
     SELECT ${org}, ${name}, ${place}, ${JSON.stringify(policy)}, ${by}
     WHERE (SELECT count(*) FROM waybill.approval_policies WHERE org = ${org} AND name <> ${name}) < ${MOST_POLICIES}
     ON CONFLICT (org, name) DO UPDATE SET place = excluded.place, body = excluded.body, changed_by = excluded.changed_by,
       changed_at = now()`,
  )
  if (rowCount === 0)
    throw new WaybillError('POLICY_LIMIT', {
      fault: 'refused',
      message: `the organisation has ${MOST_POLICIES} approval policies, which is the limit`,
      hint: 'remove one that is not used; one policy can match several tools with `*`',
    })
}

function assertTimes(policy: NewPolicy): void {
  const { remind_after_seconds: remind, remind_every_seconds: every, escalate, expire } = policy
  if (every !== undefined && remind === undefined)
    throw invalid('/remind_every_seconds', 'needs remind_after_seconds, the time of the first reminder')
  const end = expire?.after_seconds ?? Number.POSITIVE_INFINITY
  if (remind !== undefined && remind >= end)
    throw invalid('/remind_after_seconds', 'is not before the question expires')
  if (escalate !== undefined && escalate.after_seconds >= end)
    throw invalid('/escalate/after_seconds', 'is not before the question expires')
}

/** A name that cannot be reached would be noticed only when a question waits. */
async function assertReceivers(
  on: Sql,
  org: string,
  notify: Notify = {},
  at: string,
  mails: boolean,
): Promise<void> {
  const { mail = [], teams = [], members = [], webhooks = [] } = notify
  if (!mails && mail.length + teams.length + members.length > 0) throw mailNotConfigured(at)
  for (const [index, user] of members.entries()) {
    const { rows } = await on.query<{ mail: string | null }>(
      'SELECT mail FROM waybill.members WHERE org = $1 AND user_id = $2 AND removed_at IS NULL',
      [org, storedText(user)],
    )
    const [found] = rows
    if (found === undefined) throw memberNotFound(user)
    if (found.mail === null) throw withoutMail(user, `${at}/members/${index}`)
  }
  for (const team of teams) {
    const { rowCount } = await on.query('SELECT FROM waybill.teams WHERE org = $1 AND team = $2', [org, team])
    if (rowCount === 0) throw teamNotFound(team)
  }
  for (const [index, id] of webhooks.entries()) {
    const { rowCount } = await on.query('SELECT FROM waybill.webhooks WHERE org = $1 AND id = $2', [
      org,
      storedText(id),
    ])
    if (rowCount === 0) throw webhookNotFound(id, `${at}/webhooks/${index}`)
  }
}

function invalid(at: string, why: string): WaybillError {
  return new WaybillError('REQUEST_INVALID', {
    fault: 'usage',
    at,
    message: `${at.slice(1)} ${why}`,
    hint: 'see docs/guides/inbox.md',
  })
}

function mailNotConfigured(at: string): WaybillError {
  return new WaybillError('MAIL_NOT_CONFIGURED', {
    fault: 'refused',
    at,
    message: 'the operator has not configured a mail server, so no mail can be sent',
    hint: 'notify webhooks only, or let the operator set `mail` in the configuration',
  })
}

function withoutMail(user: string, at: string): WaybillError {
  return new WaybillError('MEMBER_WITHOUT_MAIL', {
    fault: 'usage',
    at,
    message: `the member ${JSON.stringify(user.slice(0, 200))} has no mail address`,
    hint: 'set it with `mail` in POST /v1/organisations/ORG/members',
  })
}
