import type { AnyCode } from '../document/codes.ts'
import type { ErrorObject } from '../document/issue.ts'
import type { Json, JsonObject } from '../document/json.ts'
import type { MemoryScope } from '../plan/plan.ts'
import type { Elicitation } from './elicitation.ts'
import type { Log } from './log.ts'

/** Tokens of one call or of several. */
export interface Usage {
  readonly input_tokens: number
  readonly output_tokens: number
  /** At least one count is an estimate, because the provider did not report it. */
  readonly estimated?: true
}

export interface ToolCall {
  /** Unique in its turn: the provider's id, or one made for it when missing or repeated. */
  readonly id: string
  readonly tool: string
  /**
   * The arguments as data. If the model's text is not a JSON object, this is `{}` and `malformed` holds the
   * text.
   */
  readonly args: JsonObject
  readonly malformed?: string
  /** The arguments match the tool's schema when placeholders are replaced by the real values. */
  readonly fits?: true
  /** Personal data was found in the arguments. */
  readonly personal?: true
}

export interface UserMessage {
  readonly role: 'user'
  readonly text: string
  /** Written by the runtime, not by a person: asks the model to repair its answer. */
  readonly repair?: true
  /** Written by the runtime: memory items as data; the names of these items. */
  readonly recalled?: readonly string[]
  /** Written by the runtime: answers of other agents, as data. */
  readonly others?: true
  /** Taken by a trigger in the middle of a conversation: untrusted. */
  readonly triggered?: true
}

export interface AssistantMessage {
  readonly role: 'assistant'
  readonly text: string
  readonly calls: readonly ToolCall[]
  /** Parts that only the same provider understands (signed reasoning), sent back to it unchanged. */
  readonly opaque?: { readonly provider: string; readonly parts: Json }
}

export interface ToolMessage {
  readonly role: 'tool'
  readonly call_id: string
  readonly tool: string
  readonly result: Json
  readonly error?: true
}

export type Message = UserMessage | AssistantMessage | ToolMessage

/**
 * The effect of repeating the call. `none`: no effect, so it may be repeated; `idempotent`: no effect as long
 * as the key is the same; `once`: possible harm, so it is never sent a second time without a person's
 * decision.
 */
export type CallEffect = 'none' | 'idempotent' | 'once'

export type CallStatus =
  /** Waits until fewer sub-agents run at the same time. */
  | 'queued'
  /** Waits for the judge's review of its arguments. */
  | 'judging'
  /** Waits for a person's approval before it is sent. */
  | 'asking'
  /** A sub-agent's run that waits for a person. */
  | 'held'
  /** The intent is recorded; the call is about to be sent, in flight, or was when the process died. */
  | 'sent'
  /** The server has not made it: it asks a person something first. */
  | 'input_required'
  /** It may or may not have taken effect; a person decides. */
  | 'unknown'
  | 'done'

/** The ledger's entry of one tool call. */
export interface CallEntry {
  readonly id: string
  readonly tool: string
  readonly args: JsonObject
  /** Idempotency key: the same for every sending of this call, different for every other call. */
  readonly key: string
  readonly effect: CallEffect
  readonly status: CallStatus
  /** `on_tool_call` must allow the call before it is sent, and its answer is not on record yet. */
  readonly unasked?: true
  readonly result?: Json
  readonly error?: true
  /** When it began to wait for a person's approval or answer (ms since the epoch). */
  readonly asked_at?: number
  /** It was closed although its outcome is not known: it may have taken effect. */
  readonly unsettled?: true
  /** The run that this one was forked from has sent it: the result is the one on record there. */
  readonly by_origin?: true
  /** Why a person is asked, if the plan alone does not say it. */
  readonly why?: string
  /** When the question ends as another platform has promised it (ms since the epoch). */
  readonly lapses_at?: number
  /** Why it is not sent as it is, also when a person approves it. A person may change its arguments. */
  readonly unfit?: string
  /** The arguments of the model, if a person has changed them. */
  readonly proposed?: JsonObject
  /** What the server has asked a person, and the answers. */
  readonly elicitation?: Elicitation
  /** Present when a sub-agent is called instead of a tool. */
  readonly agent?: AgentCall
}

