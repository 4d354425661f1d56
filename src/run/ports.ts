import type { AnyCode } from '../document/codes.ts'
import type { ErrorObject } from '../document/issue.ts'
import type { Json, JsonObject } from '../document/json.ts'
import type { HookName, Plan, PlannedMemory, PlannedModel, PlannedTool } from '../plan/plan.ts'
import type { SecretUse } from '../policy/secret-grant.ts'
import type { Elicitation, ServerQuestion } from './elicitation.ts'
import type { Finish } from './finish.ts'
import type { AssistantMessage, MemoryItem, Message, RunState, RunWarning, Usage } from './state.ts'

/** One question to one model over one route. */
export interface ModelRequest {
  readonly plan: Plan
  readonly route: PlannedModel
  /** The conversation without the system prompt, which is `plan.system_prompt`. */
  readonly messages: readonly Message[]
  /** The names of the tools that the request contains; absent: all that the plan offers. */
  readonly shown?: readonly string[]
  /** The answer is for the runtime, so `plan.output` does not apply to it. */
  readonly free_form?: true
  /** Headers to send if the API has any: the trace context (AAIF §4.7). */
  readonly headers?: Readonly<Record<string, string>>
}

export interface ModelAnswer {
  readonly message: AssistantMessage
  readonly finish: Finish
  readonly usage: ReportedUsage
  /** E.g. a parameter that the provider does not support and that was dropped. */
  readonly warnings: readonly string[]
}

/** The tokens as the provider reported them. A count that is absent or 0 was not reported. */
export type ReportedUsage = Partial<Pick<Usage, 'input_tokens' | 'output_tokens'>>

export interface ModelOptions {
  readonly signal: AbortSignal
  /** Present: stream, and pass on each piece of text as it arrives. A side channel: never recorded. */
  readonly onText?: (delta: string) => void
  /** Called when the model begins to call a tool in an answer that is streamed. */
  readonly onCall?: () => void
}

/**
 * Reports that this machine, not a model or a tool, prevents the run from continuing. The run stops and can be resumed;
 * no event reports a failure. Every port may throw it. `cause` is what `drive` throws.
 */
export class HostFailure extends Error {
  override readonly name = 'HostFailure'

  constructor(cause: Error) {
    super(cause.message, { cause })
  }
}

/** Asks a model. Throws {@link ModelFailure} or {@link HostFailure} and nothing else, and never retries by itself. */
export interface ModelPort {
  ask(request: ModelRequest, options: ModelOptions): Promise<ModelAnswer>
}

/** Why a model gave no answer. */
export type ModelFailureKind =
  /** Unavailable: connection refused or cut, 5xx, overloaded. May be tried again. */
  | 'unavailable'
  /** 429. */
  | 'rate_limited'
  /** The provider's own time limit, or no byte of the answer in time. */
  | 'timeout'
  /** An answer that cannot be parsed. May be tried again. */
  | 'malformed'
  /** This route will not work in this run: no key, bad key, unknown model, host not granted. */
  | 'route'
  /** The request itself is wrong (400, context too long): another route may still accept it. */
  | 'request'

/** What is known about a request that has failed, and its usage if the provider reported it. */
export interface FailedRequest {
  /**
   * `unsent` only if it is certain that no request left this process; `answered` if the provider itself refused the
   * request, which providers do not bill; `unknown` (timeout, connection cut, unreadable answer) if it may be billed.
   * Default: `unknown` for the kinds `timeout` and `malformed`, otherwise `answered`.
   */
  readonly outcome?: CallOutcome
  readonly usage?: ReportedUsage
}

/**
 * Reports that a model gave no answer, and why. The codes of Waybill are checked by their type; an extension
 * passes a code of its own as `new ModelFailure<string>(kind, 'MY_CODE', …)`.
 */
export class ModelFailure<C extends string = AnyCode> extends Error {
  override readonly name = 'ModelFailure'
  readonly kind: ModelFailureKind
  readonly code: AnyCode
  /** The delay that the provider asks for: the request is not repeated before. */
  readonly retryAfterMs: number | undefined
  /** What to do about it. */
  readonly hint: string | undefined
  readonly outcome: CallOutcome
  readonly usage: ReportedUsage | undefined

  constructor(
    kind: ModelFailureKind,
    code: NoInfer<C>,
    message: string,
    retryAfterMs?: number,
    hint?: string,
    { outcome, usage }: FailedRequest = {},
  ) {
    super(message)
    this.kind = kind
    this.code = code as AnyCode
    this.retryAfterMs = retryAfterMs
    this.hint = hint
    this.outcome = outcome ?? (kind === 'timeout' || kind === 'malformed' ? 'unknown' : 'answered')
    this.usage = usage
  }
}

/** The observations of a route that matter for choosing one. */
export interface RouteSight {
  /** The number of its last question, counted over all routes; 0: never asked. */
  readonly turn: number
  /** Failures since it last answered. */
  readonly failures: number
  /** Median latency in milliseconds; absent if there is no recent answer. */
  readonly p50_ms?: number
  /** The route is closed until then, after failures or at its provider's request (ms since the epoch). */
  readonly closed_until?: number
}

