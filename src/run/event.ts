import type { AnyCode } from '../document/codes.ts'
import type { Json } from '../document/json.ts'
import type { HookName } from '../plan/plan.ts'
import type { PiiCount } from '../policy/pii/clean-json.ts'
import type { CallOutcome, FetchedAgain, ModelFailureKind, Recalled } from './ports.ts'
import type {
  AssistantMessage,
  CallEntry,
  CallStatus,
  MemoryItem,
  Message,
  ModelAttempt,
  Review,
  RouteFailure,
  RunEnd,
  RunLimits,
  RunTotals,
  RunWarning,
  Stage,
  Usage,
} from './state.ts'

/** Something that happened in the world. Facts are the only way anything enters a run. */
export type Fact =
  | {
      readonly type: 'run.started'
      readonly input: Json
      /** Of a sub-agent's run: what its parent set aside for it. */
      readonly limits?: RunLimits
      readonly depth?: number
      /** Destinations that the user has named to the agents above: no injected instruction is needed to write there. */
      readonly named?: readonly string[]
      /** The input came with a trigger: what stands in it was named by whoever caused that, and not by a user. */
      readonly triggered?: true
      /** The parent's conversation, when it was passed on. */
      readonly history?: readonly Message[]
      /** What the parent passes on of what it remembers. */
      readonly memory?: Recalled
      /** W3C `traceparent`: the trace that the run was called in. */
      readonly trace_parent?: string
      /** W3C `tracestate` of the same trace. */
      readonly trace_state?: string
      /** With the real values in place of what stands for them, the input fits its schema. */
      readonly fits?: true
      /** Personal data that was found in it: how much of what, and where; never the data. */
      readonly pii?: readonly PiiCount[]
    }
  /** The next thing a user says in a conversation whose last turn has ended. */
  | {
      readonly type: 'user.said'
      readonly input: Json
      /** Texts of the prompt that had become too old, as they are now. */
      readonly background?: readonly FetchedAgain[]
      readonly fits?: true
      readonly pii?: readonly PiiCount[]
    }
  /** What is remembered was looked up for a turn. */
  | {
      readonly type: 'memory.read'
      readonly turn: number
      readonly items: readonly MemoryItem[]
      /** What could not be looked up. */
      readonly warnings?: readonly RunWarning[]
      readonly latency_ms: number
      readonly pii?: readonly PiiCount[]
    }
  | {
      readonly type: 'model.answered'
      readonly attempt: number
      readonly message: AssistantMessage
      readonly finish: 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'other'
      readonly usage: Usage
      readonly warnings?: readonly string[]
      readonly latency_ms: number
      readonly pii?: readonly PiiCount[]
    }
  | {
      readonly type: 'model.failed'
      readonly attempt: number
      readonly kind: ModelFailureKind
      readonly code: AnyCode
      readonly message: string
      readonly retry_after_ms?: number
      readonly latency_ms: number
      readonly pii?: readonly PiiCount[]
    }
  | {
      readonly type: 'call.answered'
      readonly call_id: string
      readonly result: Json
      readonly latency_ms: number
      /** Of a sub-agent: what its run used. */
      readonly usage?: RunTotals
      readonly fits?: true
      readonly pii?: readonly PiiCount[]
    }
  | {
      readonly type: 'call.failed'
      readonly call_id: string
      readonly code: AnyCode
      readonly message: string
      readonly outcome: CallOutcome
      readonly latency_ms: number
      readonly usage?: RunTotals
      readonly pii?: readonly PiiCount[]
    }
  /** A sub-agent's run waits for a person. */
  | { readonly type: 'call.held'; readonly call_id: string }
  | {
      readonly type: 'person.decided'
      readonly call_id: string
      /** Of a call that asks: approve or deny. Of one whose fate is unknown: resend, assume (it was done), deny (it was not). */
      readonly verdict: Verdict
      readonly result?: Json
      readonly by: string
      readonly why?: string
      /** The standing rule that it was decided by beforehand: its id, or `--yes`. */
      readonly grant?: string
      readonly pii?: readonly PiiCount[]
    }
  | {
      readonly type: 'judge.answered'
      readonly review: number
      readonly breaches: readonly JudgedBreach[]
      readonly usage?: Usage
      readonly latency_ms: number
      readonly pii?: readonly PiiCount[]
    }
  | {
      readonly type: 'judge.failed'
      readonly review: number
      readonly message: string
      readonly latency_ms: number
      readonly pii?: readonly PiiCount[]
    }
  /** A function of the operator has been called. */
  | {
      readonly type: 'hook.ran'
      readonly hook: HookName
      readonly ok: boolean
      readonly message?: string
      /** Of on_tool_call: which call was about to leave. */
      readonly call_id?: string
      readonly latency_ms: number
      readonly pii?: readonly PiiCount[]
    }
  /** Nobody has decided about a call in the time that the definition gives. */
  | { readonly type: 'approval.lapsed'; readonly call_id: string }
  | { readonly type: 'deadline.passed' }
  /** A run is about to end, and the calls that its end waits for were given time enough to answer. */
  | { readonly type: 'drain.passed' }
  | {
      readonly type: 'run.paused'
      readonly by: string
      readonly partial?: string
      readonly pii?: readonly PiiCount[]
    }
  | { readonly type: 'run.resumed'; readonly by: string }
  | { readonly type: 'run.cancelled'; readonly by: string }

