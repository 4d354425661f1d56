import {
  answer,
  id,
  integer,
  list,
  moment,
  namesOf,
  nullable,
  oneOf,
  request,
  ruled,
  text,
} from '../../http/schema.ts'
import { WEBHOOK_EVENTS } from '../../platform/webhooks/webhook.ts'

const events = list(oneOf(WEBHOOK_EVENTS, 'A change.'), {
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

const settings = {
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

export const newWebhook = request(settings, ['url'])

export const changedWebhook = request(
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

const WEBHOOK = {
  id: text('Names the webhook.'),
  url: text('Where messages are posted to.'),
  events: list(text('A change.')),
  agent_id: nullable(text('Only runs of this agent.')),
  runs,
  signature,
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

export const webhookWithSecret = answer(
  'A webhook, with its new secret if it has one.',
  { ...WEBHOOK, secret: text('The secret, shown once.') },
  namesOf(WEBHOOK),
)

export const deliveryView = answer('A message to a receiver.', {
  id: text('The header `webhook-id` of each attempt.'),
  type: text('The change.'),
  run_id: nullable(text('The run.')),
  state: oneOf(['pending', 'delivered', 'failed'], 'Whether it was accepted, or is given up.'),
  attempts: integer('How often it was sent.', 0),
  created_at: moment('When the change happened.'),
  attempted_at: nullable(moment('The last attempt.')),
  next_at: nullable(moment('The next attempt.')),
  status: { ...integer('The HTTP status of the last answer.'), type: ['integer', 'null'] },
  error: nullable(text('Why there was no answer, as a code such as `ECONNREFUSED` or `TIMEOUT`.')),
})
