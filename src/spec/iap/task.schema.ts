import { integer, list, oneOf, open, ref, type Schema, text } from '../schema-builder.ts'
import { DELIVERY_METHODS, FAILURE_ACTIONS, OUTPUT_FORMATS } from './vocabulary.ts'

/**
 * The task of IAP 0.2: the one source of the published schema, the validator and the types (`npm run generate`).
 * Only task.intent is required, and every object is open: unknown members are kept and ignored (IAP-task-11).
 */

const texts = (description: string) => list({ type: 'string' }, description)
const filled = (description: string, extra = {}) => text(description, { minLength: 1, ...extra })

const assignment = open('The work.', ['intent'], {
  intent: filled('The work, in one line.'),
  details: text('Details: background, reasons, earlier attempts.'),
  context: text('Context that is small enough to be inline.'),
  context_ref: filled('Location of larger context: an http(s) or file reference.', { format: 'uri' }),
})

const sender = open('The sender.', [], {
  agent_id: filled('The agent that sends the task.'),
  email: text('Its address: identity and address for replies, not verified.', { format: 'email' }),
  framework: text('The framework that runs it.'),
  callback: text('Default address for results.'),
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
  'How the task and its result are delivered.',
  [],
  {
    method: oneOf(DELIVERY_METHODS, 'Wait for the result, receive a callback, or use e-mail.', {
      default: 'sync',
    }),
    webhook: filled('URL that receives the result, for async.', { format: 'uri' }),
    email: filled('Address to which the task is sent, for email.', { format: 'email' }),
    status_endpoint: filled('URL that returns the progress.', { format: 'uri' }),
  },
  {
    allOf: [
      whenMethodIs('async', { required: ['webhook'] }, ['status_endpoint']),
      whenMethodIs('email', { required: ['email'] }),
    ],
  },
)

const constraints = open('The limits of the work.', [], {
  time_limit: text('Time limit: 30m, 2h, 45s, 1d, or an ISO 8601 duration.'),
  token_budget: integer(1, 'Maximum number of tokens.'),
  tools_allowed: texts('The only tools that may be used.'),
  tools_denied: texts('Tools that may not be used, even if they are allowed.'),
  scope: text('Limits in natural language.'),
  requires_capabilities: texts(
    'Capabilities that the receiver must have; otherwise it refuses the task at once.',
  ),
})

const output = open('Form of the result.', [], {
  format: oneOf(OUTPUT_FORMATS, 'Its format.', { default: 'freeform' }),
  schema: {
    type: ['string', 'object'],
    description: 'Form of JSON output: a JSON Schema, or a sketch {key: type name}.',
  },
  deliver_to: filled('Destination: a file or callback URL, or inline.'),
})

const onFailure = open('What happens if the work fails.', [], {
  action: oneOf(FAILURE_ACTIONS, 'Action after a failure.', { default: 'return_partial' }),
  max_retries: integer(0, 'Maximum number of retries.', { default: 2 }),
  escalate_to: filled('Who continues the work: human, or an agent_id.'),
})

export const taskSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Task',
  ...open('A task that one agent asks another to do.', ['task'], {
    iap_version: text('Version of IAP that the task follows.'),
    task_id: filled('Id of the task: a UUID or any other string.'),
    sender: ref('Sender'),
    delivery: ref('Delivery'),
    task: ref('Assignment'),
    constraints: ref('TaskConstraints'),
    success_criteria: texts('Criteria for success.'),
    output: ref('TaskOutput'),
    on_failure: ref('OnFailure'),
    parent_task_id: text('The task from which this task was made, if a receiver delegates work.'),
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
