import { integer, list, oneOf, open, ref, type Schema, text } from '../schema-builder.ts'
import { DELIVERY_METHODS, FAILURE_ACTIONS, OUTPUT_FORMATS } from './vocabulary.ts'

/**
 * The task of IAP 0.2: the one source of the published schema, the validator and the types (`npm run generate`).
 * Only task.intent may be demanded, and every object is open: what is unknown is kept and ignored (IAP-task-11).
 */

const texts = (description: string) => list({ type: 'string' }, description)
const filled = (description: string, extra = {}) => text(description, { minLength: 1, ...extra })

const assignment = open('What is to be done.', ['intent'], {
  intent: filled('What is wanted, in one line.'),
  details: text('The whole story: background, reasons, what was tried.'),
  context: text('Context that is small enough to stand here.'),
  context_ref: filled('Where larger context is: an http(s) or file reference.', { format: 'uri' }),
})

const sender = open('Who asks.', [], {
  agent_id: filled('The agent that asks.'),
  email: text('Its address: identity and place for replies, as claimed.', { format: 'email' }),
  framework: text('The framework that runs it.'),
  callback: text('How results reach it when nothing else says so.'),
})

const whenMethodIs = (method: string, then: Schema, unless: readonly string[] = []): Schema => ({
  if: {
    required: ['method'],
    properties: { method: { const: method } },
    ...(unless.length > 0 && { not: { required: unless } }),
  },
  then,
})

const delivery = open(
  'How the task is delivered, and its result.',
  [],
  {
    method: oneOf(DELIVERY_METHODS, 'Wait for it, be called back, or write letters.', { default: 'sync' }),
    webhook: filled('Where the result is posted, for async.', { format: 'uri' }),
    email: filled('The address that the task is sent to, for email.', { format: 'email' }),
    status_endpoint: filled('Where progress can be asked for.', { format: 'uri' }),
  },
  {
    allOf: [
      whenMethodIs('async', { required: ['webhook'] }, ['status_endpoint']),
      whenMethodIs('email', { required: ['email'] }),
    ],
  },
)

const constraints = open('The limits of the work.', [], {
  time_limit: text('How long it may take: 30m, 2h, 45s, 1d, or an ISO 8601 duration.'),
  token_budget: integer(1, 'How many tokens it may use.'),
  tools_allowed: texts('The only tools that may be used.'),
  tools_denied: texts('Tools that may not be used, even when they are allowed.'),
  scope: text('Limits in plain words.'),
  requires_capabilities: texts(
    'What the receiver must be able to do; without it the task is refused at once.',
  ),
})

const output = open('What the result looks like.', [], {
  format: oneOf(OUTPUT_FORMATS, 'Its form.', { default: 'freeform' }),
  schema: {
    type: ['string', 'object'],
    description: 'What it looks like when its form is json: a JSON Schema, or a sketch {key: type name}.',
  },
  deliver_to: filled('Where it goes: a file or callback URL, or inline.'),
})

const onFailure = open('What happens when it does not work out.', [], {
  action: oneOf(FAILURE_ACTIONS, 'What to do then.', { default: 'return_partial' }),
  max_retries: integer(0, 'How often to try again.', { default: 2 }),
  escalate_to: filled('Who takes over: human, or an agent_id.'),
})

export const taskSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Task',
  ...open('A task that one agent asks another to do.', ['task'], {
    iap_version: text('Version of IAP that the task follows.'),
    task_id: filled('Names this task: a UUID or any other reference.'),
    sender: ref('Sender'),
    delivery: ref('Delivery'),
    task: ref('Assignment'),
    constraints: ref('TaskConstraints'),
    success_criteria: texts('What makes it a success.'),
    output: ref('TaskOutput'),
    on_failure: ref('OnFailure'),
    parent_task_id: text('The task that this one was made from, when a receiver passes work on.'),
  }),
  $defs: {
    Sender: sender,
    Delivery: delivery,
    Assignment: assignment,
    TaskConstraints: constraints,
    TaskOutput: output,
    OnFailure: onFailure,
  },
} satisfies Schema