/**
 * Stores observations of routes, over the runs of a process or longer. A reading is an input of the core: the
 * choice that results from it is recorded with the question.
 */
export interface RouteBoard {
  /** Returns the observations in the order of the given routes. */
  read(routes: readonly PlannedModel[], at: number): readonly RouteSight[]
  /** Records that a question is about to be sent. */
  asked(route: PlannedModel, at: number): void
  answered(route: PlannedModel, latencyMs: number, at: number): void
  failed(
    route: PlannedModel,
    failure: { readonly kind: ModelFailureKind; readonly retry_after_ms?: number },
    at: number,
  ): void
}

export interface ToolRequest {
  readonly tool: PlannedTool
  readonly args: JsonObject
  /** The call has led to {@link ToolQuestions} before: what was asked, and the answers of a person. */
  readonly elicitation?: Elicitation
  /** The same for all retries and resumes of a call; sent as `Idempotency-Key` if a protocol has one. */
  readonly key: string
  /** Headers to send if the protocol has any: the trace context (AAIF §4.7). */
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Thrown in place of a result: the server has not made the call, because it asks a person something first. The call is
 * made again with the answers.
 */
export class ToolQuestions extends Error {
  override readonly name = 'ToolQuestions'
  readonly questions: readonly ServerQuestion[]
  readonly requestState: string | undefined

  /** @param requestState what the server gets back with the answers */
  constructor(questions: readonly ServerQuestion[], requestState?: string) {
    super('the server asks a person something before it makes the call')
    this.questions = questions
    this.requestState = requestState
  }
}

/** Calls a tool. Resolves with its result, or throws {@link ToolFailure} or {@link ToolQuestions}. */
export interface ToolPort {
  call(request: ToolRequest, options: ToolOptions): Promise<Json>
}

export interface ToolOptions {
  readonly signal: AbortSignal
  /** To be called again before a call that had to wait is sent. Throws {@link HostFailure} if it must not be sent. */
  readonly guard?: () => void
}

/**
 * The part that was kept of a result that is too large for the model's context window. It cannot be validated
 * against an `output_schema`.
 */
export interface CutResult extends JsonObject {
  /** A sentence for the model that says what was left out. */
  readonly result_cut: string
  readonly result: Json
}

export function isCutResult(value: Json): value is CutResult {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const { result_cut, result, ...rest } = value as JsonObject
  return typeof result_cut === 'string' && result !== undefined && Object.keys(rest).length === 0
}

/**
 * What is known about a failed tool call: it was never sent, the tool itself reported the failure, or the
 * outcome is unknown.
 */
export type CallOutcome = 'unsent' | 'answered' | 'unknown'

/**
 * A tool call without a result. `outcome` states what is known: `unsent` only if it is certain that no byte
 * left this process; `answered` if the tool itself reported the failure; `unknown` (timeout, connection cut)
 * if the call may have taken effect. The codes of Waybill are checked by their type; an extension passes a
 * code of its own as `new ToolFailure<string>('MY_CODE', …)`.
 */
export class ToolFailure<C extends string = AnyCode> extends Error {
  override readonly name = 'ToolFailure'
  readonly code: AnyCode
  readonly outcome: CallOutcome

