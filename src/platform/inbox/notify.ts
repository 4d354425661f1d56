import { createHash } from 'node:crypto'
import { defined } from '../../document/defined.ts'
import { exactText } from '../../document/exact-numbers.ts'
import type { JsonObject } from '../../document/json.ts'
import { sql } from '../database/sql.ts'
import { originalText, storedText } from '../database/stored-text.ts'
import type { Sql } from '../database/tenant.ts'
import type { Notify } from '../policies/policy.ts'
import { decideCommands } from './decide-command.ts'
import { type MailKind, mailBody, mailSubject } from './mail-text.ts'
import type { StoredQuestion } from './question-rows.ts'

/** Mails that one notification sends at most. */
const MOST_RECIPIENTS = 100

/** Mails of one organisation in a day: the mail server is the operator's, and a policy may name any address. */
const MOST_A_DAY = 2000

export interface NotifyParts {
  readonly org: string
  readonly publicUrl?: string | undefined
}

/**
 * Stores a notification about a question for its receivers, in the transaction of its cause.
 * @param slot names the notification: each receiver gets it once
 */
export async function notify(
  on: Sql,
  { org, publicUrl }: NotifyParts,
  question: StoredQuestion,
  slot: string,
  receivers: Notify,
): Promise<void> {
  const kind = slot.split(' ')[0] as MailKind
  const recipients = await recipientsOf(on, org, receivers)
  const named = receivers.webhooks ?? []
  const all = [...recipients, ...named.map((id) => `webhook ${id}`)]
  for (const to of recipients) {
    const others = all.filter((other) => other !== to)
    const about = { question, kind, ...defined({ url: publicUrl }) }
    await storeMail(on, question, {
      slot,
      to,
      subject: mailSubject(about),
      body: mailBody({ ...about, others }),
    })
  }
  await announce(on, {
    org,
    question,
    slot,
    kind,
    webhooks: named,
    data: await dataOf(on, question, publicUrl),
  })
}

/** Stores a mail, or that the organisation has sent as many as it may in a day. */
async function storeMail(
  on: Sql,
  { org, id, run_id }: StoredQuestion,
  {
    slot,
    to,
    subject,
    body,
  }: { readonly slot: string; readonly to: string; readonly subject: string; readonly body: string },
): Promise<void> {
  await on.query(
    sql`INSERT INTO waybill.mails (org, question, run_id, slot, recipient, subject, body, state, error, due_at)
     SELECT ${org}, ${storedText(id)}, ${run_id}, ${slot}, ${to}, ${subject}, CASE WHEN NOT full_now THEN ${body} END,
       CASE WHEN full_now THEN 'failed' ELSE 'pending' END,
       CASE WHEN full_now THEN 'MAIL_LIMIT' END, CASE WHEN NOT full_now THEN clock_timestamp() END
     FROM (SELECT count(*) >= ${MOST_A_DAY} AS full_now FROM waybill.mails
       WHERE org = ${org} AND created_at > clock_timestamp() - interval '24 hours'
         AND error IS DISTINCT FROM 'MAIL_LIMIT') AS today
     ON CONFLICT DO NOTHING`,
  )
}

/** Returns the addresses of receivers: those that members have now. */
async function recipientsOf(
  on: Sql,
  org: string,
  { mail = [], teams = [], members = [] }: Notify,
): Promise<readonly string[]> {
  const { rows } = await on.query<{ mail: string }>(
    `SELECT DISTINCT m.mail FROM waybill.members AS m
     WHERE m.org = $1 AND m.removed_at IS NULL AND m.mail IS NOT NULL AND (m.user_id = ANY ($2) OR EXISTS (
       SELECT FROM waybill.team_members AS t WHERE t.org = $1 AND t.team = ANY ($3) AND t.user_id = m.user_id))
     ORDER BY m.mail`,
    [org, members.map(storedText), teams],
  )
  const known = new Map([...mail, ...rows.map((row) => row.mail)].map((to) => [to.toLowerCase(), to]))
  return [...known.values()].slice(0, MOST_RECIPIENTS)
}

interface Announcement {
  readonly org: string
  readonly question: StoredQuestion
  readonly slot: string
  readonly kind: MailKind
  readonly webhooks: readonly string[]
  readonly data: JsonObject
}

/**
 * Stores the messages to webhooks: to those that the policy names, and, except for `question.opened`, which the change of
 * the run announces, to those that want such events. The id of a message is that of `waybill.announce`, so nothing is sent
 * twice.
 */
async function announce(on: Sql, { org, question, slot, kind, webhooks, data }: Announcement): Promise<void> {
  const type = `question.${kind}`
  const body = exactText({ type, timestamp: new Date().toISOString(), data })
  for (const webhook of webhooks)
    await on.query(
      sql`INSERT INTO waybill.deliveries (org, webhook, id, type, run_id, body)
       SELECT ${org}, id, ${deliveryId(org, webhook, question.id, slot)}, ${type}, ${question.run_id}, ${body}
       FROM waybill.webhooks WHERE org = ${org} AND id = ${storedText(webhook)} AND active ON CONFLICT DO NOTHING`,
    )
  if (kind === 'opened') return
  const key = keyOf(question.id, slot)
  await on.query(
    sql`SELECT waybill.announce(${org}, ${type}, ${key}, ${question.run_id}, coalesce(root, run_id), ${question.agent_id},
         ${JSON.stringify(data)}::json)
       FROM waybill.runs WHERE org = ${org} AND run_id = ${question.run_id}`,
  )
}

function keyOf(question: string, slot: string): string {
  return `${storedText(question)} ${slot}`
}

/** Returns the id of the message to a webhook about a question, as `waybill.announce` makes it. */
export function deliveryId(org: string, webhook: string, question: string, slot: string): string {
  const text = `${org} ${storedText(webhook)} ${keyOf(question, slot)}`
  return `msg_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`
}

/** What messages to webhooks say: no content of the call. */
async function dataOf(on: Sql, question: StoredQuestion, url: string | undefined): Promise<JsonObject> {
  const { org, run_id, agent_id, view, policy, rehearsal, expires_at } = question
  const { rows } = await on.query<{ root: string; user_id: string | null; session: string | null }>(
    'SELECT coalesce(root, run_id) AS root, user_id, session FROM waybill.runs WHERE org = $1 AND run_id = $2',
    [org, run_id],
  )
  const [run] = rows
  const original = (text: string | null | undefined) => (text == null ? null : originalText(text))
  return {
    run_id: originalText(run_id),
    root_run_id: original(run?.root),
    agent_id: originalText(agent_id),
    user: original(run?.user_id),
    session: original(run?.session),
    rehearsal,
    question: {
      id: question.id,
      asks: view.asks,
      agent_name: view.agent_name,
      tool: view.tool,
      policy,
      opened_at: question.opened_at.toISOString(),
      expires_at: expires_at?.toISOString() ?? null,
      digest: view.digest,
      command: decideCommands(view, url)[0] ?? '',
    },
  }
}
