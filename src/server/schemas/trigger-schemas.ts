import {
  END_STATUSES,
  FIRING_STATES,
  HOOK_FORMATS,
  MISSED,
  OVERLAPS,
  TRIGGER_KINDS,
} from '../../platform/triggers/trigger.ts'
import { oneOf, type Schema, text } from '../../spec/schema-builder.ts'
import { answer, anything, id, integer, list, moment, request } from './building.ts'

const filter: Schema = {
  type: 'object',
  description: 'A condition for the payload, `{lang, expr}`; the trigger starts a run only if it is true.',
}

const names = (description: string, maxItems: number): Schema =>
  list(
    { type: 'string', minLength: 1, maxLength: 100, pattern: '^[\\u0021-\\u007E]+$' },
    { minItems: 1, maxItems, uniqueItems: true, description },
  )

const SETTINGS: Readonly<Record<string, Schema>> = {
  filter,
  overlap: oneOf(
    OVERLAPS,
    'While a run of an earlier firing is active. Default `queue` for a schedule, `allow` for a webhook or an event.',
  ),
  schedule: { type: 'string', minLength: 1, maxLength: 200, description: 'schedule: a cron expression.' },
  timezone: {
    type: 'string',
    minLength: 1,
    maxLength: 100,
    description: 'schedule: an IANA time zone; default `UTC`.',
  },
  missed: oneOf(MISSED, 'schedule: times that passed while no worker ran. Default `latest`.'),
  catch_up_seconds: integer('schedule: older times are never caught up on; default a day.', 0, 366 * 86_400),
  input: anything('schedule: the input of its runs, instead of the payload.'),
  format: oneOf(HOOK_FORMATS, 'webhook: how messages are signed; default `standard` (Standard Webhooks).'),
  headers: list(
    { type: 'string', pattern: '^[a-z0-9-]{1,100}$' },
    {
      maxItems: 16,
      uniqueItems: true,
      description: 'webhook: names of headers, in lower case, that become part of the payload.',
    },
  ),
  events: names('webhook: the types of events that start runs; default: all.', 100),
  event: id('event: its name; default `run.ended`.'),
  of_agent: id('event, agent_handoff: only of this agent.'),
  statuses: list(oneOf(END_STATUSES, 'A status of an ended run.'), {
    minItems: 1,
    uniqueItems: true,
    description: 'event: of ended runs; default: all.',
  }),
}

const enabled: Schema = { type: 'boolean', description: 'Whether it starts runs; default true.' }

export const newTrigger: Schema = request(
  {
    agent_id: id('The agent whose runs it starts.'),
    kind: oneOf(TRIGGER_KINDS, 'What fires it.'),
    enabled,
    ...SETTINGS,
  },
  ['agent_id', 'kind'],
)

export const changedTrigger: Schema = request({ enabled, ...SETTINGS })

export const firedTrigger: Schema = request({
  payload: anything('What the run gets as its input, and the filter as its payload.'),
})

export const renewedSecret: Schema = request({
  old_valid_seconds: integer('How long the old secret is accepted too; default 0.', 0, 7 * 86_400),
})

export const triggerMessage: Schema = request(
  {
    from: id('The sender: each has a session of its own.'),
    text: text('Its text.'),
    data: anything('Instead of a text.'),
    id: id('The same for a message that is sent again.'),
  },
  ['from'],
)

const momentOrNull = (description: string): Schema => ({ ...moment(description), type: ['string', 'null'] })
const textOrNull = (description: string): Schema => ({ ...text(description), type: ['string', 'null'] })

const FIRING: Readonly<Record<string, Schema>> = {
  slot: text('Unique in its trigger: the time of a schedule, or the id of a message.'),
  state: oneOf(FIRING_STATES, 'What became of it.'),
  why: textOrNull('Why it started no run, or waits.'),
  run_id: textOrNull('The run that it started.'),
  version: textOrNull('The version of the agent, which was the active one when the run was started.'),
  on_behalf_of: textOrNull('The member on whose behalf the run was started.'),
  depth: integer('How many events of other runs led to it.', 0),
  at: moment('When it was stored.'),
}

export const firingView: Schema = answer('A firing of a trigger.', FIRING)

const VIEW: Readonly<Record<string, Schema>> = {
  id: text('Names the trigger.'),
  agent_id: text('The agent whose runs it starts.'),
  kind: oneOf(TRIGGER_KINDS, 'What fires it.'),
  source: oneOf(['definition', 'api'], 'Where it comes from.'),
  state: oneOf(['enabled', 'disabled'], 'A disabled trigger starts no runs.'),
  why: textOrNull('Why it is disabled.'),
  on_behalf_of: text('The member on whose behalf its runs are started.'),
  next_at: momentOrNull('schedule: when it fires next.'),
  last: {
    ...answer('The last firing.', FIRING, ['slot', 'state', 'run_id', 'at']),
    type: ['object', 'null'],
  },
  created_at: moment('When it was created.'),
  created_by: text('Who has created it.'),
}

const MORE: Readonly<Record<string, Schema>> = {
  ...SETTINGS,
  path: text('webhook: the path that messages are posted to.'),
}

export const triggerView: Schema = answer('A trigger.', { ...VIEW, ...MORE }, Object.keys(VIEW))

export const triggerWithSecret: Schema = answer(
  'A trigger, with its new secret if it has one.',
  { ...VIEW, ...MORE, secret: text('webhook: the secret, shown once.') },
  Object.keys(VIEW),
)

export const hookAnswer: Schema = answer('What became of the message.', {
  run_id: textOrNull('The run that it started.'),
  state: oneOf(FIRING_STATES, 'What became of it.'),
  why: textOrNull('Why it started no run, or waits.'),
})
