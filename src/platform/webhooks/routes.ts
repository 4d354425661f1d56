import { ADMINS, READERS, routesOf } from '../../http/route.ts'
import { PAGE, pageOf, removed } from '../../http/schema.ts'
import {
  changedWebhook,
  deliveryView,
  newWebhook,
  type Webhooks,
  type WebhookWithSecret,
  webhookView,
  webhookWithSecret,
} from './webhook.ts'

const route = routesOf<{ readonly webhooks: Webhooks }>()

const listWebhooks = route({
  method: 'GET',
  path: '/v1/webhooks',
  name: 'listWebhooks',
  summary: 'Lists the webhooks of the organisation.',
  tag: 'webhooks',
  access: READERS,
  query: PAGE,
  answers: { 200: { description: 'A page of webhooks.', schema: pageOf(webhookView) } },
  handle: async ({ tenant, query }) => ({ status: 200, json: await tenant.webhooks.list(query) }),
})

const createWebhook = route({
  method: 'POST',
  path: '/v1/webhooks',
  name: 'createWebhook',
  summary: 'Creates a webhook. Its secret is shown once; a repeated request does not show it again.',
  tag: 'webhooks',
  access: ADMINS,
  body: { kind: 'json', schema: newWebhook },
  answers: { 201: { description: 'The webhook.', schema: webhookWithSecret } },
  async handle({ tenant, body, resourceId }) {
    const created = await tenant.webhooks.create(body, resourceId)
    return { status: 201, json: created, kept: withoutSecret(created) }
  },
})

const readWebhook = route({
  method: 'GET',
  path: '/v1/webhooks/{webhook}',
  name: 'readWebhook',
  summary: 'Returns a webhook, and how its receiver answers.',
  tag: 'webhooks',
  access: READERS,
  answers: { 200: { description: 'The webhook.', schema: webhookView } },
  handle: async ({ tenant, params }) => ({ status: 200, json: await tenant.webhooks.read(params.webhook) }),
})

const changeWebhook = route({
  method: 'PUT',
  path: '/v1/webhooks/{webhook}',
  name: 'changeWebhook',
  summary: 'Replaces the settings of a webhook; activates it again, or deactivates it.',
  tag: 'webhooks',
  access: ADMINS,
  body: { kind: 'json', schema: changedWebhook },
  answers: { 200: { description: 'The webhook.', schema: webhookWithSecret } },
  handle: async ({ tenant, params, body }) => ({
    status: 200,
    json: await tenant.webhooks.change(params.webhook, body),
  }),
})

const removeWebhook = route({
  method: 'DELETE',
  path: '/v1/webhooks/{webhook}',
  name: 'removeWebhook',
  summary: 'Removes a webhook and the log of its deliveries.',
  tag: 'webhooks',
  access: ADMINS,
  answers: { 200: { description: 'How many were removed.', schema: removed } },
  async handle({ tenant, params }) {
    await tenant.webhooks.remove(params.webhook)
    return { status: 200, json: { removed: 1 } }
  },
})

const listDeliveries = route({
  method: 'GET',
  path: '/v1/webhooks/{webhook}/deliveries',
  name: 'listDeliveries',
  summary: 'Lists what was sent and what waits, newest first. Kept for 30 days.',
  tag: 'webhooks',
  access: READERS,
  query: PAGE,
  answers: { 200: { description: 'A page of deliveries.', schema: pageOf(deliveryView) } },
  handle: async ({ tenant, params, query }) => ({
    status: 200,
    json: await tenant.webhooks.deliveries(params.webhook, query),
  }),
})

const replayDelivery = route({
  method: 'POST',
  path: '/v1/webhooks/{webhook}/deliveries/{delivery}/replay',
  name: 'replayDelivery',
  summary: 'Sends a message again, with the same id and body.',
  tag: 'webhooks',
  access: ADMINS,
  failures: [409],
  answers: { 202: { description: 'It will be sent.', schema: deliveryView } },
  handle: async ({ tenant, params }) => ({
    status: 202,
    json: await tenant.webhooks.replay(params.webhook, params.delivery),
  }),
})

const testWebhook = route({
  method: 'POST',
  path: '/v1/webhooks/{webhook}/test',
  name: 'testWebhook',
  summary: 'Sends an event of the type `webhook.test`.',
  tag: 'webhooks',
  access: ADMINS,
  failures: [409],
  answers: { 202: { description: 'It will be sent.', schema: deliveryView } },
  handle: async ({ tenant, params, resourceId }) => ({
    status: 202,
    json: await tenant.webhooks.test(params.webhook, resourceId),
  }),
})

/** Who is notified of changes, and what was sent. */
export const WEBHOOK_ROUTES = [
  listWebhooks,
  createWebhook,
  readWebhook,
  changeWebhook,
  removeWebhook,
  listDeliveries,
  replayDelivery,
  testWebhook,
]

function withoutSecret({ secret: _secret, ...kept }: WebhookWithSecret) {
  return kept
}