/** A sub-agent's run, as recorded by its parent. */
export interface AgentCall {
  readonly alias: string
  /** `definition_hash` of its definition. */
  readonly definition: string
  /** Derived from the parent's id and the call's key, so that a resumed parent finds it again. */
  readonly run_id: string
  readonly input: Json
  readonly pass_context: boolean
  /** The part of the parent's memory that is passed on; absent: none. */
  readonly memory?: PassedMemory
  /** The limits that the parent gives it; the run stops when they are reached. */
  readonly limits: RunLimits
  /** The alias of the failed sub-agent that it replaces. */
  readonly instead_of?: string
}

export type PassedMemory =
  | { readonly type: 'keys'; readonly keys: readonly string[] }
  | { readonly type: 'long_term' }

/** What sets a deadline: `runtime.timeout_seconds` of a definition, or the operator's budget of seconds. */
export type DeadlineOf = 'runtime' | 'budget'

/** Limits that a parent sets for a sub-agent's run, in addition to the agent's own. */
export interface RunLimits {
  readonly tokens?: number
  readonly usd?: number
  readonly calls?: number
  /** Milliseconds since the epoch. */
  readonly deadline_at?: number
  /** The limit that sets the deadline; absent: `runtime`. */
  readonly deadline_of?: DeadlineOf
}

/** What the judge reviews. */
export type Review =
  | { readonly n: number; readonly subject: 'answer'; readonly text: string }
  | { readonly n: number; readonly subject: 'calls' }

/** The stage of an agent whose sub-agents do the work; null while its own model works. */
export type Stage =
  | { readonly type: 'pipeline'; readonly step: number }
  | { readonly type: 'swarm'; readonly phase: 'work' | 'judge' | 'merge' }
  | { readonly type: 'route' }
  | { readonly type: 'handoff'; readonly rule: number }

/** The answers of the workers while the agent's own model selects one of them (AAIF §4.3 best_of_n). */
export type Choice = readonly { readonly alias: string; readonly result: Json }[]

/** An item that an agent remembers. Times are milliseconds since the epoch. */
export interface MemoryItem {
  readonly scope: MemoryScope
  /** Unique in its scope for one owner. */
  readonly key: string
  readonly content: string
  readonly saved_at: number
  /** Null: never expires. */
  readonly expires_at: number | null
  /** Passed on by the agent that called this one. */
  readonly passed?: true
}

/** A question that is being sent to a model. */
export interface ModelAttempt {
  /** Increases by one with each attempt of the run; an answer to an older one is ignored. */
  readonly n: number
  /** Index into `plan.models`. */
  readonly route: number
  /** How often this route was tried again for this question. */
  readonly retry: number
  readonly delay_ms: number
  /** When a delayed request is sent (ms since the epoch); absent: at once. */
  readonly due_at?: number
  /** The model continues the answer that a pause has interrupted: `partial` of the state. */
  readonly continues?: true
  /** Routes given up for this question, with the last failure of each. */
  readonly failed: readonly RouteFailure[]
  /** Why this route was chosen, if there was a choice. */
  readonly why?: string
  /** Routes of a higher rank that were skipped. */
  readonly skipped?: readonly RouteSkip[]
  /** Estimated tokens of the question, if it might not fit a context window. */
  readonly prompt_tokens?: number
}

/** A route that was not used this time. */
export interface RouteSkip {
  readonly route: number
  readonly reason: string
}

export interface RouteFailure {
  readonly route: number
  readonly code: AnyCode
  readonly message: string
  readonly hint?: string
}

export interface RunWarning {
  readonly code: AnyCode
  readonly message: string
  /**
   * The subject of the warning, as data. A run gives a warning with the same code about the same subject
   * once.
   */
  readonly about?: JsonObject
}

export type RunStatus = 'running' | 'waiting' | 'paused' | 'completed' | 'failed' | 'refused' | 'cancelled'

export type StopReason =
  | 'final'
  | 'max_iterations'
  | 'timeout'
  | 'budget'
  | 'constraint'
  | 'no_route'
  | 'approval'
  | 'interrupt'
  | 'error'

