import type { StructuredCondition } from '../../condition/index.ts'
import type { Json } from '../../document/json.ts'
import {
  also,
  answer,
  anything,
  flag,
  id,
  integer,
  type Kind,
  kinds,
  list,
  membersOf,
  moment,
  namesOf,
  nullable,
  oneOf,
  request,
  ruled,
  type SchemaOf,
  type Typed,
  text,
} from '../../http/schema.ts'
import type { Page, PageOf } from '../../run/record/records.ts'
import type { Schema } from '../../spec/schema-builder.ts'

/** The only event so far. */
export const RUN_ENDED = 'run.ended'

/** The same in natural language may be added, which is not evaluated. */
const OTHERS: Schema = { additionalProperties: true }
const expr = text('The expression.')
const rule: Schema = { type: 'object', description: 'The rule.' }
const written = (title: string, of: Schema, examples: Schema['examples']): Kind => ({
  title,
  properties: { expr: ruled(of, 'It can be evaluated.') },
  required: ['expr'],
  more: { ...OTHERS, examples: examples ?? [] },
})

const condition: Schema = kinds('lang', 'The language of the condition.', {
  cel: written('CelCondition', expr, [{ lang: 'cel', expr: 'type == "order.paid"' }]),
  jsonpath: written('JsonPathCondition', expr, [{ lang: 'jsonpath', expr: '$.items[?@.price > 10]' }]),
  jmespath: written('JmespathCondition', expr, [{ lang: 'jmespath', expr: 'items[?price > `10`]' }]),
  jsonlogic: written('JsonLogicCondition', rule, [
    { lang: 'jsonlogic', expr: { '>': [{ var: 'price' }, 10] } },
  ]),
  always: { title: 'AlwaysCondition', more: OTHERS },
  never: { title: 'NeverCondition', more: OTHERS },
})

const filter: SchemaOf<StructuredCondition> = {
  ...condition,
  description: 'A condition for the payload; the trigger starts a run only if it is true.',
  'x-further-rule': 'Its expression can be evaluated.',
}

/** What happens to a firing while a run of an earlier firing of the same trigger is active. */
const overlap = oneOf(
  ['queue', 'skip', 'cancel_previous', 'allow'],
  'While a run of an earlier firing is active. Default `queue` for a schedule, `allow` for a webhook or an event.',
)

const schedule = ruled(
  text('schedule: a cron expression.', { minLength: 1, maxLength: 200, examples: ['0 9 * * 1-5'] }),
  'It has five or six fields, and matches some time.',
)

const timezone = ruled(
  text('schedule: an IANA time zone; default `UTC`.', {
    minLength: 1,
    maxLength: 100,
    examples: ['Europe/Berlin'],
  }),
  'It is a time zone that the server knows.',
)

/** What happens to slots that passed while no worker ran. */
const missed = oneOf(
  ['latest', 'all', 'skip'],
  'schedule: times that passed while no worker ran. Default `latest`.',
)
export type Missed = Typed<typeof missed>

/** `standard`: Standard Webhooks. `github`: the headers of GitHub. */
const format = oneOf(
  ['standard', 'github'],
  'webhook: how messages are signed; default `standard` (Standard Webhooks).',
)
export type HookFormat = Typed<typeof format>

const header: SchemaOf<string> = { type: 'string', pattern: '^[a-z0-9-]{1,100}$' }
const headers = list(ruled(header, 'It is not a header that contains a secret.'), {
  maxItems: 16,
  uniqueItems: true,
  description: 'webhook: names of headers, in lower case, that become part of the payload.',
})

const eventType: SchemaOf<string> = {
  type: 'string',
  minLength: 1,
  maxLength: 100,
  pattern: '^[\\x21-\\x7E]+$',
}
const events = list(eventType, {
  minItems: 1,
  maxItems: 100,
  uniqueItems: true,
  description: 'webhook: the types of events that start runs; default: all.',
})

/** A definition may name others, which the platform does not have. */
const event: SchemaOf<string> = oneOf([RUN_ENDED], 'event: its name; default `run.ended`.')

const of_agent = id('event, agent_handoff: only of this agent.')

const statuses = list(oneOf(['completed', 'failed', 'refused', 'cancelled'], 'A status of an ended run.'), {
  minItems: 1,
  uniqueItems: true,
  description: 'event: of ended runs; default: all.',
})

/** The kinds of triggers, each with its settings. */
const KINDS = {
  schedule: {
    title: 'ScheduleTrigger',
    properties: {
      filter,
      overlap,
      schedule,
      timezone,
      missed,
      catch_up_seconds: integer(
        'schedule: older times are never caught up on; default a day.',
        0,
        366 * 86_400,
      ),
      input: anything('schedule: the input of its runs, instead of the payload.'),
    },
    required: ['schedule'],
  },
  webhook: { title: 'WebhookTrigger', properties: { filter, overlap, format, headers, events } },
  message: { title: 'MessageTrigger', properties: { filter } },
  event: { title: 'EventTrigger', properties: { filter, overlap, event, of_agent, statuses } },
  agent_handoff: { title: 'HandoffTrigger', properties: { of_agent } },
} as const satisfies Readonly<Record<string, Kind>>

export type TriggerKind = keyof typeof KINDS

/** The settings of all kinds; each kind has some of them. */
const SETTINGS = membersOf(KINDS)

const settings = request(SETTINGS)
export type TriggerSettings = Typed<typeof settings>

export function isSetting(name: string): boolean {
  return Object.hasOwn(SETTINGS, name)
}

/** Returns the names of the settings that triggers of a kind have. */
export function settingNames(kind: TriggerKind): readonly string[] {
  return Object.keys(KINDS[kind].properties)
}

