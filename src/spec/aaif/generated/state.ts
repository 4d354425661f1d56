// Generated from src/spec/aaif/state.schema.ts by `npm run generate`. Do not edit.
import type { Json, JsonObject } from '../../../document/json.ts'

/** Everything needed to go on with a run elsewhere or later (AAIF 3.4.0 §8.1). */
export interface AgentState {
  /** Extension of a vendor; never alters behaviour. */
  readonly [extension: `x-${string}`]: Json
  /** A note to people; ignored. */
  readonly _comment?: string
  /** Says that this is AAIF (§4.1). */
  readonly sc_standard: 'SC-006'
  /** Version of the format. */
  readonly sc_version?: string
  /** UUID of this checkpoint; each has its own (§8.1). */
  readonly state_id: string
  /** The agent_id of the definition that runs (§8.1). */
  readonly agent_id: string
  /** UUID that all checkpoints of one run share (§8.1). */
  readonly run_id?: string
  /** agent.version of the definition when captured. */
  readonly agent_version?: string
  /** When it was captured, in UTC (§8.1). */
  readonly checkpoint_at: string
  /** What the run was doing (§8.1). */
  readonly status:
    'running' | 'paused' | 'awaiting_approval' | 'awaiting_tool_result' | 'completed' | 'failed' | 'migrating'
  /** Rounds of model and tools so far; max_iterations goes on counting (§8.1). */
  readonly iteration?: number
  readonly pipeline_position?: PipelinePosition
  /** All messages so far, oldest first (§8.1). */
  readonly conversation?: readonly StateMessage[]
  /** The memory in scope, without embeddings (§8.1). */
  readonly memory_snapshot?: readonly MemoryItem[]
  /** Calls to send again or time out on restore (§8.1). */
  readonly pending_tool_calls?: readonly PendingToolCall[]
  /** Every subagent in short (§8.1). */
  readonly subagent_states?: readonly SubagentState[]
  /** Values of this task, given back unchanged on restore (§8.1). */
  readonly variables?: JsonObject
  readonly approval_request?: ApprovalRequest
  readonly error?: RunError
  readonly provenance?: StateProvenance
}

/** Where in its pipeline the run is (§8.1). */
export interface PipelinePosition {
  /** Alias or id of the step that runs. */
  readonly current_step?: string
  /** Steps that are done, in order. */
  readonly completed_steps?: readonly string[]
  /** Steps still to come, in order. */
  readonly remaining_steps?: readonly string[]
  /** Alias of the subagent at work in the current step. */
  readonly current_subagent?: string
  /** Which slot of a swarm this agent has, from 0. */
  readonly parallel_slot?: number
}

/** One message of the conversation (§8.1). */
export interface StateMessage {
  /** Who speaks. */
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  /** What is said; of a tool its answer as JSON text. */
  readonly content: string
  /** Of a tool: the call it answers. */
  readonly tool_call_id?: string
  /** Of a tool: its name. */
  readonly tool_name?: string
  /** About how many tokens the message has. */
  readonly token_count?: number
  /** When it was said. */
  readonly timestamp?: string
}

/** A memory item; its embedding is computed again on restore (§8.1). */
export interface MemoryItem {
  /** Who may see it and how long it lives. */
  readonly scope: 'user' | 'session' | 'task' | 'long_term'
  /** Name to look it up by. */
  readonly key: string
  /** What is remembered, as text. */
  readonly content: string
  /** Where it was stored; only for information. */
  readonly backend?: string
  /** When it was last written. */
  readonly captured_at?: string
  /** Seconds it had left to live when captured. */
  readonly ttl_remaining_seconds?: number
}

/** A tool call without an answer yet (§8.1). */
export interface PendingToolCall {
  /** The id that the model gave the call. */
  readonly id: string
  /** The tool that was called. */
  readonly tool_name: string
  /** What it was called with. */
  readonly arguments: JsonObject
  /** How far the call has come. */
  readonly status?: 'pending' | 'in_flight' | 'awaiting_result'
  /** When the call was begun. */
  readonly submitted_at?: string
  /** Where the answer was to be sent. */
  readonly callback_url?: string
}

/** A subagent in short; an active one has an Agent State of its own (§8.1). */
export interface SubagentState {
  /** Its alias in orchestration.subagents. */
  readonly alias: string
  /** The agent_id of its definition. */
  readonly agent_id: string
  /** The state_id of its own Agent State. */
  readonly state_id?: string
  /** What it is doing. */
  readonly status?: 'pending' | 'running' | 'paused' | 'completed' | 'failed'
  /** What it answered, if it is done. */
  readonly output?: Json
}

/** What a person is asked to approve (§8.1). */
export interface ApprovalRequest {
  /** Why approval is needed, in plain words. */
  readonly trigger_description?: string
  readonly pending_action?: PendingAction
  /** When the person was asked. */
  readonly requested_at?: string
  /** Until when an answer counts; after it the action is denied. */
  readonly timeout_at?: string
  /** Person, role or channel that is to be asked. */
  readonly approver_hint?: string
}

/** The action that waits for approval. */
export interface PendingAction {
  /** The tool that would be called. */
  readonly tool_name?: string
  /** What it would be called with. */
  readonly arguments?: JsonObject
  /** Others may stand here; readers ignore them. */
  readonly [member: string]: unknown
}

/** Why the run failed (§8.1). */
export interface RunError {
  /** Code for machines, e.g. TOOL_TIMEOUT. */
  readonly code?: string
  /** What happened, for people. */
  readonly message?: string
  /** The step or tool at which it happened. */
  readonly step?: string
  /** When it happened. */
  readonly occurred_at?: string
  /** How many retries were left. */
  readonly retries_remaining?: number
  /** For debugging; removed before the state leaves the platform (§12). */
  readonly stack_trace?: string
}

/** Where the state comes from and how it is protected (§8.1). */
export interface StateProvenance {
  /** The platform that captured it. */
  readonly source_platform?: string
  /** The version of that platform. */
  readonly source_runtime_version?: string
  /** The person or account that had it captured. */
  readonly captured_by?: string
  /** The platform it is meant for; only for information. */
  readonly target_platform?: string
  /** Signed token of at most 15 minutes that allows the transfer (§8.2). */
  readonly migration_token?: string
  /** SHA-256 in lower-case hex of the canonical JSON without this member (§8.1). */
  readonly checksum?: string
}
