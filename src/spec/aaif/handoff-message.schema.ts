import { anyObject, integer, list, oneOf, open, ref, type Schema, text } from '../schema-builder.ts'
import { message, pipelinePosition } from './state.schema.ts'
import { MEMORY_SCOPES, PENDING_STATUSES } from './vocabulary.ts'

/**
 * One line of a streaming handoff (AAIF 3.4.0 §8.3): the one source of the published schema, the validator and the
 * types (`npm run generate`). Messages may carry more members than the text names, for a whole Agent State needs them
 * (`checkpoint_at`, the backend of a memory item); what is inside of them is closed as it is in the state.
 */

/** A message: an open object told by its `type`; all of its members are required but those in `optional`. */
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
  'Begins the stream and proves that it is allowed (§8.3).',
  {
    state_id: uuid('UUID of the checkpoint that is streamed.'),
    agent_id: uuid('The agent_id of the definition that runs.'),
    run_id: uuid('UUID of the run.'),
    source_platform: text('The platform that hands over.'),
    migration_token: text('Signed token of at most 15 minutes; verified before the next line (§8.3).'),
  },
  { checkpoint_at: time('When the state was captured; without it the time of receipt counts.') },
)

const chunk = line('context_chunk', 'The next messages of the conversation.', {
  index: integer(0, 'Place of this chunk: 0, 1, 2, …'),
  messages: list(ref('StateMessage'), 'The messages, oldest first.'),
})

const memory = line(
  'memory_item',
  'One memory item.',
  {
    scope: oneOf(MEMORY_SCOPES, 'Who may see it and how long it lives.'),
    key: text('Name to look it up by.'),
    content: text('What is remembered, as text.'),
  },
  {
    backend: text('Where it was stored; only for information.'),
    captured_at: time('When it was last written.'),
    ttl_remaining_seconds: integer(undefined, 'Seconds it had left to live.'),
  },
)

const position = line('pipeline_state', 'How far the run is.', {
  pipeline_position: ref('PipelinePosition'),
  variables: anyObject('Values of this task.'),
  iteration: integer(0, 'Rounds of model and tools so far.'),
})

const pending = line(
  'pending_tool',
  'A tool call without an answer yet.',
  {
    id: text('The id that the model gave the call.'),
    tool_name: text('The tool that was called.'),
    arguments: anyObject('What it was called with.'),
    status: oneOf(PENDING_STATUSES, 'How far the call has come.'),
  },
  {
    submitted_at: time('When the call was begun.'),
    callback_url: text('Where the answer was to be sent.'),
  },
)

const subagent = line('subagent_ref', 'A subagent and where its own state is found.', {
  alias: text('Its alias in orchestration.subagents.'),
  agent_id: uuid('The agent_id of its definition.'),
  state_id: uuid('The state_id of its own Agent State.'),
})

const complete = line('handoff_complete', 'Ends a stream that is whole (§8.3).', {
  checksum: text('SHA-256 in hex of the canonical JSON of the state that the lines make up.'),
})

const failure = line('handoff_error', 'Ends a stream that failed: nothing of it counts (§8.3).', {
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
