import {
  answer,
  anything,
  id,
  integer,
  type Kind,
  kinds,
  list,
  moment,
  namesOf,
  nullable,
  oneOf,
  request,
  ruled,
  text,
} from '../../http/schema.ts'
import {
  END_STATUSES,
  FIRING_STATES,
  HOOK_FORMATS,
  MISSED,
  OVERLAPS,
  TRIGGER_KINDS,
  type TriggerKind,
} from '../../platform/triggers/trigger.ts'
import { MEMBERS, RUN_ENDED } from '../../platform/triggers/trigger-settings.ts'
import type { Schema } from '../../spec/schema-builder.ts'

const expr = text('The expression.')
const rule: Schema = { type: 'object', description: 'The rule.' }
const written = (title: string, of: Schema, examples: Schema['examples']): Kind => ({
  title,
  properties: { expr: ruled(of, 'It can be evaluated.') },
  required: ['expr'],
  more: { ...OTHERS, examples: examples ?? [] },
})
/** The same in natural language may be added, which is not evaluated. */
const OTHERS: Schema = { additionalProperties: true }

const filter: Schema = {
  ...kinds('lang', 'The language of the condition.', {
    cel: written('CelCondition', expr, [{ lang: 'cel', expr: 'type == "order.paid"' }]),
    jsonpath: written('JsonPathCondition', expr, [{ lang: 'jsonpath', expr: '$.items[?@.price > 10]' }]),
    jmespath: written('JmespathCondition', expr, [{ lang: 'jmespath', expr: 'items[?price > `10`]' }]),
    jsonlogic: written('JsonLogicCondition', rule, [
      { lang: 'jsonlogic', expr: { '>': [{ var: 'price' }, 10] } },
    ]),
    always: { title: 'AlwaysCondition', more: OTHERS },
    never: { title: 'NeverCondition', more: OTHERS },
  }),
  description: 'A condition for the payload; the trigger starts a run only if it is true.',
  'x-further-rule': 'Its expression can be evaluated.',
}

const names = (description: string, maxItems: number): Schema =>
  list(
    { type: 'string', minLength: 1, maxLength: 100, pattern: '^[\\x21-\\x7E]+$' },
    { minItems: 1, maxItems, uniqueItems: true, description },
  )

const SETTINGS = {
  filter,
  overlap: oneOf(
    OVERLAPS,
    'While a run of an earlier firing is active. Default `queue` for a schedule, `allow` for a webhook or an event.',
  ),
  schedule: ruled(
    {
      type: 'string',
      minLength: 1,
      maxLength: 200,
      examples: ['0 9 * * 1-5'],
      description: 'schedule: a cron expression.',
    },
    'It has five or six fields, and matches some time.',
  ),
  timezone: ruled(
    {
      type: 'string',
      minLength: 1,
      maxLength: 100,
      examples: ['Europe/Berlin'],
      description: 'schedule: an IANA time zone; default `UTC`.',
    },
    'It is a time zone that the server knows.',
  ),
  missed: oneOf(MISSED, 'schedule: times that passed while no worker ran. Default `latest`.'),
  catch_up_seconds: integer('schedule: older times are never caught up on; default a day.', 0, 366 * 86_400),
  input: anything('schedule: the input of its runs, instead of the payload.'),
  format: oneOf(HOOK_FORMATS, 'webhook: how messages are signed; default `standard` (Standard Webhooks).'),
  headers: list(
    ruled({ type: 'string', pattern: '^[a-z0-9-]{1,100}$' }, 'It is not a header that contains a secret.'),
    {
      maxItems: 16,
      uniqueItems: true,
      description: 'webhook: names of headers, in lower case, that become part of the payload.',
    },
  ),
  events: names('webhook: the types of events that start runs; default: all.', 100),
  event: oneOf([RUN_ENDED], 'event: its name; default `run.ended`.'),
  of_agent: id('event, agent_handoff: only of this agent.'),
  statuses: list(oneOf(END_STATUSES, 'A status of an ended run.'), {
    minItems: 1,
    uniqueItems: true,
    description: 'event: of ended runs; default: all.',
  }),
} satisfies Record<string, Schema>