export interface RunEnd {
  readonly status: 'completed' | 'failed' | 'refused' | 'cancelled'
  readonly stop_reason: StopReason
  readonly output?: Json
  readonly error?: ErrorObject
}

export interface AgentOutcome {
  readonly alias: string
  readonly run_id: string
  readonly status: 'completed' | 'failed' | 'cancelled'
}

export interface RunTotals {
  readonly input_tokens: number
  readonly output_tokens: number
  /** US dollars; null if the price of at least one call is unknown. */
  readonly cost_usd: number | null
  /** A part of the tokens and of the cost is estimated. */
  readonly estimated?: true
  /** The requests that were sent to models, including those that failed. */
  readonly llm_calls: number
  readonly tool_calls: number
  readonly iterations: number
  /**
   * Milliseconds between events, without the time in which the run was waiting, paused or without a process.
   */
  readonly duration_ms: number
}

/** A call that a person has refused in this turn. */
export interface DeniedCall {
  /** The agent that made it: this one, or one of its family. */
  readonly agent_id: string
  readonly tool: string
  readonly args: JsonObject
  readonly by: string
  readonly why?: string
}

/** The state of a run: the fold of its events, and nothing else. */
export interface RunState {
  readonly v: 1
  readonly run_id: string
  readonly agent_id: string
  readonly plan_hash: string
  /** Sequence number of the last event; 0 before the first. */
  readonly seq: number
  /** Time of the last event, ms since the epoch. */
  readonly at: number
  readonly status: RunStatus
  /** 1 for a single run; in a conversation, one for each input of the user. */
  readonly turn: number
  /** Model answers in this turn; `max_iterations` bounds it. */
  readonly iteration: number
  readonly deadline_at: number | null
  /** The limit that sets the deadline; absent: `runtime`. */
  readonly deadline_of?: DeadlineOf
  readonly attempts: number
  readonly attempt: ModelAttempt | null
  /** The tool calls of the open round, in the order the model made them. */
  readonly calls: readonly CallEntry[]
  readonly messages: Log<Message>
  /** When each of the messages was added, milliseconds since the epoch. */
  readonly message_times: Log<number>
  /** The user's messages to this turn that the model has not read yet. */
  readonly steering: readonly SteeringMessage[]
  /** The ids of the messages that were taken in. */
  readonly received: Log<string>
  /** The conversation before the turn, to which a rollback returns. */
  readonly turn_start: { readonly messages: number; readonly background: RunState['background'] }
  /** The calls of this turn that were sent and may have an effect. */
  readonly sent: readonly CallEntry[]
  /** Calls of this turn that a person has refused, by this agent and its sub-agents: they are not asked about again. */
  readonly denied?: readonly DeniedCall[]
  /** Calls of earlier turns that were closed although their outcome is not known. */
  readonly unsettled: readonly CallEntry[]
  /** Tokens that a provider counted for a question, and how many messages it held; null before the first count. */
  readonly counted: { readonly tokens: number; readonly messages: number } | null
  readonly stage: Stage | null
  /** The answers that the agent's own model selects from; absent if its next answer is its own. */
  readonly choice?: Choice
  /** The turn waits for a search of the memory. */
  readonly recalling: boolean
  /** The memory items in this record; they end with the run. */
  readonly memory: readonly MemoryItem[]
  /** When the first turn began, ms since the epoch; 0 before. */
  readonly started_at: number
  /** Texts of the prompt that were fetched again, by their place in `agent.context[]`: which, and when. */
  readonly background: Readonly<Record<number, { readonly sha256: string; readonly at: number }>>
  /** The input of this turn, for conditions and sub-agents. */
  readonly input: Json
  readonly limits: RunLimits
  /** The W3C trace context that the run was called in. */
  readonly trace_parent: string | null
  /** The W3C `tracestate` of that context, to be passed on. */
  readonly trace_state: string | null
  /** 0 for a run that a person started, 1 for its sub-agents' runs, and so on. */
  readonly depth: number
  /** Of a sub-agent's run: the destinations that the user has named to its callers. */
  readonly named: readonly string[]
  /** True if a trigger began the first turn, so that its input is not the user's text. */
  readonly triggered: boolean
  /**
   * The run, or that of a caller, continues an Agent State whose values of personal data were left behind: texts have
   * `[email withheld]` in their place, and a call with such a text needs a person.
   */
  readonly withheld?: true
  /**
   * The record was put back from an older copy, in this generation of its home, and no person has let a write leave
   * since: each write that must not be repeated is put to a person, because the newer record may have sent it.
   */
  readonly copied?: number
  /** Indexes of hand-off rules that have fired in this turn. */
  readonly handed_off: readonly number[]
  readonly review: Review | null
  readonly reviews: number
  /** The turn for which on_start was last called; 0 before the first call. */
  readonly start_hook_turn: number
  /** The turn for which on_complete or on_error was last called; 0 before the first call. */
  readonly end_hook_turn: number
  /** For each tool: how often it was called in this conversation, and how often it succeeded in this turn. */
  readonly tally: Readonly<Record<string, { readonly called: number; readonly succeeded: number }>>
  /** Repair turns used in this turn. */
  readonly repairs: number
  /** Routes that are closed for a while: `plan.models` index → until when (ms since the epoch). */
  readonly down: Readonly<Record<number, number>>
  /** The route that gave the latest answer. */
  readonly answered_by: number | null
  readonly totals: RunTotals
  readonly warnings: Log<RunWarning>
  /** Outcomes of sub-agents' runs that are over. */
  readonly agents: Log<AgentOutcome>
  /** Text that a model had written before the run was paused; kept while the model is asked to continue it. */
  readonly partial: string | null
  readonly end: RunEnd | null
  /**
   * How the run ends when its last unsettled call is settled, and since when it waits for calls to answer.
   * `superseded`: the turn was interrupted, so the end does not wait for a person.
   */
  readonly ending: {
    readonly end: RunEnd
    readonly since: number
    readonly superseded?: Interruption
  } | null
  /** The values of the task that came with an Agent State (AAIF §8.1 `variables`); kept unchanged. */
  readonly variables: JsonObject
  /** The Agent State that this run continues from; null for a run that began here. */
  readonly restored: RestoredFrom | null
  /**
   * Writes that the run which this one was forked from has sent after the fork: this run does not send them again.
   */
  readonly sent_by_origin: readonly OriginCall[]
}

