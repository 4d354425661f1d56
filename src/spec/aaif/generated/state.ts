// Generated from src/spec/aaif/state.schema.ts by `npm run generate`. Do not edit.
import type { Json, JsonObject } from '../../../document/json.ts'

/** Everything needed to resume a run later or on another platform (AAIF 3.4.0 §8.1). */
export interface AgentState {
  /** Extension of a vendor; never alters behaviour. */
  readonly [extension: `x-${string}`]: Json
  /** A note to people; ignored. */
  readonly _comment?: string
  /** Identifies the document as AAIF (§4.1). */
  readonly sc_standard: 'SC-006'
  /** Version of the format. */
  readonly sc_version?: string
  /** UUID of this checkpoint, unique for each checkpoint (§8.1). */
  readonly state_id: string
  /** The agent_id of the definition that runs (§8.1). */
  readonly agent_id: string
  /** UUID that all checkpoints of one run share (§8.1). */
  readonly run_id?: string
  /** agent.version of the definition when captured. */
  readonly agent_version?: string
  /** When it was captured, in UTC (§8.1). */
  readonly checkpoint_at: string
  /** Status of the run (§8.1). */
  readonly status:
    'running' | 'paused' | 'awaiting_approval' | 'awaiting_tool_result' | 'completed' | 'failed' | 'migrating'
  /** Rounds of model and tools so far; max_iterations continues counting (§8.1). */
  readonly iteration?: number
  readonly pipeline_position?: PipelinePosition
  /** All messages so far, oldest first (§8.1). */
  readonly conversation?: readonly StateMessage[]
  /** The memory in scope, without embeddings (§8.1). */
  readonly memory_snapshot?: readonly MemoryItem[]
  /** Calls to send again or time out on restore (§8.1). */
  readonly pending_tool_calls?: readonly PendingToolCall[]
  /** Summary of every subagent (§8.1). */
  readonly subagent_states?: readonly SubagentState[]
  /** Values of this task, returned unchanged on restore (§8.1). */
  readonly variables?: JsonObject
  readonly approval_request?: ApprovalRequest
  readonly error?: RunError
  readonly provenance?: StateProvenance
}

/** Position of the run in its pipeline (§8.1). */
export interface PipelinePosition {
  /** Alias or id of the current step. */
  readonly current_step?: string
  /** Completed steps, in order. */
  readonly completed_steps?: readonly string[]
  /** Remaining steps, in order. */
  readonly remaining_steps?: readonly string[]
  /** Alias of the subagent that runs the current step. */
  readonly current_subagent?: string
  /** Swarm slot of this agent, from 0. */
  readonly parallel_slot?: number
}

/** One message of the conversation (§8.1). */
export interface StateMessage {
  /** Role of the author. */
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  /** Content; for a tool, its answer as a JSON string. */
  readonly content: string
  /** For a tool: the id of the call it answers. */
  readonly tool_call_id?: string
  /** For a tool: its name. */
  readonly tool_name?: string
  /** Approximate number of tokens of the message. */
  readonly token_count?: number
  /** When the message was added. */
  readonly timestamp?: string
}

/** A memory item; its embedding is computed again on restore (§8.1). */
export interface MemoryItem {
  /** Who may read it and how long it is kept. */
  readonly scope: 'user' | 'session' | 'task' | 'long_term'
  /** Name to look it up by. */
  readonly key: string
  /** The content, as text. */
  readonly content: string
  /** The backend that stored it; only for information. */
  readonly backend?: string
  /** When it was last written. */
  readonly captured_at?: string
  /** Seconds until it expires, counted from the capture. */
  readonly ttl_remaining_seconds?: number
}

/** A tool call without an answer (§8.1). */
export interface PendingToolCall {
  /** The id that the model gave the call. */
  readonly id: string
  /** The tool that was called. */
  readonly tool_name: string
  /** Arguments of the call. */
  readonly arguments: JsonObject
  /** Status of the call. */
  readonly status?: 'pending' | 'in_flight' | 'awaiting_result'
  /** When the call was started. */
  readonly submitted_at?: string
  /** Where the answer was to be sent. */
  readonly callback_url?: string
}

/** Summary of a subagent; an active subagent has its own Agent State (§8.1). */
export interface SubagentState {
  /** Its alias in orchestration.subagents. */
  readonly alias: string
  /** The agent_id of its definition. */
  readonly agent_id: string
  /** The state_id of its own Agent State. */
  readonly state_id?: string
  /** Status of the subagent. */
  readonly status?: 'pending' | 'running' | 'paused' | 'completed' | 'failed'
  /** Its answer, if it has completed. */
  readonly output?: Json
}

/** What a person is asked to approve (§8.1). */
export interface ApprovalRequest {
  /** Why approval is needed, in natural language. */
  readonly trigger_description?: string
  readonly pending_action?: PendingAction
  /** When the approval was requested. */
  readonly requested_at?: string
  /** When the request times out; the action is then denied. */
  readonly timeout_at?: string
  /** Person, role or channel that should decide. */
  readonly approver_hint?: string
}

/** The action that awaits approval. */
export interface PendingAction {
  /** The tool that would be called. */
  readonly tool_name?: string
  /** Arguments of the call. */
  readonly arguments?: JsonObject
  /** Other members are allowed; readers ignore them. */
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
  /** Number of retries left. */
  readonly retries_remaining?: number
  /** For debugging; removed before the state leaves the platform (§12). */
  readonly stack_trace?: string
}

/** Origin and protection of the state (§8.1). */
export interface StateProvenance {
  /** The platform that captured it. */
  readonly source_platform?: string
  /** The version of that platform. */
  readonly source_runtime_version?: string
  /** The person or account that requested the capture. */
  readonly captured_by?: string
  /** The intended target platform; only for information. */
  readonly target_platform?: string
  /** Signed token of at most 15 minutes that allows the transfer (§8.2). */
  readonly migration_token?: string
  /** SHA-256 in lower-case hex of the canonical JSON without this member (§8.1). */
  readonly checksum?: string
}