export type FactOf<T extends Fact['type']> = Extract<Fact, { type: T }>

export type Verdict = 'approve' | 'deny' | 'resend' | 'assume'

/** One constraint that the judge found broken. */
export interface JudgedBreach {
  /** The constraint, word for word. */
  readonly constraint: string
  readonly why: string
  /** Of a review of calls: which. */
  readonly call_id?: string
}

/** What the policy made of a fact. Members are independent; absent means no change. */
export interface Decision {
  readonly deadline_at?: number | null
  /** Look up what is remembered; the first question follows. */
  readonly recall?: true
  /** Items that the record of the run keeps from now on. */
  readonly remember?: readonly MemoryItem[]
  /** What the model is told from memory, and the names of the items. */
  readonly recalled?: { readonly text: string; readonly items: readonly string[] }
  /** Ask a model. */
  readonly attempt?: ModelAttempt
  /** A new round of tool calls, each already judged. */
  readonly calls?: readonly CallEntry[]
  /** New statuses of calls of the open round. */
  readonly set?: Readonly<Record<string, CallStatus>>
  /** Calls that the judge has looked at, as they now stand. */
  readonly judged?: readonly CallEntry[]
  /** Calls of the next round, or more of the open one. */
  readonly add?: readonly CallEntry[]
  /** Takes the place of the call with the same id: a fallback steps in. */
  readonly replace?: CallEntry
  /** Finishes one call of the open round. */
  readonly done?: { readonly call_id: string; readonly result: Json; readonly error?: true }
  /** The round is complete: its results enter the conversation in call order. */
  readonly settle?: true
  /** The round is complete and its results stay out of the conversation. */
  readonly clear?: true
  /** What the runtime tells the agent's own model, e.g. the results to merge. */
  readonly say?: string
  readonly stage?: Stage | null
  readonly review?: Review | null
  /** Constraints that an answer or a call broke. */
  readonly breaches?: readonly JudgedBreach[]
  readonly handed_off?: number
  /** Calls whose runs are no longer needed. */
  readonly cancel?: readonly string[]
  /** Asks the model to repair its answer. */
  readonly repair?: string
  /** Do not use this route again before `until` unless nothing else is left. */
  readonly down?: { readonly route: number; readonly until: number }
  /** Why a route was left, for those who read the record. */
  readonly left?: RouteFailure
  readonly cost_usd?: number | null
  readonly warnings?: readonly RunWarning[]
  /** Stop what is under way: `model` leaves tools to finish, `all` does not. */
  readonly abort?: 'model' | 'all'
  readonly end?: RunEnd
  /** The run ends so as soon as the calls that must not be repeated are settled. */
  readonly ending?: RunEnd
}

/** One entry of a run's record: a fact, and what was decided about it. */
export interface RunEvent {
  readonly seq: number
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly fact: Fact
  readonly decision: Decision
}

/** What the driver must now do in the world. */
export type Effect =
  | { readonly type: 'recall' }
  | { readonly type: 'model'; readonly attempt: ModelAttempt }
  | { readonly type: 'tool'; readonly call: CallEntry }
  /** `cancelled`: the run of the sub-agent is driven only to be brought to its end. */
  | { readonly type: 'agent'; readonly call: CallEntry; readonly cancelled?: true }
  | { readonly type: 'judge'; readonly review: Review }
  | { readonly type: 'cancel'; readonly call_id: string }
  | { readonly type: 'ask'; readonly call: CallEntry }
  | { readonly type: 'abort'; readonly what: 'model' | 'all' }
