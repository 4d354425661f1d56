import { ADMINS, param, READERS, type Route } from '../../http/route.ts'
import { PAGE, pageOf } from '../../http/schema.ts'
import type { Tenant } from '../../platform/platform.ts'
import type { NewWebhook, WebhookChange, WebhookWithSecret } from '../../platform/webhooks/webhook.ts'
import { removed } from '../schemas/record-schemas.ts'
import {
  changedWebhook,
  deliveryView,
  newWebhook,
  webhookView,
  webhookWithSecret,
} from '../schemas/webhook-schemas.ts'

/** Who is notified of changes, and what was sent. */
export const WEBHOOK_ROUTES: readonly Route<Tenant>[] = [
  {
    method: 'GET',
    path: '/v1/webhooks',
    name: 'listWebhooks',
    summary: 'Lists the webhooks of the organisation.',
    tag: 'webhooks',
    access: READERS,
    query: PAGE,
    answers: { 200: { description: 'A page of webhooks.', schema: pageOf(webhookView) } },
    handle: async ({ tenant, query }) => ({ status: 200, json: await tenant.webhooks.list(query) }),
  },
  {
    method: 'POST',
    path: '/v1/webhooks',
    name: 'createWebhook',
    summary: 'Creates a webhook. Its secret is shown once; a repeated request does not show it again.',
    tag: 'webhooks',
    access: ADMINS,
    body: { kind: 'json', schema: newWebhook },
    answers: { 201: { description: 'The webhook.', schema: webhookWithSecret } },
    async handle({ tenant, body, resourceId }) {
      const created = await tenant.webhooks.create(body as unknown as NewWebhook, resourceId)
      return { status: 201, json: created, kept: withoutSecret(created) }
    },
  },
  {
    method: 'GET',
    path: '/v1/webhooks/{webhook}',
    name: 'readWebhook',
    summary: 'Returns a webhook, and how its receiver answers.',
    tag: 'webhooks',
    access: READERS,
    answers: { 200: { description: 'The webhook.', schema: webhookView } },
    handle: async (call) => ({ status: 200, json: await call.tenant.webhooks.read(param(call, 'webhook')) }),
  },
  {
    method: 'PUT',
    path: '/v1/webhooks/{webhook}',
    name: 'changeWebhook',
    summary: 'Replaces the settings of a webhook; activates it again, or deactivates it.',
    tag: 'webhooks',
    access: ADMINS,
    body: { kind: 'json', schema: changedWebhook },
    answers: { 200: { description: 'The webhook.', schema: webhookWithSecret } },
    async handle(call) {
      const change = call.body as unknown as WebhookChange
      return { status: 200, json: await call.tenant.webhooks.change(param(call, 'webhook'), change) }
    },
  },
  {
    method: 'DELETE',
    path: '/v1/webhooks/{webhook}',
    name: 'removeWebhook',
    summary: 'Removes a webhook and the log of its deliveries.',
    tag: 'webhooks',
    access: ADMINS,
    answers: { 200: { description: 'How many were removed.', schema: removed } },
    async handle(call) {
      await call.tenant.webhooks.remove(param(call, 'webhook'))
      return { status: 200, json: { removed: 1 } }
    },
  },
  {
    method: 'GET',
    path: '/v1/webhooks/{webhook}/deliveries',
    name: 'listDeliveries',
    summary: 'Lists what was sent and what waits, newest first. Kept for 30 days.',
    tag: 'webhooks',
    access: READERS,
    query: PAGE,
    answers: { 200: { description: 'A page of deliveries.', schema: pageOf(deliveryView) } },
    handle: async (call) => ({
      status: 200,
      json: await call.tenant.webhooks.deliveries(param(call, 'webhook'), call.query),
    }),
  },
  {
    method: 'POST',
    path: '/v1/webhooks/{webhook}/deliveries/{delivery}/replay',
    name: 'replayDelivery',
    summary: 'Sends a message again, with the same id and body.',
    tag: 'webhooks',
    access: ADMINS,
    failures: [409],
    answers: { 202: { description: 'It will be sent.', schema: deliveryView } },
    handle: async (call) => ({
      status: 202,
      json: await call.tenant.webhooks.replay(param(call, 'webhook'), param(call, 'delivery')),
    }),
  },
  {
    method: 'POST',
    path: '/v1/webhooks/{webhook}/test',
    name: 'testWebhook',
    summary: 'Sends an event of the type `webhook.test`.',
    tag: 'webhooks',
    access: ADMINS,
    failures: [409],
    answers: { 202: { description: 'It will be sent.', schema: deliveryView } },
    handle: async (call) => ({
      status: 202,
      json: await call.tenant.webhooks.test(param(call, 'webhook'), call.resourceId),
    }),
  },
]

function withoutSecret({ secret: _secret, ...kept }: WebhookWithSecret) {
  return kept
}
