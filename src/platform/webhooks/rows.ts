import { createHash } from 'node:crypto'
import { WaybillError } from '../../document/issue.ts'
import { type Grants, judgeUrl } from '../../policy/endpoint-gate.ts'
import { originalText, storedText } from '../database/stored-text.ts'
import type { Sql } from '../database/tenant.ts'
import { type DeliveryView, WEBHOOK_EVENTS, type WebhookView } from './webhook.ts'

interface WebhookRow
  extends Omit<
    WebhookView,
    'agent_id' | 'state' | 'deactivated_at' | 'failing_since' | 'delivered_at' | 'created_at'
  > {
  readonly agent_id: string | null
  readonly active: boolean
  readonly stopped_at: Date | null
  readonly failing_since: Date | null
  readonly delivered_at: Date | null
  readonly created_at: Date
}

interface DeliveryRow extends Omit<DeliveryView, 'created_at' | 'attempted_at' | 'next_at'> {
  readonly n: number
  readonly due_at: Date | null
  readonly created_at: Date
  readonly attempted_at: Date | null
}

/** What readers see: neither the salt of the secret nor the key that it is derived from. */
const WEBHOOK = `id, url, events, agent_id, runs, signature, active, why, stopped_at, delivered, failed, failures,
  failing_since, delivered_at, created_at, created_by`
const DELIVERY = `id, n, type, run_id, state, attempts, created_at, attempted_at, due_at, status, error`

export async function webhookRows(
  sql: Sql,
  org: string,
  after: string,
  limit: number,
): Promise<readonly WebhookRow[]> {
  const { rows } = await sql.query<WebhookRow>(
    `SELECT ${WEBHOOK} FROM waybill.webhooks WHERE org = $1 AND id > $2 ORDER BY id LIMIT $3`,
    [org, storedText(after), limit],
  )
  return rows
}

/** @throws WEBHOOK_NOT_FOUND */
export async function readWebhook(sql: Sql, org: string, id: string): Promise<WebhookView> {
  const { rows } = await sql.query<WebhookRow>(
    `SELECT ${WEBHOOK} FROM waybill.webhooks WHERE org = $1 AND id = $2`,
    [org, storedText(id)],
  )
  const [row] = rows
  if (row === undefined) throw webhookNotFound(id)
  return webhookView(row)
}

export function webhookView({ active, stopped_at, agent_id, ...row }: WebhookRow): WebhookView {
  return {
    ...row,
    agent_id: agent_id === null ? null : originalText(agent_id),
    state: active ? 'active' : 'deactivated',
    deactivated_at: timeText(stopped_at),
    failing_since: timeText(row.failing_since),
    delivered_at: timeText(row.delivered_at),
    created_at: row.created_at.toISOString(),
  }
}

/** @param before the number of the last delivery of the previous page; 0: the first page */
export async function deliveryRows(
  sql: Sql,
  org: string,
  webhook: string,
  before: number,
  limit: number,
): Promise<readonly DeliveryRow[]> {
  const { rows } = await sql.query<DeliveryRow>(
    `SELECT ${DELIVERY} FROM waybill.deliveries WHERE org = $1 AND webhook = $2 AND ($3::bigint = 0 OR n < $3)
     ORDER BY n DESC LIMIT $4`,
    [org, storedText(webhook), before, limit],
  )
  return rows
}

/** @throws DELIVERY_NOT_FOUND */
export async function readDelivery(
  sql: Sql,
  org: string,
  webhook: string,
  id: string,
): Promise<DeliveryView> {
  const { rows } = await sql.query<DeliveryRow>(
    `SELECT ${DELIVERY} FROM waybill.deliveries WHERE org = $1 AND webhook = $2 AND id = $3`,
    [org, storedText(webhook), storedText(id)],
  )
  const [row] = rows
  if (row === undefined)
    throw new WaybillError('DELIVERY_NOT_FOUND', {
      fault: 'usage',
      message: `the webhook has no delivery ${JSON.stringify(id.slice(0, 100))}`,
      hint: 'list its deliveries with GET /v1/webhooks/WEBHOOK/deliveries; they are kept for 30 days',
    })
  return deliveryView(row)
}

export function deliveryView({ n: _n, due_at, run_id, ...row }: DeliveryRow): DeliveryView {
  return {
    ...row,
    run_id: run_id === null ? null : originalText(run_id),
    created_at: row.created_at.toISOString(),
    attempted_at: timeText(row.attempted_at),
    next_at: timeText(due_at),
  }
}

/**
 * Checks the text of a URL; its addresses are checked with each attempt.
 * @param at the place of the URL in the request
 * @returns the origin
 * @throws the code of the endpoint gate
 */
export function receiverOf(url: string, grants: Grants, at: string): string {
  const verdict = judgeUrl(url, grants)
  if (verdict.allowed) return verdict.url.origin
  throw new WaybillError(verdict.code, {
    fault: 'refused',
    at,
    rule: verdict.rule,
    message: `webhooks cannot be sent to this URL: ${verdict.reason}`,
    hint: 'the operator names the hosts of webhooks in allow_hosts of the configuration; see the guide to the HTTP API',
  })
}

/** The id of the webhook that runs with this URL share. */
export function idOfUrl(url: string): string {
  return `url_${createHash('sha256').update(url).digest('hex').slice(0, 32)}`
}

export function webhookNotFound(id: string, at?: string): WaybillError {
  return new WaybillError('WEBHOOK_NOT_FOUND', {
    fault: 'usage',
    message: `the organisation has no webhook ${JSON.stringify(id.slice(0, 100))}`,
    hint: 'list the webhooks with GET /v1/webhooks, or add one with POST',
    ...(at !== undefined && { at }),
  })
}

function timeText(time: Date | null): string | null {
  return time?.toISOString() ?? null
}

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