/** The members of a state that `run.restored` sets; the conversation comes with the events before it. */
export type RestoredState = Omit<
  RunState,
  | 'v'
  | 'run_id'
  | 'agent_id'
  | 'plan_hash'
  | 'seq'
  | 'at'
  | 'messages'
  | 'message_times'
  | 'received'
  | 'warnings'
  | 'agents'
  | 'restored'
> & {
  readonly received: readonly string[]
  readonly warnings: readonly RunWarning[]
  readonly agents: readonly AgentOutcome[]
}

/** The Agent State that a run was restored from. */
export interface RestoredFrom {
  readonly state_id: string
  /** The run that was captured, if the state names it. */
  readonly run_id?: string
  /** The event of that run after which it was captured, if it is known. */
  readonly seq?: number
  /** When it was captured, as the state says it. */
  readonly checkpoint_at: string
  readonly source_platform?: string
  /** Nothing proves that the captured run does not continue as well: this run is a fork of it. */
  readonly fork?: true
}

/** A write that the run of origin has sent, in the order of sending. */
export interface OriginCall {
  /** The aliases of the sub-agents that lead to the one that sent it; empty: the run itself. */
  readonly path: readonly string[]
  readonly tool: string
  readonly args: JsonObject
  /** Its idempotency key there: the same call has it here as well. Absent in records of earlier versions. */
  readonly key?: string
  /** Repeating it has no effect, as long as the key is the same. */
  readonly idempotent?: true
  /** Absent: its outcome is not known. */
  readonly result?: Json
  readonly error?: true
}

/** `rollback`: the messages of the turn also leave the conversation. */
export type Interruption = 'interrupt' | 'rollback'

export interface SteeringMessage {
  readonly text: string
  readonly message?: string
}
