// Generated from src/spec/aaif/handoff-message.schema.ts by `npm run generate`. Do not edit.
import type { Json, JsonObject } from '../../../document/json.ts'

/** One line of a streaming handoff (AAIF 3.4.0 §8.3). */
export type HandoffMessage =
  | HandoffInit
  | ContextChunk
  | StreamedMemory
  | PipelineState
  | PendingTool
  | SubagentRef
  | HandoffComplete
  | HandoffError

/** Starts the stream and carries the migration token (§8.3). */
export interface HandoffInit {
  /** What this line is. */
  readonly type: 'handoff_init'
  /** UUID of the checkpoint that is streamed. */
  readonly state_id: string
  /** The agent_id of the definition that runs. */
  readonly agent_id: string
  /** UUID of the run. */
  readonly run_id: string
  /** The platform that sends the state. */
  readonly source_platform: string
  /** Signed token of at most 15 minutes; verified before the next line (§8.3). */
  readonly migration_token: string
  /** When the state was captured; default: the time of receipt. */
  readonly checkpoint_at?: string
  /** Other members are allowed; readers ignore them. */
  readonly [member: string]: unknown
}

/** The next messages of the conversation. */
export interface ContextChunk {
  /** What this line is. */
  readonly type: 'context_chunk'
  /** Index of this chunk: 0, 1, 2, … */
  readonly index: number
  /** The messages, oldest first. */
  readonly messages: readonly StateMessage[]
  /** Other members are allowed; readers ignore them. */
  readonly [member: string]: unknown
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

/** One memory item. */
export interface StreamedMemory {
  /** What this line is. */
  readonly type: 'memory_item'
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
  /** Seconds until it expires. */
  readonly ttl_remaining_seconds?: number
  /** Other members are allowed; readers ignore them. */
  readonly [member: string]: unknown
}

/** Progress of the run. */
export interface PipelineState {
  /** What this line is. */
  readonly type: 'pipeline_state'
  readonly pipeline_position: PipelinePosition
  /** Values of this task. */
  readonly variables: JsonObject
  /** Rounds of model and tools so far. */
  readonly iteration: number
  /** Other members are allowed; readers ignore them. */
  readonly [member: string]: unknown
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

/** A tool call without an answer. */
export interface PendingTool {
  /** What this line is. */
  readonly type: 'pending_tool'
  /** The id that the model gave the call. */
  readonly id: string
  /** The tool that was called. */
  readonly tool_name: string
  /** Arguments of the call. */
  readonly arguments: JsonObject
  /** Status of the call. */
  readonly status: 'pending' | 'in_flight' | 'awaiting_result'
  /** When the call was started. */
  readonly submitted_at?: string
  /** Where the answer was to be sent. */
  readonly callback_url?: string
  /** Other members are allowed; readers ignore them. */
  readonly [member: string]: unknown
}

/** A subagent and the id of its own state. */
export interface SubagentRef {
  /** What this line is. */
  readonly type: 'subagent_ref'
  /** Its alias in orchestration.subagents. */
  readonly alias: string
  /** The agent_id of its definition. */
  readonly agent_id: string
  /** The state_id of its own Agent State. */
  readonly state_id: string
  /** Other members are allowed; readers ignore them. */
  readonly [member: string]: unknown
}

/** Ends a complete stream (§8.3). */
export interface HandoffComplete {
  /** What this line is. */
  readonly type: 'handoff_complete'
  /** SHA-256 in hex of the canonical JSON of the state that the lines form. */
  readonly checksum: string
  /** Other members are allowed; readers ignore them. */
  readonly [member: string]: unknown
}

/** Ends a stream that failed: receivers discard all of it (§8.3). */
export interface HandoffError {
  /** What this line is. */
  readonly type: 'handoff_error'
  /** Code for machines. */
  readonly code: string
  /** What happened, for people. */
  readonly message: string
  /** Other members are allowed; readers ignore them. */
  readonly [member: string]: unknown
}
