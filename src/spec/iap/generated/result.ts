// Generated from src/spec/iap/result.schema.ts by `npm run generate`. Do not edit.
import type { Json, JsonObject } from '../../../document/json.ts'

/** What became of a task. */
export interface TaskResult {
  /** Version of IAP that the result follows. */
  readonly iap_version?: string
  /** The task that it answers. */
  readonly task_id: string
  /** How far it came. */
  readonly status: 'complete' | 'partial' | 'failed' | 'in_progress'
  /** What was made. */
  readonly result?: Json
  /** What went wrong. */
  readonly error?: string
  /** The success criteria that were met. */
  readonly criteria_met?: readonly string[]
  /** The success criteria that were not met. */
  readonly criteria_unmet?: readonly string[]
  readonly metadata?: ResultMetadata
  /** Others may stand here; readers ignore them. */
  readonly [member: string]: unknown
}

/** How it was done. */
export interface ResultMetadata {
  /** When the work began. */
  readonly started_at?: string
  /** When the work ended. */
  readonly completed_at?: string
  /** How many tokens it took. */
  readonly tokens_used?: number
  /** The agent that did it. */
  readonly agent_id?: string
  /** Others may stand here; readers ignore them. */
  readonly [member: string]: unknown
}
