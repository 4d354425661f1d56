import type { AnyCode } from '../document/codes.ts'
import type { Json, JsonObject } from '../document/json.ts'
import type { HookName } from '../plan/plan.ts'
import type { PiiCount } from '../policy/pii/clean-json.ts'
import type { QuestionAnswers, ServerQuestion } from './elicitation.ts'
import type { Finish } from './finish.ts'
import type { CallOutcome, FetchedAgain, ModelFailureKind, Recalled } from './ports.ts'
import type {
  AssistantMessage,
  CallEntry,
  CallStatus,
  Choice,
  DeadlineOf,
  DeniedCall,
  Interruption,
  MemoryItem,
  Message,
  ModelAttempt,
  OriginCall,
  RestoredFrom,
  RestoredState,
  Review,
  RouteFailure,
  RunEnd,
  RunLimits,
  RunTotals,
  RunWarning,
  Stage,
  Usage,
} from './state.ts'

/** Something that happened in the world. Facts are the only input of a run. */
export type Fact =
  | {
      readonly type: 'run.started'
      readonly input: Json
      /** Of a sub-agent's run: the limits that its parent gives it. */
      readonly limits?: RunLimits
      readonly depth?: number
      /**
       * Destinations that the user has named to the agents above: a write to them needs no approval for being
       * unnamed.
       */
      readonly named?: readonly string[]
      /** A trigger began the run: its input comes from the event that fired the trigger, not from a user. */
      readonly triggered?: true
      /** Of a sub-agent's run: values of its caller's personal data were left behind by a move; see `RunState.withheld`. */
      readonly withheld?: true
      /** Of a sub-agent's run: its caller is of a copied record; see `RunState.copied`. */
      readonly copied?: number
      /** The parent's conversation, if it was passed on. */
      readonly history?: readonly Message[]
      /** The memory items that the parent passes on. */
      readonly memory?: Recalled
      /** Of a sub-agent of a fork: the writes that the run of origin has sent and that are not sent again. */
      readonly sent_by_origin?: readonly OriginCall[]
      /** Of a sub-agent's run: calls that a person has refused in the turn of its caller. */
      readonly denied?: readonly DeniedCall[]
      /** W3C `traceparent` of the caller. */
      readonly trace_parent?: string
      /** W3C `tracestate` of the same trace. */
      readonly trace_state?: string
      /** The input matches its schema when placeholders are replaced by the real values. */
      readonly fits?: true
      /** Personal data that was found: kinds, counts and places, never the data itself. */
      readonly pii?: readonly PiiCount[]
    }
  /** The user's next input in a conversation whose last turn has ended. */
  | {
      readonly type: 'user.said'
      readonly input: Json
      /** Texts of the prompt that were too old and have been fetched again. */
      readonly background?: readonly FetchedAgain[]
      readonly fits?: true
      readonly pii?: readonly PiiCount[]
      /** The id of the message, if it was stored before: the same message is taken in once. */
      readonly message?: string
      /** A trigger has taken the message: it comes from a sender, and not from the user. */
      readonly triggered?: true
    }
  /** The user's message to the turn in progress: it enters the conversation before the next question to the model. */
  | {
      readonly type: 'user.steered'
      readonly input: Json
      readonly fits?: true
      readonly pii?: readonly PiiCount[]
      /** As in `user.said`. */
      readonly message?: string
    }
  /** The turn in progress is stopped, without waiting for a person, because another message is more urgent. */
  | {
      readonly type: 'turn.interrupted'
      readonly by: string
      readonly how: Interruption
      /** The id of the message that interrupts: a message that was taken in interrupts no later turn. */
      readonly message?: string
    }
  /** The memory was searched for a turn. */
  | {
      readonly type: 'memory.read'
      readonly turn: number
      readonly items: readonly MemoryItem[]
      /** The parts of memory that could not be searched. */
      readonly warnings?: readonly RunWarning[]
      readonly latency_ms: number
      readonly pii?: readonly PiiCount[]
    }
  | {
      readonly type: 'model.answered'
      readonly attempt: number
      readonly message: AssistantMessage
      readonly finish: Finish
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
      /** What to do about it. */
      readonly hint?: string
      readonly retry_after_ms?: number
      /** It is certain that no request left this process. */
      readonly unsent?: true
      /** What the failed request used: reported or, while a budget of tokens or money is in force, estimated. */
      readonly usage?: Usage
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
      /** Of a sub-agent: calls that a person has refused in its run. */
      readonly denied?: readonly DeniedCall[]
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
      readonly denied?: readonly DeniedCall[]
      readonly pii?: readonly PiiCount[]
    }
  /** The server asks a person something before it makes the call. */
  | {
      readonly type: 'call.asked'
      readonly call_id: string
      readonly questions: readonly ServerQuestion[]
      /** The server gets it back unchanged, with the answers. */
      readonly request_state?: string
      readonly latency_ms: number
      readonly pii?: readonly PiiCount[]
    }
  /** A sub-agent's run waits for a person. */
  | { readonly type: 'call.held'; readonly call_id: string }
  | {
      readonly type: 'person.decided'
      readonly call_id: string
      /**
       * For a call that asks for approval: approve, edit (approve with other arguments) or deny. For a call with unknown
       * outcome: resend, assume (it was done), deny (it was not done). For a call whose server asks something: answer, or
       * deny (decline every question).
       */
      readonly verdict: Verdict
      /** Of edit: all arguments of the call. */
      readonly arguments?: JsonObject
      /** Of answer: the answers to all questions of the server. */
      readonly answers?: QuestionAnswers
      /** The arguments, or the answers, match their schemas when placeholders are replaced by the real values. */
      readonly fits?: true
      readonly result?: Json
      readonly by: string
      readonly why?: string
      /** The standing rule that approved the call: its id, or `--yes`. */
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
      readonly unsent?: true
      readonly usage?: Usage
      readonly latency_ms: number
      readonly pii?: readonly PiiCount[]
    }
  /** A function of the operator was called. */
  | {
      readonly type: 'hook.ran'
      readonly hook: HookName
      readonly ok: boolean
      readonly message?: string
      /** Of on_tool_call: the call that was about to be sent. */
      readonly call_id?: string
      readonly latency_ms: number
      readonly pii?: readonly PiiCount[]
    }
  /** The approval of a call has timed out. */
  | { readonly type: 'approval.lapsed'; readonly call_id: string }
  | { readonly type: 'deadline.passed' }
  /** A run is about to end, and the calls that its end waits for did not answer in time. */
  | { readonly type: 'drain.passed' }
  | {
      readonly type: 'run.paused'
      readonly by: string
      readonly partial?: string
      /** After this text, the model has begun to call tools: the question is asked again. */
      readonly calls?: true
      readonly pii?: readonly PiiCount[]
    }
  | { readonly type: 'run.resumed'; readonly by: string }
  | { readonly type: 'run.cancelled'; readonly by: string }
  /**
   * The record of the run was put back from an older copy, or is a copy itself: events after this place may exist
   * elsewhere, and what they have sent is not known here.
   */
  | {
      readonly type: 'record.copied'
      /** Of the home or the installation, which increases each time that it was noticed to be a copy. */
      readonly generation: number
      /** An operator has put it back: questions that were open stay as they are. */
      readonly announced?: true
    }
  /** A part of the conversation that an Agent State holds, oldest first. Such events precede `run.restored`. */
  | {
      readonly type: 'messages.restored'
      readonly messages: readonly Message[]
      /** When each message was added, milliseconds since the epoch. */
      readonly times: readonly number[]
      readonly pii?: readonly PiiCount[]
    }
  /** The run continues from an Agent State (AAIF §8.2), whose conversation the events before this one hold. */
  | {
      readonly type: 'run.restored'
      readonly by: string
      readonly from: RestoredFrom
      readonly state: RestoredState
      /** The signed receipts of the hosts before, oldest first. Verbatim: they are evidence, and not read by the run. */
      readonly receipts?: readonly JsonObject[]
      readonly pii?: readonly PiiCount[]
    }

