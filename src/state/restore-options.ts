import type { JsonObject } from '../document/json.ts'
import type { Program } from '../plan/plan.ts'
import type { OriginCall } from '../run/state.ts'
import type { AgentState } from '../spec/aaif/generated/state.ts'
import type { ArrivedConversation } from './arriving-conversation.ts'
import type { OriginAnswer } from './restore-calls.ts'
import type { SentOutline } from './sent-outline.ts'

export interface RestoreOptions {
  readonly program: Program
  /** The run that continues the captured one. */
  readonly runId: string
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Who restores it. */
  readonly by: string
  /** No migration token proves that the captured run has stopped. */
  readonly fork: boolean
  /** The state was captured from a record of this home, and not read from a file. */
  readonly trusted: boolean
  /** Whether the run continues at once; absent: unless its status says that it was paused. */
  readonly resumes?: boolean
  /** The user and the session of the run that continues. */
  readonly user?: string
  readonly session?: string
  /** What the record of the captured run says, if it is here. */
  readonly origin?: Origin
  /** What has become of the values of personal data that the state names; absent: it names none that are not here. */
  readonly values?: RestoredValues
  /** The own states of sub-agents that came with the state, in any order; their checksums are verified. */
  readonly documents?: readonly AgentState[]
  /** The conversation of the run, if it is not in the document; an outline: nothing is stored. */
  readonly conversation?: ArrivedConversation | SentOutline
}

export interface RestoredValues {
  /** Values that the run can use. */
  readonly carried: number
  /** Names that were replaced by texts such as `[email withheld]`. */
  readonly lost: number
  /** Why they were. */
  readonly why: string
  /** Replaces placeholders by the real values; null: a dry run, which has moved only the names of these values. */
  readonly reveal: (args: JsonObject) => JsonObject | null
}

/** The record of a captured run after the capture. */
export interface Origin {
  answer(key: string): OriginAnswer | undefined
  /** The writes that were sent after the capture, by this run and by its sub-agents. */
  readonly sentLater: readonly OriginCall[]
  /** Of a sub-agent's run that was open at the capture. */
  child(runId: string): Origin | undefined
}

/** Returns whether values of personal data that the state names were left behind. */
export function isWithheld({ values }: Pick<RestoreOptions, 'values'>): boolean {
  return (values?.lost ?? 0) > 0
}
