import type { AnyCode } from '../document/codes.ts'
import type { ErrorObject } from '../document/issue.ts'
import type { Json, JsonObject } from '../document/json.ts'
import type { HookName, Plan, PlannedMemory, PlannedModel, PlannedTool } from '../plan/plan.ts'
import type { AssistantMessage, MemoryItem, Message, RunState, RunWarning, Usage } from './state.ts'

/** One question to one model over one route. */
export interface ModelRequest {
  readonly plan: Plan
  readonly route: PlannedModel
  /** The conversation without the system prompt, which is `plan.system_prompt`. */
  readonly messages: readonly Message[]
  /** To be sent along where the API has headers: the trace context (AAIF §4.7). */
  readonly headers?: Readonly<Record<string, string>>
}

export interface ModelAnswer {
  readonly message: AssistantMessage
  readonly finish: 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'other'
  readonly usage: Usage
  /** E.g. a parameter that the provider does not support and that was dropped. */
  readonly warnings: readonly string[]
}

export interface ModelOptions {
  readonly signal: AbortSignal
  /** Present: stream, and hand over each piece of text as it comes. A side channel: never recorded. */
  readonly onText?: (delta: string) => void
}

/**
 * Says that this machine, and not a model, keeps the run from continuing. The run is stopped where it is and can be
 * resumed; no event says that the model failed. `cause` is what `drive` throws.
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
  /** 429; `retryAfterMs` when the provider said so. */
  | 'rate_limited'
  /** The provider's own time limit, or none of its bytes in time. */
  | 'timeout'
  /** An answer that cannot be read. May be tried again. */
  | 'malformed'
  /** This route will not work in this run: no key, bad key, unknown model, host not granted. */
  | 'route'
  /** The request itself is at fault (400, context too long): another route may still take it. */
  | 'request'

/**
 * Says that a model gave no answer, and why. The codes of Waybill are checked by their type; an extension passes a
 * code of its own as `new ModelFailure<string>(kind, 'MY_CODE', …)`.
 */
export class ModelFailure<C extends string = AnyCode> extends Error {
  override readonly name = 'ModelFailure'
  readonly kind: ModelFailureKind
  readonly code: AnyCode
  readonly retryAfterMs: number | undefined

  constructor(kind: ModelFailureKind, code: NoInfer<C>, message: string, retryAfterMs?: number) {
    super(message)
    this.kind = kind
    this.code = code as AnyCode
    this.retryAfterMs = retryAfterMs
  }
}

/** What has been seen of a route, as far as it matters for choosing one. */
export interface RouteSight {
  /** The number of its last question, counted over all routes; 0: never asked. */
  readonly turn: number
  /** Failures since it last answered. */
  readonly failures: number
  /** Median time to an answer, in milliseconds; absent when none was observed lately. */
  readonly p50_ms?: number
  /** It rests after failures, or because its provider asked for it (ms since the epoch). */
  readonly closed_until?: number
}

/**
 * Remembers how routes have fared, over the runs of a process or longer. A reading is a fact of the world: what was
 * made of it is on record with the question that it led to.
 */
export interface RouteBoard {
  /** In the order of the routes given. */
  read(routes: readonly PlannedModel[], at: number): readonly RouteSight[]
  /** A question is about to leave. */
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
  /** Stable over retries and resumes of the same call; sent as `Idempotency-Key` where a protocol has one. */
  readonly key: string
  /** To be sent along where the protocol has headers: the trace context (AAIF §4.7). */
  readonly headers?: Readonly<Record<string, string>>
}

/** Calls a tool. Resolves with its result, or throws {@link ToolFailure}. */
export interface ToolPort {
  call(request: ToolRequest, options: { readonly signal: AbortSignal }): Promise<Json>
}

/**
 * A result that was too large for the window of the model, as far as it was kept. An `output_schema` cannot be held
 * against what is left of it.
 */
export interface CutResult extends JsonObject {
  /** What was left out, in words for the model. */
  readonly result_cut: string
  readonly result: Json
}

export function isCutResult(value: Json): value is CutResult {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const { result_cut, result, ...rest } = value as JsonObject
  return typeof result_cut === 'string' && result !== undefined && Object.keys(rest).length === 0
}

/** What is known about a tool call that failed: it never left, the tool itself reported the failure, or nobody can say. */
export type CallOutcome = 'unsent' | 'answered' | 'unknown'

/**
 * A tool call that gave no result. `outcome` says what is known: `unsent` only when it is certain that nothing left
 * this process; `answered` when the tool itself reported the failure; `unknown` (time-out, connection cut) when the
 * call may have taken effect all the same. The codes of Waybill are checked by their type; an extension passes a code
 * of its own as `new ToolFailure<string>('MY_CODE', …)`.
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

/** What a hook is told. */
export interface HookRequest {
  readonly hook: HookName
  /** The function's name in the operator's module. */
  readonly name: string
  /** The same for every calling of this hook at this point: after a crash it may be called again. */
  readonly key: string
  readonly run_id: string
  readonly agent_id: string
  readonly agent_name: string
  readonly input: Json
  /** Of on_tool_call: the call that is about to leave. */
  readonly call?: { readonly call_id: string; readonly tool: string; readonly args: JsonObject }
  /** Of on_complete: what the turn came to. */
  readonly output?: Json
  /** Of on_error: why it came to nothing. */
  readonly error?: ErrorObject
}