export type FactOf<T extends Fact['type']> = Extract<Fact, { type: T }>

export type Verdict = 'approve' | 'deny' | 'edit' | 'resend' | 'assume' | 'answer'

/** One constraint that the judge found violated. */
export interface JudgedBreach {
  /** The constraint, verbatim. */
  readonly constraint: string
  readonly why: string
  /** In a review of calls: the call that breaks it. */
  readonly call_id?: string
}

/** What the policy decided about a fact. Members are independent; absent means no change. */
export interface Decision {
  readonly deadline_at?: number | null
  /** The limit that sets the deadline of this turn, if it is another one than before. */
  readonly deadline_of?: DeadlineOf
  /** Search the memory; the first question follows. */
  readonly recall?: true
  /** Items to keep in the run's own record. */
  readonly remember?: readonly MemoryItem[]
  /** The message that passes memory items to the model, and the names of the items. */
  readonly recalled?: { readonly text: string; readonly items: readonly string[] }
  /** Ask a model. */
  readonly attempt?: ModelAttempt
  /** A new round of tool calls, each already judged. */
  readonly calls?: readonly CallEntry[]
  /** The shares of the budget of queued sub-agents that start, by the ids of their calls. */
  readonly shares?: Readonly<Record<string, RunLimits>>
  /** New statuses of calls of the open round. */
  readonly set?: Readonly<Record<string, CallStatus>>
  /** Indexes in `sent_by_origin`: calls of this round that the run of origin has sent, in place of this run. */
  readonly reused?: readonly number[]
  /** Calls that the judge has reviewed, a person has edited or a server has asked about, with their new status. */
  readonly judged?: readonly CallEntry[]
  /** Calls that are closed without an answer, because the turn was interrupted. */
  readonly closed?: readonly CallEntry[]
  /** The message of the fact waits for the next question to the model; absent: it is refused. */
  readonly steer?: true
  /** Calls of the next round, or more of the open one. */
  readonly add?: readonly CallEntry[]
  /** Replaces the call with the same id: a fallback is called instead. */
  readonly replace?: CallEntry
  /** Finishes one call of the open round. */
  readonly done?: { readonly call_id: string; readonly result: Json; readonly error?: true }
  /** The round is complete: its results enter the conversation in call order. */
  readonly settle?: true
  /** The round is complete and its results stay out of the conversation. */
  readonly clear?: true
  /** A message of the runtime to the agent's own model, e.g. the results to merge. */
  readonly say?: string
  readonly stage?: Stage | null
  /** The answers that the agent's own model selects from. */
  readonly choice?: Choice | null
  readonly review?: Review | null
  /** Constraints that an answer or a call broke. */
  readonly breaches?: readonly JudgedBreach[]
  readonly handed_off?: number
  /** Calls of sub-agents whose runs are no longer needed. */
  readonly cancel?: readonly string[]
  /** Asks the model to repair its answer. */
  readonly repair?: string
  /** Do not use this route again before `until` unless no other route is left. */
  readonly down?: { readonly route: number; readonly until: number }
  /** Why a route was given up, for readers of the record. */
  readonly left?: RouteFailure
  /** The estimated usage of a request to a model that is stopped before its answer. */
  readonly stopped?: Usage
  /** The price of the usage in the fact, or in `stopped`. */
  readonly cost_usd?: number | null
  readonly warnings?: readonly RunWarning[]
  /** Stop effects in flight: `model` lets tools finish, `all` does not. */
  readonly abort?: 'model' | 'all'
  readonly end?: RunEnd
  /** The run ends in this way as soon as the calls that must not be repeated are settled. */
  readonly ending?: RunEnd
}

/** One entry of a run's record: a fact and the decision about it. */
export interface RunEvent {
  readonly seq: number
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly fact: Fact
  readonly decision: Decision
}

/** An action that the driver must now perform. */
export type Effect =
  | { readonly type: 'recall' }
  | { readonly type: 'model'; readonly attempt: ModelAttempt }
  | { readonly type: 'tool'; readonly call: CallEntry }
  /** `cancelled`: the sub-agent's run is driven only to bring it to its end. */
  | { readonly type: 'agent'; readonly call: CallEntry; readonly cancelled?: true }
  | { readonly type: 'judge'; readonly review: Review }
  | { readonly type: 'cancel'; readonly call_id: string }
  | { readonly type: 'ask'; readonly call: CallEntry }
  | { readonly type: 'abort'; readonly what: 'model' | 'all' }
