import { WEBHOOK_EVENTS } from '../../platform/webhooks/webhook.ts'
import { oneOf, type Schema, text } from '../../spec/schema-builder.ts'
import { answer, id, integer, list, moment, request, ruled } from './building.ts'

const events: Schema = list(oneOf(WEBHOOK_EVENTS, 'A change.'), {
  minItems: 1,
  maxItems: WEBHOOK_EVENTS.length,
  uniqueItems: true,
  description: 'The changes that are sent; default: all.',
})

const runs = oneOf(['all', 'named'], '`named`: only runs that name the webhook. Default `all`.')

const signature = oneOf(
  ['v1', 'v1a'],
  '`v1`: HMAC-SHA256 with a secret. `v1a`: Ed25519; the keys are in `/.well-known/jwks.json`. Default `v1`.',
)

const settings: Readonly<Record<string, Schema>> = {
  url: ruled(
    {
      type: 'string',
      minLength: 1,
      maxLength: 2048,
      pattern: '^https?://[\\x21-\\x7E]+$',
      description: 'Where messages are posted to.',
    },
    'The operator names the hosts that are allowed.',
  ),
  events,
  agent_id: id('Only runs of this agent.'),
  runs,
  signature,
}

export const newWebhook: Schema = request(settings, ['url'])

export const changedWebhook: Schema = request(
  {
    ...settings,
    active: { type: 'boolean', description: 'Whether messages are sent; default true.' },
    new_secret: {
      type: 'boolean',
      description: 'Makes a new secret. Messages are signed with the old one too, for a day.',
    },
  },
  ['url'],
)

const momentOrNull = (description: string): Schema => ({ ...moment(description), type: ['string', 'null'] })
const textOrNull = (description: string): Schema => ({ ...text(description), type: ['string', 'null'] })

const WEBHOOK: Readonly<Record<string, Schema>> = {
  id: text('Names the webhook.'),
  url: text('Where messages are posted to.'),
  events: list(text('A change.')),
  agent_id: textOrNull('Only runs of this agent.'),
  runs,
  signature,
  state: oneOf(['active', 'deactivated'], 'Nothing is sent to a deactivated webhook.'),
  why: textOrNull('Why it is deactivated.'),
  deactivated_at: momentOrNull('Since when.'),
  delivered: integer('Messages that the receiver has accepted.', 0),
  failed: integer('Messages that were given up.', 0),
  failures: integer('Attempts that have failed since the last success.', 0),
  failing_since: momentOrNull('The first of these attempts.'),
  delivered_at: momentOrNull('The last success.'),
  created_at: moment('When it was created.'),
  created_by: text('Who has created it.'),
}

export const webhookView: Schema = answer('A webhook.', WEBHOOK)

export const webhookWithSecret: Schema = answer(
  'A webhook, with its new secret if it has one.',
  { ...WEBHOOK, secret: text('The secret, shown once.') },
  Object.keys(WEBHOOK),
)

export const deliveryView: Schema = answer('A message to a receiver.', {
  id: text('The header `webhook-id` of each attempt.'),
  type: text('The change.'),
  run_id: textOrNull('The run.'),
  state: oneOf(['pending', 'delivered', 'failed'], 'Whether it was accepted, or is given up.'),
  attempts: integer('How often it was sent.', 0),
  created_at: moment('When the change happened.'),
  attempted_at: momentOrNull('The last attempt.'),
  next_at: momentOrNull('The next attempt.'),
  status: { ...integer('The HTTP status of the last answer.'), type: ['integer', 'null'] },
  error: textOrNull('Why there was no answer, as a code such as `ECONNREFUSED` or `TIMEOUT`.'),
})
