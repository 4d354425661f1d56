// Generated from src/spec/iap/task.schema.ts by `npm run generate`. Do not edit.
import type { Json, JsonObject } from '../../../document/json.ts'

/** A task that one agent asks another to do. */
export interface Task {
  /** Version of IAP that the task follows. */
  readonly iap_version?: string
  /** Names this task: a UUID or any other reference. */
  readonly task_id?: string
  readonly sender?: Sender
  readonly delivery?: Delivery
  readonly task: Assignment
  readonly constraints?: TaskConstraints
  /** What makes it a success. */
  readonly success_criteria?: readonly string[]
  readonly output?: TaskOutput
  readonly on_failure?: OnFailure
  /** The task that this one was made from, when a receiver passes work on. */
  readonly parent_task_id?: string
  /** Others may stand here; readers ignore them. */
  readonly [member: string]: unknown
}

/** Who asks. */
export interface Sender {
  /** The agent that asks. */
  readonly agent_id?: string
  /** Its address: identity and place for replies, as claimed. */
  readonly email?: string
  /** The framework that runs it. */
  readonly framework?: string
  /** How results reach it when nothing else says so. */
  readonly callback?: string
  /** Others may stand here; readers ignore them. */
  readonly [member: string]: unknown
}

/** How the task is delivered, and its result. */
export interface Delivery {
  /** Wait for it, be called back, or write letters. */
  readonly method?: 'sync' | 'async' | 'email'
  /** Where the result is posted, for async. */
  readonly webhook?: string
  /** The address that the task is sent to, for email. */
  readonly email?: string
  /** Where progress can be asked for. */
  readonly status_endpoint?: string
  /** Others may stand here; readers ignore them. */
  readonly [member: string]: unknown
}

/** What is to be done. */
export interface Assignment {
  /** What is wanted, in one line. */
  readonly intent: string
  /** The whole story: background, reasons, what was tried. */
  readonly details?: string
  /** Context that is small enough to stand here. */
  readonly context?: string
  /** Where larger context is: an http(s) or file reference. */
  readonly context_ref?: string
  /** Others may stand here; readers ignore them. */
  readonly [member: string]: unknown
}

/** The limits of the work. */
export interface TaskConstraints {
  /** How long it may take: 30m, 2h, 45s, 1d, or an ISO 8601 duration. */
  readonly time_limit?: string
  /** How many tokens it may use. */
  readonly token_budget?: number
  /** The only tools that may be used. */
  readonly tools_allowed?: readonly string[]
  /** Tools that may not be used, even when they are allowed. */
  readonly tools_denied?: readonly string[]
  /** Limits in plain words. */
  readonly scope?: string
  /** What the receiver must be able to do; without it the task is refused at once. */
  readonly requires_capabilities?: readonly string[]
  /** Others may stand here; readers ignore them. */
  readonly [member: string]: unknown
}

/** What the result looks like. */
export interface TaskOutput {
  /** Its form. */
  readonly format?: 'markdown' | 'json' | 'yaml' | 'code' | 'freeform'
  /** What it looks like when its form is json: a JSON Schema, or a sketch {key: type name}. */
  readonly schema?: string | JsonObject
  /** Where it goes: a file or callback URL, or inline. */
  readonly deliver_to?: string
  /** Others may stand here; readers ignore them. */
  readonly [member: string]: unknown
}

/** What happens when it does not work out. */
export interface OnFailure {
  /** What to do then. */
  readonly action?: 'return_partial' | 'retry' | 'escalate' | 'abort'
  /** How often to try again. */
  readonly max_retries?: number
  /** Who takes over: human, or an agent_id. */
  readonly escalate_to?: string
  /** Others may stand here; readers ignore them. */
  readonly [member: string]: unknown
}
