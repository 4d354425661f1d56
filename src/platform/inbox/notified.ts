import { storedText } from '../database/stored-text.ts'
import type { Sql } from '../database/tenant.ts'
import type { Notified } from './approval.ts'
import { deliveryId } from './notify.ts'
import type { StoredQuestion } from './question-rows.ts'

interface Row {
  readonly to: string
  readonly slot: string
  readonly created_at: Date
  readonly attempted_at: Date | null
  readonly state: Notified['state']
  readonly attempts: number
  readonly error: string | null
}

/** Returns the notifications about a question, oldest first. Those to webhooks are kept as long as their deliveries. */
export async function notifiedOf(sql: Sql, question: StoredQuestion): Promise<readonly Notified[]> {
  const { org, id } = question
  const sent = messagesOf(question)
  const { rows } = await sql.query<Row>(
    `SELECT recipient AS to, slot, created_at, attempted_at, state, attempts, error FROM waybill.mails
       WHERE org = $1 AND question = $2
     UNION ALL
     SELECT 'webhook ' || d.webhook, s.slot, d.created_at, d.attempted_at,
       CASE d.state WHEN 'delivered' THEN 'sent' ELSE d.state END, d.attempts, coalesce(d.error, 'HTTP ' || nullif(d.status, 200))
       FROM unnest($3::text[], $4::text[], $5::text[]) AS s(webhook, id, slot)
       JOIN waybill.deliveries AS d ON d.org = $1 AND d.webhook = s.webhook AND d.id = s.id
     ORDER BY created_at, slot, "to"`,
    [
      org,
      storedText(id),
      sent.map(({ webhook }) => webhook),
      sent.map((one) => one.id),
      sent.map(({ slot }) => slot),
    ],
  )
  return rows.map(({ created_at, attempted_at, ...row }) => ({
    ...row,
    at: (attempted_at ?? created_at).toISOString(),
  }))
}

/** Returns the messages to the webhooks that the policy names. */
function messagesOf({ org, id, settings, reminded, escalated_at, expired_at }: StoredQuestion) {
  const { notify, escalate } = settings ?? {}
  const usual = [
    'opened',
    ...Array.from({ length: reminded }, (_, index) => `reminded ${index + 1}`),
    ...(expired_at === null ? [] : ['expired']),
  ]
  const each = (webhooks: readonly string[] = [], slots: readonly string[]) =>
    webhooks.flatMap((webhook) =>
      slots.map((slot) => ({ webhook: storedText(webhook), id: deliveryId(org, webhook, id, slot), slot })),
    )
  return [
    ...each(notify?.webhooks, usual),
    ...each(escalate?.notify.webhooks, escalated_at === null ? [] : ['escalated']),
  ]
}
