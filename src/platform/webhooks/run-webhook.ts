import type { Grants } from '../../policy/endpoint-gate.ts'
import { storedText } from '../database/stored-text.ts'
import type { Sql } from '../database/tenant.ts'
import { WEBHOOK_EVENTS } from './webhook.ts'
import { idOfUrl, receiverOf, webhookNotFound } from './webhook-rows.ts'

export interface NamedWebhook {
  readonly org: string
  /** Who starts the run. */
  readonly user: string
  /** The id of a webhook of the organisation, or a URL. */
  readonly webhook: string
  readonly grants: Grants
}

/**
 * Returns the id of the webhook that a run names. A URL becomes a webhook for all runs that name it, signed with the key
 * of the installation: there is no answer that could show its secret.
 * @throws WEBHOOK_NOT_FOUND; the codes of the endpoint gate
 */
export async function findWebhook(sql: Sql, { org, user, webhook, grants }: NamedWebhook): Promise<string> {
  if (!/^https?:/i.test(webhook)) {
    const { rowCount } = await sql.query('SELECT FROM waybill.webhooks WHERE org = $1 AND id = $2', [
      org,
      storedText(webhook),
    ])
    if (rowCount === 0) throw webhookNotFound(webhook, '/webhook')
    return webhook
  }
  const receiver = receiverOf(webhook, grants, '/webhook')
  const id = idOfUrl(webhook)
  await sql.query(
    `INSERT INTO waybill.webhooks (org, id, url, receiver, events, runs, signature, from_run, created_by)
     VALUES ($1, $2, $3, $4, $5, 'named', 'v1a', true, $6) ON CONFLICT DO NOTHING`,
    [org, id, webhook, receiver, WEBHOOK_EVENTS, user],
  )
  return id
}

/** Notes that the changes of a run are sent to a webhook. */
export async function nameWebhook(sql: Sql, org: string, runId: string, webhook: string): Promise<void> {
  await sql.query(
    'INSERT INTO waybill.run_webhooks (org, run_id, webhook) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
    [org, storedText(runId), storedText(webhook)],
  )
}

/** Returns the webhook that a run has named; undefined also if it was removed. */
export async function webhookOfRun(sql: Sql, org: string, runId: string): Promise<string | undefined> {
  const { rows } = await sql.query<{ webhook: string }>(
    'SELECT webhook FROM waybill.run_webhooks WHERE org = $1 AND run_id = $2 ORDER BY webhook LIMIT 1',
    [org, storedText(runId)],
  )
  return rows[0]?.webhook
}
