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
 * (`npm run generate`). Every object is closed except `variables`, `arguments`, `output` and `pending_action`.
 */

const uuid = (description: string): Schema => text(description, { format: 'uuid' })
const time = (description: string): Schema => text(description, { format: 'date-time' })
const texts = (description: string): Schema => list({ type: 'string' }, description)

export const pipelinePosition = closed('Position of the run in its pipeline (§8.1).', [], {
  current_step: text('Alias or id of the current step.'),
  completed_steps: texts('Completed steps, in order.'),
  remaining_steps: texts('Remaining steps, in order.'),
  current_subagent: text('Alias of the subagent that runs the current step.'),
  parallel_slot: integer(undefined, 'Swarm slot of this agent, from 0.'),
})

export const message = closed('One message of the conversation (§8.1).', ['role', 'content'], {
  role: oneOf(MESSAGE_ROLES, 'Role of the author.'),
  content: text('Content; for a tool, its answer as a JSON string.'),
  tool_call_id: text('For a tool: the id of the call it answers.'),
  tool_name: text('For a tool: its name.'),
  token_count: integer(undefined, 'Approximate number of tokens of the message.'),
  timestamp: time('When the message was added.'),
})

const memoryItem = closed(
  'A memory item; its embedding is computed again on restore (§8.1).',
  ['scope', 'key', 'content'],
  {
    scope: oneOf(MEMORY_SCOPES, 'Who may read it and how long it is kept.'),
    key: text('Name to look it up by.'),
    content: text('The content, as text.'),
    backend: text('The backend that stored it; only for information.'),
    captured_at: time('When it was last written.'),
    ttl_remaining_seconds: integer(undefined, 'Seconds until it expires, counted from the capture.'),
  },
)

const pendingToolCall = closed('A tool call without an answer (§8.1).', ['id', 'tool_name', 'arguments'], {
  id: text('The id that the model gave the call.'),
  tool_name: text('The tool that was called.'),
  arguments: anyObject('Arguments of the call.'),
  status: oneOf(PENDING_STATUSES, 'Status of the call.'),
  submitted_at: time('When the call was started.'),
  callback_url: text('Where the answer was to be sent.'),
})

const subagentState = closed(
  'Summary of a subagent; an active subagent has its own Agent State (§8.1).',
  ['alias', 'agent_id'],
  {
    alias: text('Its alias in orchestration.subagents.'),
    agent_id: uuid('The agent_id of its definition.'),
    state_id: uuid('The state_id of its own Agent State.'),
    status: oneOf(SUBAGENT_STATUSES, 'Status of the subagent.'),
    output: { description: 'Its answer, if it has completed.' },
  },
)

const pendingAction = open('The action that awaits approval.', [], {
  tool_name: text('The tool that would be called.'),
  arguments: anyObject('Arguments of the call.'),
})

const approvalRequest = closed('What a person is asked to approve (§8.1).', [], {
  trigger_description: text('Why approval is needed, in natural language.'),
  pending_action: ref('PendingAction'),
  requested_at: time('When the approval was requested.'),
  timeout_at: time('When the request times out; the action is then denied.'),
  approver_hint: text('Person, role or channel that should decide.'),
})

const runError = closed('Why the run failed (§8.1).', [], {
  code: text('Code for machines, e.g. TOOL_TIMEOUT.'),
  message: text('What happened, for people.'),
  step: text('The step or tool at which it happened.'),
  occurred_at: time('When it happened.'),
  retries_remaining: integer(0, 'Number of retries left.'),
  stack_trace: text('For debugging; removed before the state leaves the platform (§12).'),
})

const provenance = closed('Origin and protection of the state (§8.1).', [], {
  source_platform: text('The platform that captured it.'),
  source_runtime_version: text('The version of that platform.'),
  captured_by: text('The person or account that requested the capture.'),
  target_platform: text('The intended target platform; only for information.'),
  migration_token: text('Signed token of at most 15 minutes that allows the transfer (§8.2).'),
  checksum: text('SHA-256 in lower-case hex of the canonical JSON without this member (§8.1).'),
})

export const stateSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'urn:waybill:schema:aaif:state:3.4.0',
  title: 'AgentState',
  ...closed(
    'Everything needed to resume a run later or on another platform (AAIF 3.4.0 §8.1).',
    ['sc_standard', 'state_id', 'agent_id', 'checkpoint_at', 'status'],
    {
      _comment: text('A note to people; ignored.'),
      sc_standard: { const: SC_STANDARD, description: 'Identifies the document as AAIF (§4.1).' },
      sc_version: text('Version of the format.', { pattern: '^\\d+\\.\\d+\\.\\d+$', default: '3.0.0' }),
      state_id: uuid('UUID of this checkpoint, unique for each checkpoint (§8.1).'),
      agent_id: uuid('The agent_id of the definition that runs (§8.1).'),
      run_id: uuid('UUID that all checkpoints of one run share (§8.1).'),
      agent_version: text('agent.version of the definition when captured.'),
      checkpoint_at: time('When it was captured, in UTC (§8.1).'),
      status: oneOf(STATE_STATUSES, 'Status of the run (§8.1).'),
      iteration: integer(0, 'Rounds of model and tools so far; max_iterations continues counting (§8.1).'),
      pipeline_position: ref('PipelinePosition'),
      conversation: list(ref('StateMessage'), 'All messages so far, oldest first (§8.1).'),
      memory_snapshot: list(ref('MemoryItem'), 'The memory in scope, without embeddings (§8.1).'),
      pending_tool_calls: list(ref('PendingToolCall'), 'Calls to send again or time out on restore (§8.1).'),
      subagent_states: list(ref('SubagentState'), 'Summary of every subagent (§8.1).'),
      variables: anyObject('Values of this task, returned unchanged on restore (§8.1).'),
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
