import { v7 as uuidv7 } from 'uuid'
import { exactText } from '../../document/exact-numbers.ts'
import { WaybillError } from '../../document/issue.ts'
import type { Grants } from '../../policy/endpoint-gate.ts'
import { PAGE_LIMIT, pageOfRows, readKeyCursor, readNumberCursor } from '../../run/record/page-cursor.ts'
import { type Statement, sql } from '../database/sql.ts'
import { storedText } from '../database/stored-text.ts'
import { inOrganisation, type Sql } from '../database/tenant.ts'
import type { OrganisationParts } from '../people/organisation-parts.ts'
import { cancelPending } from './deliveries.ts'
import {
  deliveryRows,
  deliveryView,
  readDelivery,
  readWebhook,
  receiverOf,
  webhookNotFound,
  webhookRows,
  webhookView,
} from './rows.ts'
import { type MessageKeys, newSecretSource, secretText } from './sign-message.ts'
import { type NewWebhook, WEBHOOK_EVENTS, type Webhooks, type WebhookWithSecret } from './webhook.ts'

export interface WebhookParts extends Pick<OrganisationParts, 'app' | 'org' | 'audited'> {
  /** Who changes them. */
  readonly user: string
  readonly keys: MessageKeys
  /** The hosts that messages may be sent to. */
  readonly grants: Grants
}

/** Webhooks of one organisation, without those that runs have named by their URL. */
const MOST = 100

/** How long the previous secret of a webhook signs too. */
const OLD_SECRET = sql`interval '24 hours'`

/** The webhooks of an organisation. */
export function webhooksOf(parts: WebhookParts): Webhooks {
  const { app, org, user, keys, grants, audited } = parts
  const act = <T>(work: (on: Sql) => Promise<T>) => inOrganisation(app, org, work)
  return {
    list: ({ limit = PAGE_LIMIT, cursor }) =>
      act(async (on) => {
        const [after = ''] = cursor === undefined ? [] : readKeyCursor(cursor, 1)
        return pageOfRows(await webhookRows(on, org, after, limit + 1), limit, webhookView, ({ id }) => [id])
      }),

    read: (id) => act((on) => readWebhook(on, org, id)),

    create: (request, id = uuidv7()) =>
      act(async (on) => {
        const { signature = 'v1' } = request
        const receiver = receiverOf(request.url, grants, '/url')
        const source = signature === 'v1' ? newSecretSource(keys) : undefined
        const { rowCount } = await on.query(
          sql`INSERT INTO waybill.webhooks AS w (org, id, ${SETTINGS}, salt, key, created_by)
            SELECT ${org}, ${id}, ${settingsOf(request, receiver)}, ${source?.salt ?? null}, ${source?.key ?? null}, ${user}
            WHERE (SELECT count(*) FROM waybill.webhooks WHERE org = ${org} AND NOT from_run AND id <> ${id}) < ${MOST}
            -- A request that is performed again after a crash: the first secret was never shown.
            ON CONFLICT (org, id) DO UPDATE SET salt = excluded.salt, key = excluded.key`,
        )
        if (rowCount === 0) throw tooMany()
        await audited(on, 'webhook.created', { webhook: id, receiver, ...auditedSettings(request) })
        return withSecret(parts, await readWebhook(on, org, id), source)
      }),

    change: (id, request) =>
      act(async (on) => {
        const { active = true, new_secret = false, signature = 'v1' } = request
        const { hasSecret } = await lockWebhook(on, org, id)
        const receiver = receiverOf(request.url, grants, '/url')
        const source = signature === 'v1' && (new_secret || !hasSecret) ? newSecretSource(keys) : undefined
        await on.query(
          sql`UPDATE waybill.webhooks SET (${SETTINGS}) = ROW(${settingsOf(request, receiver)})
            WHERE org = ${org} AND id = ${storedText(id)}`,
        )
        if (source !== undefined)
          await on.query(
            sql`UPDATE waybill.webhooks SET old_salt = salt, old_key = key, old_until = now() + ${OLD_SECRET},
              salt = ${source.salt}, key = ${source.key} WHERE org = ${org} AND id = ${storedText(id)}`,
          )
        await setActive(on, { org, id, active, user })
        await audited(on, 'webhook.changed', {
          webhook: id,
          receiver,
          active,
          ...(source !== undefined && { new_secret: true }),
          ...auditedSettings(request),
        })
        return withSecret(parts, await readWebhook(on, org, id), source)
      }),

    remove: (id) =>
      act(async (on) => {
        const of = [org, storedText(id)]
        const { rowCount } = await on.query('DELETE FROM waybill.webhooks WHERE org = $1 AND id = $2', of)
        if (rowCount === 0) throw webhookNotFound(id)
        await on.query('DELETE FROM waybill.deliveries WHERE org = $1 AND webhook = $2', of)
        await on.query('DELETE FROM waybill.run_webhooks WHERE org = $1 AND webhook = $2', of)
        await audited(on, 'webhook.removed', { webhook: id })
      }),

    deliveries: (id, { limit = PAGE_LIMIT, cursor }) =>
      act(async (on) => {
        await readWebhook(on, org, id)
        const rows = await deliveryRows(on, org, id, readNumberCursor(cursor), limit + 1)
        return pageOfRows(rows, limit, deliveryView, ({ n }) => [String(n)])
      }),

    replay: (id, delivery) =>
      act(async (on) => {
        await lockActive(on, org, id)
        const before = await readDelivery(on, org, id, delivery)
        // An attempt under way is not repeated beside itself.
        await on.query(
          sql`UPDATE waybill.deliveries SET state = 'pending', base = attempts,
              due_at = CASE WHEN claimed_until > clock_timestamp() THEN due_at ELSE clock_timestamp() END
            WHERE org = ${org} AND webhook = ${storedText(id)} AND id = ${storedText(delivery)}`,
        )
        await audited(on, 'webhook.replayed', { webhook: id, delivery: before.id })
        return readDelivery(on, org, id, delivery)
      }),

    test: (id, key = uuidv7()) =>
      act(async (on) => {
        await lockActive(on, org, id)
        const delivery = `msg_${key}`
        const body = { type: 'webhook.test', timestamp: new Date().toISOString(), data: { webhook: id } }
        await on.query(
          sql`INSERT INTO waybill.deliveries (org, webhook, id, type, body)
            VALUES (${org}, ${storedText(id)}, ${delivery}, ${body.type}, ${exactText(body)}) ON CONFLICT DO NOTHING`,
        )
        return readDelivery(on, org, id, delivery)
      }),
  }
}

