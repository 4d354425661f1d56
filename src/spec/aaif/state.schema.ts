import { anyObject, closed, integer, list, oneOf, open, ref, type Schema, text } from '../schema-builder.ts'
import {
  MEMORY_SCOPES,
  MESSAGE_ROLES,
  PENDING_STATUSES,
  SC_STANDARD,
  STATE_STATUSES,
  SUBAGENT_STATUSES,
} from './vocabulary.ts'

/**
 * The Agent State of AAIF 3.4.0 (§8.1): the one source of the published schema, the validator and the types
 * (`npm run generate`). Every object is closed but `variables`, `arguments`, `output` and `pending_action`.
 */

const uuid = (description: string): Schema => text(description, { format: 'uuid' })
const time = (description: string): Schema => text(description, { format: 'date-time' })
const texts = (description: string): Schema => list({ type: 'string' }, description)

export const pipelinePosition = closed('Where in its pipeline the run is (§8.1).', [], {
  current_step: text('Alias or id of the step that runs.'),
  completed_steps: texts('Steps that are done, in order.'),
  remaining_steps: texts('Steps still to come, in order.'),
  current_subagent: text('Alias of the subagent at work in the current step.'),
  parallel_slot: integer(undefined, 'Which slot of a swarm this agent has, from 0.'),
})

export const message = closed('One message of the conversation (§8.1).', ['role', 'content'], {
  role: oneOf(MESSAGE_ROLES, 'Who speaks.'),
  content: text('What is said; of a tool its answer as JSON text.'),
  tool_call_id: text('Of a tool: the call it answers.'),
  tool_name: text('Of a tool: its name.'),
  token_count: integer(undefined, 'About how many tokens the message has.'),
  timestamp: time('When it was said.'),
})

const memoryItem = closed(
  'A memory item; its embedding is computed again on restore (§8.1).',
  ['scope', 'key', 'content'],
  {
    scope: oneOf(MEMORY_SCOPES, 'Who may see it and how long it lives.'),
    key: text('Name to look it up by.'),
    content: text('What is remembered, as text.'),
    backend: text('Where it was stored; only for information.'),
    captured_at: time('When it was last written.'),
    ttl_remaining_seconds: integer(undefined, 'Seconds it had left to live when captured.'),
  },
)

const pendingToolCall = closed(
  'A tool call without an answer yet (§8.1).',
  ['id', 'tool_name', 'arguments'],
  {
    id: text('The id that the model gave the call.'),
    tool_name: text('The tool that was called.'),
    arguments: anyObject('What it was called with.'),
    status: oneOf(PENDING_STATUSES, 'How far the call has come.'),
    submitted_at: time('When the call was begun.'),
    callback_url: text('Where the answer was to be sent.'),
  },
)

const subagentState = closed(
  'A subagent in short; an active one has an Agent State of its own (§8.1).',
  ['alias', 'agent_id'],
  {
    alias: text('Its alias in orchestration.subagents.'),
    agent_id: uuid('The agent_id of its definition.'),
    state_id: uuid('The state_id of its own Agent State.'),
    status: oneOf(SUBAGENT_STATUSES, 'What it is doing.'),
    output: { description: 'What it answered, if it is done.' },
  },
)

const pendingAction = open('The action that waits for approval.', [], {
  tool_name: text('The tool that would be called.'),
  arguments: anyObject('What it would be called with.'),
})

const approvalRequest = closed('What a person is asked to approve (§8.1).', [], {
  trigger_description: text('Why approval is needed, in plain words.'),
  pending_action: ref('PendingAction'),
  requested_at: time('When the person was asked.'),
  timeout_at: time('Until when an answer counts; after it the action is denied.'),
  approver_hint: text('Person, role or channel that is to be asked.'),
})

const runError = closed('Why the run failed (§8.1).', [], {
  code: text('Code for machines, e.g. TOOL_TIMEOUT.'),
  message: text('What happened, for people.'),
  step: text('The step or tool at which it happened.'),
  occurred_at: time('When it happened.'),
  retries_remaining: integer(0, 'How many retries were left.'),
  stack_trace: text('For debugging; removed before the state leaves the platform (§12).'),
})

const provenance = closed('Where the state comes from and how it is protected (§8.1).', [], {
  source_platform: text('The platform that captured it.'),
  source_runtime_version: text('The version of that platform.'),
  captured_by: text('The person or account that had it captured.'),
  target_platform: text('The platform it is meant for; only for information.'),
  migration_token: text('Signed token of at most 15 minutes that allows the transfer (§8.2).'),
  checksum: text('SHA-256 in lower-case hex of the canonical JSON without this member (§8.1).'),
})

export const stateSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'urn:waybill:schema:aaif:state:3.4.0',
  title: 'AgentState',
  ...closed(
    'Everything needed to go on with a run elsewhere or later (AAIF 3.4.0 §8.1).',
    ['sc_standard', 'state_id', 'agent_id', 'checkpoint_at', 'status'],
    {
      _comment: text('A note to people; ignored.'),
      sc_standard: { const: SC_STANDARD, description: 'Says that this is AAIF (§4.1).' },
      sc_version: text('Version of the format.', { pattern: '^\\d+\\.\\d+\\.\\d+$', default: '3.0.0' }),
      state_id: uuid('UUID of this checkpoint; each has its own (§8.1).'),
      agent_id: uuid('The agent_id of the definition that runs (§8.1).'),
      run_id: uuid('UUID that all checkpoints of one run share (§8.1).'),
      agent_version: text('agent.version of the definition when captured.'),
      checkpoint_at: time('When it was captured, in UTC (§8.1).'),
      status: oneOf(STATE_STATUSES, 'What the run was doing (§8.1).'),
      iteration: integer(0, 'Rounds of model and tools so far; max_iterations goes on counting (§8.1).'),
      pipeline_position: ref('PipelinePosition'),
      conversation: list(ref('StateMessage'), 'All messages so far, oldest first (§8.1).'),
      memory_snapshot: list(ref('MemoryItem'), 'The memory in scope, without embeddings (§8.1).'),
      pending_tool_calls: list(ref('PendingToolCall'), 'Calls to send again or time out on restore (§8.1).'),
      subagent_states: list(ref('SubagentState'), 'Every subagent in short (§8.1).'),
      variables: anyObject('Values of this task, given back unchanged on restore (§8.1).'),
      approval_request: ref('ApprovalRequest'),
      error: ref('RunError'),
      provenance: ref('StateProvenance'),
    },
    { patternProperties: { '^x-': { description: 'Extension of a vendor; never alters behaviour (§10).' } } },
  ),
  $defs: {
    PipelinePosition: pipelinePosition,
    StateMessage: message,
    MemoryItem: memoryItem,
    PendingToolCall: pendingToolCall,
    SubagentState: subagentState,
    PendingAction: pendingAction,
    ApprovalRequest: approvalRequest,
    RunError: runError,
    StateProvenance: provenance,
  },
} satisfies Schema