const enabled = flag('Whether it starts runs; default true.')

export const newTrigger = kinds(
  'kind',
  'What fires it.',
  KINDS,
  { agent_id: id('The agent whose runs it starts.'), enabled },
  ['agent_id'],
)
export type NewTrigger = Typed<typeof newTrigger>

/** The kind of a trigger does not change, so the request does not name it. */
export const changedTrigger = ruled(
  request({ enabled, ...SETTINGS }),
  'The settings are those of the kind of the trigger.',
)
export type TriggerChange = Typed<typeof changedTrigger>

export const firedTrigger = request({
  payload: anything('What the run gets as its input, and the filter as its payload.'),
})

export const renewedSecret = request({
  old_valid_seconds: integer('How long the old secret is accepted too; default 0.', 0, 7 * 86_400),
})

export const triggerMessage = also(
  request(
    {
      from: id('The sender: each has a session of its own.'),
      text: text('Its text.'),
      data: anything('Instead of a text.'),
      id: id('The same for a message that is sent again.'),
    },
    ['from'],
  ),
  { oneOf: [{ required: ['text'] }, { required: ['data'] }] },
)
export type TriggerMessage = Typed<typeof triggerMessage>

const firingState = oneOf(
  ['pending', 'queued', 'started', 'skipped', 'missed', 'refused', 'failed'],
  'What became of it.',
)
export type FiringState = Typed<typeof firingState>

const FIRING = {
  slot: text('Unique in its trigger: the time of a schedule, or the id of a message.'),
  state: firingState,
  why: nullable(text('Why it started no run, or waits.')),
  run_id: nullable(text('The run that it started.')),
  version: nullable(text('The version of the agent, which was the active one when the run was started.')),
  on_behalf_of: nullable(text('The member on whose behalf the run was started.')),
  depth: integer('How many events of other runs led to it.', 0),
  at: moment('When it was stored.'),
}

export const firingView = answer('A firing of a trigger.', FIRING)
export type FiringView = Typed<typeof firingView>

const VIEW = {
  id: text('Names the trigger.'),
  agent_id: text('The agent whose runs it starts.'),
  kind: oneOf(namesOf(KINDS), 'What fires it.'),
  source: oneOf(['definition', 'api'], 'Where it comes from.'),
  state: oneOf(['enabled', 'disabled'], 'A disabled trigger starts no runs.'),
  why: nullable(text('Why it is disabled.')),
  on_behalf_of: text('The member on whose behalf its runs are started.'),
  next_at: nullable(moment('schedule: when it fires next.')),
  last: nullable(answer('The last firing.', FIRING, ['slot', 'state', 'run_id', 'at'])),
  created_at: moment('When it was created.'),
  created_by: text('Who has created it.'),
}

const MORE = {
  ...SETTINGS,
  path: text('webhook: the path that messages are posted to.'),
}

export const triggerView = answer('A trigger.', { ...VIEW, ...MORE }, namesOf(VIEW))
export type TriggerView = Typed<typeof triggerView>

export const triggerWithSecret = answer(
  'A trigger, with its new secret if it has one.',
  { ...VIEW, ...MORE, secret: text('webhook: the secret, shown once.') },
  namesOf(VIEW),
)
export type TriggerWithSecret = Typed<typeof triggerWithSecret>

export const hookAnswer = answer('What became of the message.', {
  run_id: nullable(text('The run that it started.')),
  state: firingState,
  why: nullable(text('Why it started no run, or waits.')),
})

/** The triggers of an organisation. Changes are audited. Methods throw TRIGGER_NOT_FOUND where that applies. */
export interface Triggers {
  list(page: Page & { readonly agent_id?: string }): Promise<PageOf<TriggerView>>
  read(id: string): Promise<TriggerView>
  /** @param id the same for a repeated request @throws AGENT_NOT_FOUND, TRIGGER_INVALID, TRIGGER_LIMIT */
  create(request: NewTrigger, id?: string): Promise<TriggerWithSecret>
  /** Replaces the settings of a trigger of the API; of a declared one, enables or disables it. @throws TRIGGER_INVALID, TRIGGER_DECLARED */
  change(id: string, request: TriggerChange): Promise<TriggerView>
  /** @throws TRIGGER_DECLARED */
  remove(id: string): Promise<void>
  /** Lists firings, newest first. */
  firings(id: string, page: Page): Promise<PageOf<FiringView>>
  /** Fires it now. @param slot the same for a repeated request @throws TRIGGER_DISABLED */
  fire(id: string, payload?: Json, slot?: string): Promise<FiringView>
  /** Makes a new secret. @param oldValidSeconds how long the old one is accepted too @throws TRIGGER_INVALID if it is not a webhook */
  renewSecret(id: string, oldValidSeconds: number): Promise<TriggerWithSecret>
  /** Takes a message for the session of its sender. @throws TRIGGER_INVALID if it takes no messages, TRIGGER_DISABLED */
  message(id: string, message: TriggerMessage): Promise<FiringView>
}

/** A message that was posted to the public path of a trigger. */
export interface HookMessage {
  readonly hook: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly bytes: Uint8Array
}

/** Messages from outside, which prove themselves by a signature. */
export interface Hooks {
  /**
   * Fires the trigger of a signed message, once for each message id.
   * @returns whether the message was known, and what became of it
   * @throws HOOK_REFUSED: the same error for an unknown hook and for a wrong signature; BODY_UNREADABLE
   */
  receive(message: HookMessage): Promise<{ readonly repeated: boolean; readonly firing: FiringView }>
}