const SETTINGS = sql`url, receiver, events, agent_id, runs, signature`

function settingsOf(request: NewWebhook, receiver: string): Statement {
  const { url, events = WEBHOOK_EVENTS, agent_id, runs = 'all', signature = 'v1' } = request
  const agent = agent_id === undefined ? null : storedText(agent_id)
  return sql`${url}, ${receiver}, ${events}, ${agent}, ${runs}, ${signature}`
}

/** The path of a URL may contain a secret, so only its origin is audited. */
function auditedSettings({ events = WEBHOOK_EVENTS, agent_id, runs = 'all', signature = 'v1' }: NewWebhook) {
  return { events: [...events], runs, signature, ...(agent_id !== undefined && { agent_id }) }
}

function withSecret(
  { keys, org }: Pick<WebhookParts, 'keys' | 'org'>,
  view: WebhookWithSecret,
  source: { readonly salt: string; readonly key: string } | undefined,
): WebhookWithSecret {
  if (source === undefined) return view
  return { ...view, secret: secretText(keys, { org, webhook: view.id, ...source }) }
}

/** @throws WEBHOOK_NOT_FOUND */
async function lockWebhook(
  on: Sql,
  org: string,
  id: string,
): Promise<{ readonly active: boolean; readonly hasSecret: boolean }> {
  const { rows } = await on.query<{ active: boolean; hasSecret: boolean }>(
    `SELECT active, salt IS NOT NULL AS "hasSecret" FROM waybill.webhooks
     WHERE org = $1 AND id = $2 FOR NO KEY UPDATE`,
    [org, storedText(id)],
  )
  const [row] = rows
  if (row === undefined) throw webhookNotFound(id)
  return row
}

/** @throws WEBHOOK_NOT_FOUND, WEBHOOK_INACTIVE */
async function lockActive(on: Sql, org: string, id: string): Promise<void> {
  const { active } = await lockWebhook(on, org, id)
  if (!active)
    throw new WaybillError('WEBHOOK_INACTIVE', {
      fault: 'refused',
      message: 'the webhook is deactivated: nothing is sent to it',
      hint: 'read in `why` what stopped it, and activate it again with PUT /v1/webhooks/WEBHOOK',
    })
}

/** A webhook that is activated again begins without failures. */
async function setActive(
  on: Sql,
  {
    org,
    id,
    active,
    user,
  }: { readonly org: string; readonly id: string; readonly active: boolean; readonly user: string },
): Promise<void> {
  const of = [org, storedText(id)]
  if (active) {
    await on.query(
      `UPDATE waybill.webhooks SET active = true, why = NULL, stopped_at = NULL, failures = 0, failing_since = NULL
       WHERE org = $1 AND id = $2 AND NOT active`,
      of,
    )
    return
  }
  const { rowCount } = await on.query(
    `UPDATE waybill.webhooks SET active = false, why = $3, stopped_at = clock_timestamp()
     WHERE org = $1 AND id = $2 AND active`,
    [...of, `deactivated by ${user}`],
  )
  if (rowCount === 1) await cancelPending(on, org, storedText(id))
}

function tooMany(): WaybillError {
  return new WaybillError('WEBHOOK_LIMIT', {
    fault: 'refused',
    message: `the organisation has ${MOST} webhooks, which is the limit`,
    hint: 'remove one that is not used; one webhook can receive the events of all agents',
  })
}