  constructor(code: NoInfer<C>, message: string, outcome: CallOutcome) {
    super(message)
    this.code = code as AnyCode
    this.outcome = outcome
  }
}

/** The argument of a hook. */
export interface HookRequest {
  readonly hook: HookName
  /** The function's name in the operator's module. */
  readonly name: string
  /** The same for every call of this hook at this point: after a crash it may be called again. */
  readonly key: string
  readonly run_id: string
  readonly agent_id: string
  readonly agent_name: string
  readonly input: Json
  /** Of on_tool_call: the call that is about to be sent. */
  readonly call?: { readonly call_id: string; readonly tool: string; readonly args: JsonObject }
  /** Of on_complete: the output of the turn. */
  readonly output?: Json
  /** Of on_error: why the turn failed. */
  readonly error?: ErrorObject
}

export interface HookAnswer {
  /** False: it threw, timed out, or does not exist. */
  readonly ok: boolean
  /** Why it is not ok. */
  readonly message?: string
  /** Of on_tool_call: why the call must not be sent. */
  readonly veto?: string
}

/** Calls the operator's own functions. Never throws, and always answers in bounded time. */
export interface HookPort {
  run(request: HookRequest): Promise<HookAnswer>
}

/** The result of fetching a text again. */
export interface FetchedAgain {
  /** Its place in `agent.context[]`. */
  readonly item: number
  /** Its file or URL. */
  readonly source: string
  readonly label?: string
  /** Hash of the fetched text, in hexadecimal; absent if it was not fetched. */
  readonly sha256?: string
  /** Absent if the model already has this text. */
  readonly text?: string
  /** Why it was not fetched. */
  readonly reason?: string
}

/** Fetches texts of the prompt again. */
export interface ContextPort {
  /** Fetches the texts that are too old (`plan.aging`). Never throws, and always answers in bounded time. */
  refresh(plan: Plan, state: RunState, at: number, signal: AbortSignal): Promise<readonly FetchedAgain[]>
}

export interface Recalled {
  /** Best first. */
  readonly items: readonly MemoryItem[]
  /** The parts that could not be read, or were searched by a simpler strategy. */
  readonly warnings: readonly RunWarning[]
}

/** The entries whose items are requested, and the time. Each entry names its own user and session. */
export interface MemoryRequest {
  readonly agent_id: string
  /**
   * `definition_hash` of the agent's plan. Decides whose memory it is, because any definition can claim an
   * `agent_id`.
   */
  readonly definition_hash: string
  /** The entries of the plan to search. Items that the definition declares in them are stored first, once. */
  readonly entries: readonly PlannedMemory[]
  /** The items in the run's own record. */
  readonly held: readonly MemoryItem[]
  /** Milliseconds since the epoch; items that expired before are left out. */
  readonly at: number
}

export interface MemorySave {
  readonly agent_id: string
  readonly definition_hash: string
  readonly entry: PlannedMemory
  readonly item: MemoryItem
  /** The call's idempotency key: a second save with the same key is ignored. */
  readonly call_key: string
  readonly run_id: string
}

/**
 * Stores and searches memory (AAIF §4.5). Every entry is answered from its own scope and owner only. If a
 * part cannot be read, the answer holds a warning and the items of the other parts.
 */
export interface MemoryPort {
  /** Returns the best matches of a query: for each entry at most its `top_k`, by its `retrieval_strategy`. */
  recall(request: MemoryRequest & { readonly query: string }): Promise<Recalled>
  /** Returns all items of these entries, or those under the given keys. */
  collect(request: MemoryRequest & { readonly keys?: readonly string[] }): Promise<Recalled>
  /** Stores an item of an entry that is kept beyond the run; the same key again replaces it. */
  save(request: MemorySave): Promise<void>
}

/**
 * Looks up secrets by name. A value is fetched when it is used and is not kept longer than needed, because it can
 * change at any time. An empty value counts as not set. Both methods reject when the store cannot be asked; such an
 * error names the secret and never contains a value.
 */
export interface Secrets {
  /** Returns whether the secret is set. Planning asks this and never sees a value. */
  has(name: string, to?: SecretUse): boolean | Promise<boolean>
  /**
   * Fetches the current value; undefined when the secret is not set, or may not be sent to this target.
   * @param to where it is sent; absent: the operator's configuration needs it
   */
  get(name: string, to?: SecretUse): Promise<string | undefined>
  /** Returns the values for all targets, to keep them out of records. Default: what `get` returns. */
  values?(name: string): Promise<readonly string[]>
  /** Returns the secrets that are stored for certain hosts, if the store binds them to hosts. */
  stored?(): Promise<readonly StoredSecret[]>
}

export interface StoredSecret {
  readonly name: string
  /** `HOST` or `HOST:PORT`. */
  readonly hosts: readonly string[]
  /** Another one for each value. */
  readonly version: string
}

/** Time, as a port: the core never reads a clock. Waits of any length work. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Waits. @throws the signal's reason when it is aborted */
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /**
   * Calls `ring` once, as soon as `now()` has reached `at` (milliseconds since the epoch), and never before
   * this returns.
   * @returns a function that cancels the alarm
   */
  alarm(at: number, ring: () => void): () => void
}

/** Receives what a run reports to its operators (AAIF §4.7). Never throws, and the run never waits for it. */
export interface TelemetryPort {
  span(span: Span): void
  measure(measurement: Measurement): void
  /**
   * Sends what is left, for at most this time.
   * @returns why a part was not delivered, if so
   */
  close(withinMs: number): Promise<string | undefined>
}

/** An interval of a run; the names are AAIF's (§4.7). */
export interface Span {
  readonly trace_id: string
  readonly span_id: string
  readonly parent_id: string | null
  readonly sampled: boolean
  readonly name: SpanName
  readonly kind: 'internal' | 'client'
  /** Milliseconds since the epoch. */
  readonly start: number
  /** Null while it is open. */
  readonly end: number | null
  readonly attributes: SpanAttributes
  /** A code if it failed. Messages may quote people, so they stay in the record. */
  readonly error?: string
}

export type SpanName =
  | 'aaif.agent.run'
  | 'aaif.agent.llm_call'
  | 'aaif.agent.tool_call'
  | 'aaif.agent.handoff'
  | 'aaif.agent.memory_read'
  | 'aaif.agent.memory_write'

export type SpanAttributes = Readonly<Record<string, string | number | boolean | readonly string[]>>

export interface Measurement {
  readonly name:
    | 'aaif_agent_run_duration_ms'
    | 'aaif_agent_run_total'
    | 'aaif_agent_llm_tokens_total'
    | 'aaif_agent_tool_calls_total'
    | 'aaif_agent_cost_usd_total'
  readonly value: number
  readonly labels: Readonly<Record<string, string>>
}
