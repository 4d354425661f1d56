// Generated from src/spec/iap/task.schema.ts by `npm run generate`. Do not edit.
import type { Json, JsonObject } from '../../../document/json.ts'

/** A task that one agent asks another to do. */
export interface Task {
  /** Version of IAP that the task follows. */
  readonly iap_version?: string
  /** Id of the task: a UUID or any other string. */
  readonly task_id?: string
  readonly sender?: Sender
  readonly delivery?: Delivery
  readonly task: Assignment
  readonly constraints?: TaskConstraints
  /** Criteria for success. */
  readonly success_criteria?: readonly string[]
  readonly output?: TaskOutput
  readonly on_failure?: OnFailure
  /** The task from which this task was made, if a receiver delegates work. */
  readonly parent_task_id?: string
  /** Other members are allowed; readers ignore them. */
  readonly [member: string]: unknown
}

/** The sender. */
export interface Sender {
  /** The agent that sends the task. */
  readonly agent_id?: string
  /** Its address: identity and address for replies, not verified. */
  readonly email?: string
  /** The framework that runs it. */
  readonly framework?: string
  /** Default address for results. */
  readonly callback?: string
  /** Other members are allowed; readers ignore them. */
  readonly [member: string]: unknown
}

/** How the task and its result are delivered. */
export interface Delivery {
  /** Wait for the result, receive a callback, or use e-mail. */
  readonly method?: 'sync' | 'async' | 'email'
  /** URL that receives the result, for async. */
  readonly webhook?: string
  /** Address to which the task is sent, for email. */
  readonly email?: string
  /** URL that returns the progress. */
  readonly status_endpoint?: string
  /** Other members are allowed; readers ignore them. */
  readonly [member: string]: unknown
}

/** The work. */
export interface Assignment {
  /** The work, in one line. */
  readonly intent: string
  /** Details: background, reasons, earlier attempts. */
  readonly details?: string
  /** Context that is small enough to be inline. */
  readonly context?: string
  /** Location of larger context: an http(s) or file reference. */
  readonly context_ref?: string
  /** Other members are allowed; readers ignore them. */
  readonly [member: string]: unknown
}

/** The limits of the work. */
export interface TaskConstraints {
  /** Time limit: 30m, 2h, 45s, 1d, or an ISO 8601 duration. */
  readonly time_limit?: string
  /** Maximum number of tokens. */
  readonly token_budget?: number
  /** The only tools that may be used. */
  readonly tools_allowed?: readonly string[]
  /** Tools that may not be used, even if they are allowed. */
  readonly tools_denied?: readonly string[]
  /** Limits in natural language. */
  readonly scope?: string
  /** Capabilities that the receiver must have; otherwise it refuses the task at once. */
  readonly requires_capabilities?: readonly string[]
  /** Other members are allowed; readers ignore them. */
  readonly [member: string]: unknown
}

/** Form of the result. */
export interface TaskOutput {
  /** Its format. */
  readonly format?: 'markdown' | 'json' | 'yaml' | 'code' | 'freeform'
  /** Form of JSON output: a JSON Schema, or a sketch {key: type name}. */
  readonly schema?: string | JsonObject
  /** Destination: a file or callback URL, or inline. */
  readonly deliver_to?: string
  /** Other members are allowed; readers ignore them. */
  readonly [member: string]: unknown
}

/** What happens if the work fails. */
export interface OnFailure {
  /** Action after a failure. */
  readonly action?: 'return_partial' | 'retry' | 'escalate' | 'abort'
  /** Maximum number of retries. */
  readonly max_retries?: number
  /** Who continues the work: human, or an agent_id. */
  readonly escalate_to?: string
  /** Other members are allowed; readers ignore them. */
  readonly [member: string]: unknown
}
