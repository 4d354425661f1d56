// Generated from src/spec/iap/result.schema.ts by `npm run generate`. Do not edit.
import type { Json, JsonObject } from '../../../document/json.ts'

/** The result of a task. */
export interface TaskResult {
  /** Version of IAP that the result follows. */
  readonly iap_version?: string
  /** The id of the task. */
  readonly task_id: string
  /** Status of the work. */
  readonly status: 'complete' | 'partial' | 'failed' | 'in_progress'
  /** The output. */
  readonly result?: Json
  /** What went wrong. */
  readonly error?: string
  /** The success criteria that were met. */
  readonly criteria_met?: readonly string[]
  /** The success criteria that were not met. */
  readonly criteria_unmet?: readonly string[]
  readonly metadata?: ResultMetadata
  /** Other members are allowed; readers ignore them. */
  readonly [member: string]: unknown
}

/** Data about the work. */
export interface ResultMetadata {
  /** When the work began. */
  readonly started_at?: string
  /** When the work ended. */
  readonly completed_at?: string
  /** Number of tokens used. */
  readonly tokens_used?: number
  /** The agent that did the work. */
  readonly agent_id?: string
  /** Other members are allowed; readers ignore them. */
  readonly [member: string]: unknown
}
