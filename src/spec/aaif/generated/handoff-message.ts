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

/** Begins the stream and proves that it is allowed (§8.3). */
export interface HandoffInit {
  /** What this line is. */
  readonly type: 'handoff_init'
  /** UUID of the checkpoint that is streamed. */
  readonly state_id: string
  /** The agent_id of the definition that runs. */
  readonly agent_id: string
  /** UUID of the run. */
  readonly run_id: string
  /** The platform that hands over. */
  readonly source_platform: string
  /** Signed token of at most 15 minutes; verified before the next line (§8.3). */
  readonly migration_token: string
  /** When the state was captured; without it the time of receipt counts. */
  readonly checkpoint_at?: string
  /** Others may stand here; readers ignore them. */
  readonly [member: string]: unknown
}

/** The next messages of the conversation. */
export interface ContextChunk {
  /** What this line is. */
  readonly type: 'context_chunk'
  /** Place of this chunk: 0, 1, 2, … */
  readonly index: number
  /** The messages, oldest first. */
  readonly messages: readonly StateMessage[]
  /** Others may stand here; readers ignore them. */
  readonly [member: string]: unknown
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

/** One memory item. */
export interface StreamedMemory {
  /** What this line is. */
  readonly type: 'memory_item'
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
  /** Seconds it had left to live. */
  readonly ttl_remaining_seconds?: number
  /** Others may stand here; readers ignore them. */
  readonly [member: string]: unknown
}

/** How far the run is. */
export interface PipelineState {
  /** What this line is. */
  readonly type: 'pipeline_state'
  readonly pipeline_position: PipelinePosition
  /** Values of this task. */
  readonly variables: JsonObject
  /** Rounds of model and tools so far. */
  readonly iteration: number
  /** Others may stand here; readers ignore them. */
  readonly [member: string]: unknown
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

/** A tool call without an answer yet. */
export interface PendingTool {
  /** What this line is. */
  readonly type: 'pending_tool'
  /** The id that the model gave the call. */
  readonly id: string
  /** The tool that was called. */
  readonly tool_name: string
  /** What it was called with. */
  readonly arguments: JsonObject
  /** How far the call has come. */
  readonly status: 'pending' | 'in_flight' | 'awaiting_result'
  /** When the call was begun. */
  readonly submitted_at?: string
  /** Where the answer was to be sent. */
  readonly callback_url?: string
  /** Others may stand here; readers ignore them. */
  readonly [member: string]: unknown
}

/** A subagent and where its own state is found. */
export interface SubagentRef {
  /** What this line is. */
  readonly type: 'subagent_ref'
  /** Its alias in orchestration.subagents. */
  readonly alias: string
  /** The agent_id of its definition. */
  readonly agent_id: string
  /** The state_id of its own Agent State. */
  readonly state_id: string
  /** Others may stand here; readers ignore them. */
  readonly [member: string]: unknown
}

/** Ends a stream that is whole (§8.3). */
export interface HandoffComplete {
  /** What this line is. */
  readonly type: 'handoff_complete'
  /** SHA-256 in hex of the canonical JSON of the state that the lines make up. */
  readonly checksum: string
  /** Others may stand here; readers ignore them. */
  readonly [member: string]: unknown
}

/** Ends a stream that failed: nothing of it counts (§8.3). */
export interface HandoffError {
  /** What this line is. */
  readonly type: 'handoff_error'
  /** Code for machines. */
  readonly code: string
  /** What happened, for people. */
  readonly message: string
  /** Others may stand here; readers ignore them. */
  readonly [member: string]: unknown
}
