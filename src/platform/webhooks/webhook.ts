import {
  answer,
  flag,
  id,
  integer,
  list,
  moment,
  namesOf,
  nullable,
  oneOf,
  request,
  ruled,
  type Typed,
  text,
} from '../../http/schema.ts'
import type { Page, PageOf } from '../../run/record/records.ts'

/** The changes that receivers can be notified of. */
export const WEBHOOK_EVENTS = [
  'run.ended',
  'run.waiting',
  'run.paused',
  'run.resumed',
  'run.set_aside',
  'question.opened',
  'question.closed',
  'question.reminded',
  'question.escalated',
  'question.expired',
] as const

const SETTINGS = {
  url: ruled(
    text('Where messages are posted to.', {
      minLength: 1,
      maxLength: 2048,
      pattern: '^https?://[\\x21-\\x7E]+$',
    }),
    'The operator names the hosts that are allowed.',
  ),
  events: list(oneOf(WEBHOOK_EVENTS, 'A change.'), {
    minItems: 1,
    maxItems: WEBHOOK_EVENTS.length,
    uniqueItems: true,
    description: 'The changes that are sent; default: all.',
  }),
  agent_id: id('Only runs of this agent.'),
  runs: oneOf(['all', 'named'], '`named`: only runs that name the webhook. Default `all`.'),
  signature: oneOf(
    ['v1', 'v1a'],
    '`v1`: HMAC-SHA256 with a secret. `v1a`: Ed25519; the keys are in `/.well-known/jwks.json`. Default `v1`.',
  ),
}

export const newWebhook = request(SETTINGS, ['url'])
export type NewWebhook = Typed<typeof newWebhook>
export type WebhookSignature = NonNullable<NewWebhook['signature']>

export const changedWebhook = request(
  {
    ...SETTINGS,
    active: flag('Whether messages are sent; default true.'),
    new_secret: flag('Makes a new secret. Messages are signed with the old one too, for a day.'),
  },
  ['url'],
)
export type WebhookChange = Typed<typeof changedWebhook>

const WEBHOOK = {
  id: text('Names the webhook.'),
  url: text('Where messages are posted to.'),
  events: list(text('A change.')),
  agent_id: nullable(text('Only runs of this agent.')),
  runs: SETTINGS.runs,
  signature: SETTINGS.signature,
  state: oneOf(['active', 'deactivated'], 'Nothing is sent to a deactivated webhook.'),
  why: nullable(text('Why it is deactivated.')),
  deactivated_at: nullable(moment('Since when.')),
  delivered: integer('Messages that the receiver has accepted.', 0),
  failed: integer('Messages that were given up.', 0),
  failures: integer('Attempts that have failed since the last success.', 0),
  failing_since: nullable(moment('The first of these attempts.')),
  delivered_at: nullable(moment('The last success.')),
  created_at: moment('When it was created.'),
  created_by: text('Who has created it.'),
}

export const webhookView = answer('A webhook.', WEBHOOK)
export type WebhookView = Typed<typeof webhookView>

export const webhookWithSecret = answer(
  'A webhook, with its new secret if it has one.',
  { ...WEBHOOK, secret: text('The secret, shown once.') },
  namesOf(WEBHOOK),
)
export type WebhookWithSecret = Typed<typeof webhookWithSecret>

export const deliveryView = answer('A message to a receiver.', {
  id: text('The header `webhook-id` of each attempt.'),
  type: text('The change.'),
  run_id: nullable(text('The run.')),
  state: oneOf(['pending', 'delivered', 'failed'], 'Whether it was accepted, or is given up.'),
  attempts: integer('How often it was sent.', 0),
  created_at: moment('When the change happened.'),
  attempted_at: nullable(moment('The last attempt.')),
  next_at: nullable(moment('The next attempt.')),
  status: nullable(integer('The HTTP status of the last answer.')),
  error: nullable(text('Why there was no answer, as a code such as `ECONNREFUSED` or `TIMEOUT`.')),
})
export type DeliveryView = Typed<typeof deliveryView>

/** The webhooks of an organisation. Changes are audited. Methods throw WEBHOOK_NOT_FOUND where that applies. */
export interface Webhooks {
  list(page: Page): Promise<PageOf<WebhookView>>
  read(id: string): Promise<WebhookView>
  /**
   * @param id the same for a repeated request
   * @throws WEBHOOK_LIMIT; ENDPOINT_NOT_GRANTED and other codes of the endpoint gate
   */
  create(request: NewWebhook, id?: string): Promise<WebhookWithSecret>
  /** Replaces its settings. @throws the codes of the endpoint gate */
  change(id: string, request: WebhookChange): Promise<WebhookWithSecret>
  /** Removes it with its deliveries. */
  remove(id: string): Promise<void>
  /** Lists deliveries, newest first. */
  deliveries(id: string, page: Page): Promise<PageOf<DeliveryView>>
  /** Sends a delivery again, with the same id and body. @throws DELIVERY_NOT_FOUND, WEBHOOK_INACTIVE */
  replay(id: string, delivery: string): Promise<DeliveryView>
  /** Sends an event of the type `webhook.test`. @param key the same for a repeated request @throws WEBHOOK_INACTIVE */
  test(id: string, key?: string): Promise<DeliveryView>
}