export interface HookAnswer {
  /** False: it threw, took too long, or is not there. */
  readonly ok: boolean
  /** Why it is not ok. */
  readonly message?: string
  /** Of on_tool_call: why the call must not leave. */
  readonly veto?: string
}

/** Calls the operator's own functions. Never throws, and always answers in bounded time. */
export interface HookPort {
  run(request: HookRequest): Promise<HookAnswer>
}

/** What became of a text that was fetched again. */
export interface FetchedAgain {
  /** Its place in `agent.context[]`. */
  readonly item: number
  /** Where it is from. */
  readonly source: string
  readonly label?: string
  /** Of the text as it was fetched, in hexadecimal; absent when it was not. */
  readonly sha256?: string
  /** Absent when it is the one that the model was told last. */
  readonly text?: string
  /** Why it was not fetched. */
  readonly reason?: string
}

/** Fetches texts of the prompt again. */
export interface ContextPort {
  /** Those that are too old (`plan.aging`). Never throws, and always answers in bounded time. */
  refresh(plan: Plan, state: RunState, at: number, signal: AbortSignal): Promise<readonly FetchedAgain[]>
}

export interface Recalled {
  /** Best first. */
  readonly items: readonly MemoryItem[]
  /** What could not be read, or only in a lesser way. */
  readonly warnings: readonly RunWarning[]
}

/** Whose memory is meant, and when. Each entry names its own user and session. */
export interface MemoryRequest {
  readonly agent_id: string
  /** `definition_hash` of the agent's plan: says whose memory it is, where `agent_id` is only a claim. */
  readonly definition_hash: string
  /** The entries of the plan that are looked through; what the definition declares in them is kept first, once. */
  readonly entries: readonly PlannedMemory[]
  /** The items that live in the record of the run. */
  readonly held: readonly MemoryItem[]
  /** Milliseconds since the epoch; what expired before is not there. */
  readonly at: number
}

export interface MemorySave {
  readonly agent_id: string
  readonly definition_hash: string
  readonly entry: PlannedMemory
  readonly item: MemoryItem
  /** The call's idempotency key: the same one twice counts once. */
  readonly call_key: string
}

/**
 * Where agents remember (AAIF §4.5). Every entry is answered from its own scope and owner alone. A part that cannot be
 * read is a warning beside the items of the others.
 */
export interface MemoryPort {
  /** What fits a query best: for each entry at most its `top_k`, by its `retrieval_strategy`. */
  recall(request: MemoryRequest & { readonly query: string }): Promise<Recalled>
  /** Everything in these entries, or what is kept under these keys. */
  collect(request: MemoryRequest & { readonly keys?: readonly string[] }): Promise<Recalled>
  /** Keeps an item of an entry that is kept beyond the run; the same key again replaces it. */
  save(request: MemorySave): Promise<void>
}

/**
 * Looks up secrets by name. A value is fetched when it is used and is not kept longer than needed, because it can
 * change at any time. An empty value counts as not set. Both methods reject when the store cannot be asked; such an
 * error names the secret and never contains a value.
 */
export interface Secrets {
  /** Returns whether the secret is set. Planning asks this and never sees a value. */
  has(name: string): boolean | Promise<boolean>
  /** Fetches the current value; undefined when the secret is not set. */
  get(name: string): Promise<string | undefined>
}

/** Time, as a port: the core never reads a clock. Waits of any length work. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** @throws the signal's reason when it is aborted */
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /**
   * Calls `ring` once, as soon as `now()` has reached `at` (milliseconds since the epoch), and never before this returns.
   * @returns what takes the alarm back
   */
  alarm(at: number, ring: () => void): () => void
}

/** Takes what a run tells its operators (AAIF §4.7). Never throws, and nobody waits for it. */
export interface TelemetryPort {
  span(span: Span): void
  measure(measurement: Measurement): void
  /**
   * Sends what is left, for at most this long.
   * @returns why something did not arrive, if so
   */
  close(withinMs: number): Promise<string | undefined>
}

/** A stretch of a run: the names are AAIF's (§4.7). */
export interface Span {
  readonly trace_id: string
  readonly span_id: string
  readonly parent_id: string | null
  readonly sampled: boolean
  readonly name: SpanName
  readonly kind: 'internal' | 'client'
  /** Milliseconds since the epoch. */
  readonly start: number
  /** Null while it goes on. */
  readonly end: number | null
  readonly attributes: SpanAttributes
  /** A code, when it failed: messages may quote what people said, and stay in the record. */
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