const enabled: Schema = { type: 'boolean', description: 'Whether it starts runs; default true.' }

export function isSetting(name: string): boolean {
  return Object.hasOwn(SETTINGS, name)
}

/** Returns the settings of a kind. */
function settingsOf(kind: TriggerKind): Readonly<Record<string, Schema>> {
  return Object.fromEntries(MEMBERS[kind].map((name) => [name, SETTINGS[name]]))
}

export const newTrigger: Schema = kinds(
  'kind',
  'What fires it.',
  {
    schedule: { title: 'ScheduleTrigger', properties: settingsOf('schedule'), required: ['schedule'] },
    webhook: { title: 'WebhookTrigger', properties: settingsOf('webhook') },
    message: { title: 'MessageTrigger', properties: settingsOf('message') },
    event: { title: 'EventTrigger', properties: settingsOf('event') },
    agent_handoff: { title: 'HandoffTrigger', properties: settingsOf('agent_handoff') },
  },
  { agent_id: id('The agent whose runs it starts.'), enabled },
  ['agent_id'],
)

/** The kind of a trigger does not change, so the request does not name it. */
export const changedTrigger = ruled(
  request({ enabled, ...SETTINGS }),
  'The settings are those of the kind of the trigger.',
)

export const firedTrigger = request({
  payload: anything('What the run gets as its input, and the filter as its payload.'),
})

export const renewedSecret = request({
  old_valid_seconds: integer('How long the old secret is accepted too; default 0.', 0, 7 * 86_400),
})

export const triggerMessage: Schema = {
  ...request(
    {
      from: id('The sender: each has a session of its own.'),
      text: text('Its text.'),
      data: anything('Instead of a text.'),
      id: id('The same for a message that is sent again.'),
    },
    ['from'],
  ),
  oneOf: [{ required: ['text'] }, { required: ['data'] }],
}

const FIRING = {
  slot: text('Unique in its trigger: the time of a schedule, or the id of a message.'),
  state: oneOf(FIRING_STATES, 'What became of it.'),
  why: nullable(text('Why it started no run, or waits.')),
  run_id: nullable(text('The run that it started.')),
  version: nullable(text('The version of the agent, which was the active one when the run was started.')),
  on_behalf_of: nullable(text('The member on whose behalf the run was started.')),
  depth: integer('How many events of other runs led to it.', 0),
  at: moment('When it was stored.'),
}

export const firingView = answer('A firing of a trigger.', FIRING)

const VIEW = {
  id: text('Names the trigger.'),
  agent_id: text('The agent whose runs it starts.'),
  kind: oneOf(TRIGGER_KINDS, 'What fires it.'),
  source: oneOf(['definition', 'api'], 'Where it comes from.'),
  state: oneOf(['enabled', 'disabled'], 'A disabled trigger starts no runs.'),
  why: nullable(text('Why it is disabled.')),
  on_behalf_of: text('The member on whose behalf its runs are started.'),
  next_at: nullable(moment('schedule: when it fires next.')),
  last: {
    ...answer('The last firing.', FIRING, ['slot', 'state', 'run_id', 'at']),
    type: ['object', 'null'],
  },
  created_at: moment('When it was created.'),
  created_by: text('Who has created it.'),
}

const MORE = {
  ...SETTINGS,
  path: text('webhook: the path that messages are posted to.'),
}

export const triggerView = answer('A trigger.', { ...VIEW, ...MORE }, namesOf(VIEW))

export const triggerWithSecret = answer(
  'A trigger, with its new secret if it has one.',
  { ...VIEW, ...MORE, secret: text('webhook: the secret, shown once.') },
  namesOf(VIEW),
)

export const hookAnswer = answer('What became of the message.', {
  run_id: nullable(text('The run that it started.')),
  state: oneOf(FIRING_STATES, 'What became of it.'),
  why: nullable(text('Why it started no run, or waits.')),
})
