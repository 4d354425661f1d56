import { anyObject, integer, list, oneOf, open, ref, type Schema, text } from '../schema-builder.ts'
import { message, pipelinePosition } from './state.schema.ts'
import { MEMORY_SCOPES, PENDING_STATUSES } from './vocabulary.ts'

/**
 * One line of a streaming handoff (AAIF 3.4.0 §8.3): the one source of the published schema, the validator and the
 * types (`npm run generate`). Messages may have more members than the specification names, because a complete Agent
 * State needs them (`checkpoint_at`, the backend of a memory item); nested objects are closed, as in the state.
 */

/** A message: an open object identified by its `type`; all members except those in `optional` are required. */
function line(
  type: string,
  description: string,
  required: Readonly<Record<string, Schema>>,
  optional: Readonly<Record<string, Schema>> = {},
): Schema {
  return open(description, ['type', ...Object.keys(required)], {
    type: { const: type, description: 'What this line is.' },
    ...required,
    ...optional,
  })
}

const uuid = (description: string): Schema => text(description, { format: 'uuid' })
const time = (description: string): Schema => text(description, { format: 'date-time' })

const init = line(
  'handoff_init',
  'Starts the stream and carries the migration token (§8.3).',
  {
    state_id: uuid('UUID of the checkpoint that is streamed.'),
    agent_id: uuid('The agent_id of the definition that runs.'),
    run_id: uuid('UUID of the run.'),
    source_platform: text('The platform that sends the state.'),
    migration_token: text('Signed token of at most 15 minutes; verified before the next line (§8.3).'),
  },
  { checkpoint_at: time('When the state was captured; default: the time of receipt.') },
)

const chunk = line('context_chunk', 'The next messages of the conversation.', {
  index: integer(0, 'Index of this chunk: 0, 1, 2, …'),
  messages: list(ref('StateMessage'), 'The messages, oldest first.'),
})

const memory = line(
  'memory_item',
  'One memory item.',
  {
    scope: oneOf(MEMORY_SCOPES, 'Who may read it and how long it is kept.'),
    key: text('Name to look it up by.'),
    content: text('The content, as text.'),
  },
  {
    backend: text('The backend that stored it; only for information.'),
    captured_at: time('When it was last written.'),
    ttl_remaining_seconds: integer(undefined, 'Seconds until it expires.'),
  },
)

const position = line('pipeline_state', 'Progress of the run.', {
  pipeline_position: ref('PipelinePosition'),
  variables: anyObject('Values of this task.'),
  iteration: integer(0, 'Rounds of model and tools so far.'),
})

const pending = line(
  'pending_tool',
  'A tool call without an answer.',
  {
    id: text('The id that the model gave the call.'),
    tool_name: text('The tool that was called.'),
    arguments: anyObject('Arguments of the call.'),
    status: oneOf(PENDING_STATUSES, 'Status of the call.'),
  },
  {
    submitted_at: time('When the call was started.'),
    callback_url: text('Where the answer was to be sent.'),
  },
)

const subagent = line('subagent_ref', 'A subagent and the id of its own state.', {
  alias: text('Its alias in orchestration.subagents.'),
  agent_id: uuid('The agent_id of its definition.'),
  state_id: uuid('The state_id of its own Agent State.'),
})

const complete = line('handoff_complete', 'Ends a complete stream (§8.3).', {
  checksum: text('SHA-256 in hex of the canonical JSON of the state that the lines form.'),
})

const failure = line('handoff_error', 'Ends a stream that failed: receivers discard all of it (§8.3).', {
  code: text('Code for machines.'),
  message: text('What happened, for people.'),
})

/** The definition of each message type, by that type. */
export const HANDOFF_MESSAGES: Readonly<Record<string, string>> = {
  handoff_init: 'HandoffInit',
  context_chunk: 'ContextChunk',
  memory_item: 'StreamedMemory',
  pipeline_state: 'PipelineState',
  pending_tool: 'PendingTool',
  subagent_ref: 'SubagentRef',
  handoff_complete: 'HandoffComplete',
  handoff_error: 'HandoffError',
}

export const handoffMessageSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'urn:waybill:schema:aaif:handoff-message:3.4.0',
  title: 'HandoffMessage',
  description: 'One line of a streaming handoff (AAIF 3.4.0 §8.3).',
  type: 'object',
  required: ['type'],
  oneOf: Object.values(HANDOFF_MESSAGES).map(ref),
  $defs: {
    HandoffInit: init,
    ContextChunk: chunk,
    StreamedMemory: memory,
    PipelineState: position,
    PendingTool: pending,
    SubagentRef: subagent,
    HandoffComplete: complete,
    HandoffError: failure,
    StateMessage: message,
    PipelinePosition: pipelinePosition,
  },
} satisfies Schema
