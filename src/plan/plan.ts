import type { CompiledCondition } from '../condition/compile-condition.ts'
import type { Condition } from '../condition/condition.ts'
import type { Code } from '../document/codes.ts'
import type { JsonObject } from '../document/json.ts'
import type { ConstraintRule } from '../policy/constraints/constraint-rule.ts'
import type { PiiOptions } from '../policy/pii/find-pii.ts'
import type { PiiHandling } from '../policy/pii/pii-handling.ts'
import type { SignatureState } from '../policy/signature-policy.ts'
import type { Check } from '../schema/user-schema.ts'

/** What a run may do and how: frozen, printable data. Its hash names it. Nothing in it is code and nothing is secret. */
export interface Plan {
  readonly v: 1
  readonly agent_id: string
  readonly agent_name: string
  readonly agent_version?: string
  /** SHA-256 (hex) of the canonical form of the definition that was planned. */
  readonly definition_hash: string
  /** What its signature proves, by what the operator asks of its source. */
  readonly signature?: SignatureState
  /** A rehearsal calls no model and no tool: doubles answer. Nothing it says is evidence. */
  readonly rehearsal: boolean
  readonly safety_level: SafetyLevel
  readonly system_prompt: string
  /** Texts of the prompt that age: a conversation fetches them again (AAIF context[].refresh_ttl_seconds). */
  readonly aging?: readonly AgingText[]
  /** Every declared route in declared order, those that may not be used with the reason. */
  readonly models: readonly PlannedModel[]
  /** Absent: the eligible routes in declared order. */
  readonly routing?: PlannedRouting
  readonly params: ModelParams
  readonly tools: readonly PlannedTool[]
  readonly subagents: readonly PlannedSubagent[]
  /** Every declared entry of memory in its order, those that may not be used with the reason. */
  readonly memory: readonly PlannedMemory[]
  readonly orchestration?: PlannedOrchestration
  /** Functions of the operator that are called along the way; absent when there are none. */
  readonly hooks?: readonly PlannedHook[]
  readonly constraints: readonly PlannedConstraint[]
  /** Every event goes into the audit log of this home as well. */
  readonly audit: boolean
  /** When a person must approve a write; absent: never. */
  readonly approval?: PlannedApproval
  /** The model that judges what no rule can; absent when nothing is to be judged or nobody can. */
  readonly judge?: PlannedModel
  /** What the definition asks for and this host will not do, each with the reason. */
  readonly degradations: readonly Degradation[]
  /** Why the agent may not run at all. Empty when it may. */
  readonly refusals: readonly Refusal[]
  /** Names of the secrets that a run will look up; never their values. */
  readonly secrets: readonly string[]
  readonly limits: PlannedLimits
  readonly retry: PlannedRetry
  readonly input: PlannedInput
  readonly output: PlannedOutput
  readonly streaming: boolean
  readonly telemetry: PlannedTelemetry
  /** The extensions that it needs; absent when it needs none. */
  readonly extensions?: readonly PlannedExtension[]
  /** What happens to personal data. Plans recorded before there was this have none: nothing happens to it. */
  readonly pii?: PlannedPii
}

export type SafetyLevel = 'minimal' | 'standard' | 'strict' | 'regulated'
export type Gate = 'allow' | 'ask' | 'deny'

export interface PlannedModel {
  readonly provider: string
  readonly model: string
  readonly provider_id?: string
  /** Where calls go. Absent: the provider's own API. */
  readonly base_url?: string
  /** The environment variable whose value is sent as the key; absent when no key may be sent there. */
  readonly key?: string
  readonly eligible: boolean
  /** Why it may not be used, in words for people; no code may depend on them. */
  readonly reason?: string
  /** The same as a code, for programs. */
  readonly reason_code?: Code
  /** US dollars per million tokens, when known. */
  readonly price?: { readonly input: number; readonly output: number }
  readonly context_window?: number
  /** Its rank for the strategy `quality`, higher is better; absent when nothing is known of it. */
  readonly quality?: number
}

/** How a route is chosen (AAIF §4.2). */
export interface PlannedRouting {
  readonly strategy: RoutingStrategy
  /** The eligible routes as indexes into `models`, in the order of the strategy as far as it can be told before a run. */
  readonly order: readonly number[]
}

export type RoutingStrategy = 'preferred_first' | 'cost' | 'latency' | 'quality' | 'round_robin'

export interface ModelParams {
  readonly temperature?: number
  readonly max_tokens?: number
  readonly top_p?: number
  readonly frequency_penalty?: number
  readonly presence_penalty?: number
  readonly stop?: readonly string[]
  readonly seed?: number
  /** Sent verbatim in the request body (AAIF §4.2). */
  readonly extended?: JsonObject
}

export const OWN_PROTOCOLS = [
  'function',
  'http',
  'mcp',
  'openapi',
  'agent',
  'memory',
  'undetermined',
] as const
export type OwnProtocol = (typeof OWN_PROTOCOLS)[number]

export interface PlannedTool {
  readonly name: string
  readonly description: string
  /** One of our own, or one that an extension adds. */
  readonly protocol: OwnProtocol | (string & {})
  /** Of a sub-agent that the model may call: its alias. */
  readonly agent?: string
  readonly effect: 'read' | 'write'
  /** A write that the tool promises to do once per key may be sent again after a crash, with the same key. */
  readonly idempotent: boolean
  readonly gate: Gate
  readonly reason?: string
  readonly rule?: string
  /** A rehearsal's stand-in answers instead of the tool. */
  readonly doubled?: true
  readonly parameters_schema?: JsonObject
  readonly output_schema?: JsonObject
  /** The declared tool that it stands behind, when one declaration offers several. */
  readonly declared?: string
  /** How it differs from what was pinned, which is why it is denied. */
  readonly pin?: 'new' | 'changed' | 'moved'
  /** What the adapter needs to call it; see `DiscoveredTool`. */
  readonly binding?: JsonObject
  readonly endpoint?: string
  readonly method?: string
  readonly timeout_ms?: number
  /** How long the result of a read may be given again instead of calling; absent: never. */
  readonly cache_ms?: number
  readonly rate_limit?: PlannedRateLimit
  /** Characters of JSON; a larger result is cut. Absent: 100,000. */
  readonly max_result_chars?: number
  readonly auth?: PlannedAuth
}

export type MemoryScope = 'user' | 'session' | 'task' | 'long_term'
export type RetrievalStrategy = 'similarity' | 'keyword' | 'hybrid' | 'recency'

/** An entry of the definition's memory (AAIF §4.5): an item to begin with, and how the items of its scope are kept and found. */
export interface PlannedMemory {
  readonly scope: MemoryScope
  /** Its own, or else `SCOPE-INDEX`, which stays the same as long as the definition keeps its place. */
  readonly key: string
  readonly content: string
  /** What the definition asks for; absent when it leaves the choice. */
  readonly backend?: string
  /**
   * Where it is kept: a backend of an extension, or one of our own. `in_memory` is the record of the run, so that it
   * survives a resume and nothing else.
   */
  readonly kept_in: 'in_memory' | 'sqlite' | (string & {})
  readonly retrieval_strategy: RetrievalStrategy
  /** Items that a query of this entry returns at most. */
  readonly top_k: number
  /** Seconds until an item expires; 0 is never. */
  readonly ttl_seconds: number
  readonly embedding_model?: string
  /** Whose it is (user and session scope). */
  readonly user?: string
  readonly session?: string
  readonly gate: 'allow' | 'deny'
  readonly reason?: string
  readonly rule?: string
}

/** Counted over any minute, for all tools that stand behind one declaration together. */
export interface PlannedRateLimit {
  readonly requests_per_minute?: number
  /** Of arguments and results, at four characters a token. */
  readonly tokens_per_minute?: number
}

export interface PlannedAuth {
  readonly type: 'bearer' | 'api_key' | 'basic'
  /** Name of the environment variable that holds the secret. */
  readonly secret: string
  readonly header?: string
}

export interface PlannedSubagent {
  readonly ref: string
  /** Its alias, or its ref when it has none: unique in the plan. */
  readonly alias: string
  readonly role?: 'worker' | 'evaluator' | 'specialist' | 'fallback'
  /** The role that its own definition declares. */
  readonly own_role?: string
  /** `definition_hash` of its definition; absent when it was not found. */
  readonly agent?: string
  readonly when?: Condition
  readonly pass_memory_keys?: readonly string[]
  /** A rehearsal's stand-in works in its place. */
  readonly doubled?: true
  /** Why it cannot be called, or only its stand-in can. */
  readonly reason?: string
}

/** How sub-agents take part (AAIF §4.3). Absent from a plan: the agent works alone. */
export interface PlannedOrchestration {
  /** `model`: the agent's own model calls them like tools, or nobody does and only rules delegate. */
  readonly mode: 'pipeline' | 'swarm' | 'router' | 'model'
  /** Aliases in the order of a pipeline. */
  readonly steps: readonly string[]
  /** Aliases that a swarm fans out to, or a router chooses among. */
  readonly workers: readonly string[]
  readonly consensus?: PlannedConsensus
  /** Merges the results of a swarm; absent: the agent's own model does. */
  readonly synthesizer?: string
  /** Steps in for a sub-agent that failed. */
  readonly fallback?: string
  readonly max_parallel: number
  readonly handoffs: readonly PlannedHandoff[]
}

export interface PlannedConsensus {
  readonly strategy: 'majority_vote' | 'best_of_n' | 'referee' | 'first_success'
  readonly min_votes?: number
  /** Alias of the evaluator (best_of_n) or the referee; absent: the agent's own model judges. */
  readonly judge?: string
}

export interface PlannedHandoff {
  readonly condition: Condition
  /** Alias of the receiving agent. */
  readonly target: string
  readonly pass_context: boolean
  readonly pass_memory: boolean
}

export type HookName = 'on_start' | 'on_complete' | 'on_error' | 'on_tool_call'

/** A text from a URL, which may be told only so long after it was fetched. */
export interface AgingText {
  /** Its place in `agent.context[]`. */
  readonly item: number
  readonly url: string
  readonly label?: string
  readonly ttl_ms: number
  /** Of the text that the prompt holds, in hexadecimal; absent when it was not found. */
  readonly sha256?: string
}

export interface PlannedHook {
  readonly hook: HookName
  /** The function's name among the hooks of the operator's module. */
  readonly name: string
  /** In a rehearsal it is not called. */
  readonly doubled?: true
}

export interface PlannedApproval {
  /** Narrows which writes need it; absent: every one does. */
  readonly trigger?: Condition
  /** A call that nobody has decided about by then is denied. */
  readonly timeout_ms?: number
}

export interface PlannedConstraint {
  readonly text: string
  readonly enforcement: 'rule' | 'judge' | 'prompt'
  readonly rule?: ConstraintRule
  /** How the sentence was read, in our words. */
  readonly reading?: string
  /** It is another's, who may call this agent. */
  readonly inherited?: true
}

export interface PlannedPii extends PiiOptions {
  readonly handling: PiiHandling
  /** An agent that may call this one is stricter than this one's own definition. */
  readonly inherited?: true
  /** The environment variable that holds the operator's key. */
  readonly key_env?: string
  /** Personal data in what the model is told at the start, which its author wrote and which stays as it is. */
  readonly in_system_prompt?: readonly { readonly kind: string; readonly count: number }[]
}

export interface PlannedExtension {
  readonly name: string
  /** What of it is used, such as `tool sql` or `memory json_file`. */
  readonly uses: readonly string[]
}

export interface Degradation {
  readonly path: string
  readonly reason: string
  readonly rule: string
}

export interface Refusal {
  readonly code: Code
  readonly message: string
  readonly pointer: string
  readonly rule: string
  readonly hint: string
}

export interface PlannedLimits {
  /** Most runs of this agent at a time on this machine; absent when the definition does not say. */
  readonly concurrency?: number
  readonly max_iterations: number
  /** Wall-clock time of a turn, time spent waiting for a person excluded. */
  readonly timeout_ms?: number
  readonly budget_tokens?: number
  readonly budget_usd?: number
  /** Model calls and tool calls together. */
  readonly budget_calls?: number
}

export interface PlannedRetry {
  readonly max_retries: number
  readonly backoff: 'fixed' | 'linear' | 'exponential'
  readonly base_ms: number
}

export interface PlannedInput {
  readonly schema?: JsonObject
}

export interface PlannedOutput {
  /** `json` parses and checks the answer; `text` and `markdown` pass it on. */
  readonly format: 'text' | 'markdown' | 'json'
  readonly schema?: JsonObject
  /** Ask the provider for structured output with the schema (response_format json_schema). */
  readonly structured: boolean
}

/** What a run tells its operators (AAIF §4.7). */
export interface PlannedTelemetry {
  readonly tracing: boolean
  readonly metrics: boolean
  readonly log_level: 'debug' | 'info' | 'warn' | 'error'
  /** The header that carries the trace context to whom the agent calls. */
  readonly trace_context_header: string
  /** Where the definition is meant to run (`runtime.environment`); told to collectors. */
  readonly environment?: 'production' | 'staging' | 'development' | 'test'
  /** The definition's own collector, when its host was granted; absent: the operator's, if there is one. */
  readonly otlp_endpoint?: string
}

/** What a plan compiles to: code, made again from the plan at every start, never stored. */
export interface Program {
  readonly plan: Plan
  /** SHA-256 (hex) of the plan's canonical form. */
  readonly hash: string
  readonly tool: ReadonlyMap<string, PlannedTool>
  /** By alias. */
  readonly subagent: ReadonlyMap<string, PlannedSubagent>
  readonly checkArguments: ReadonlyMap<string, Check>
  readonly checkResult: ReadonlyMap<string, Check>
  readonly checkInput: Check | null
  readonly checkOutput: Check | null
  /** Of each sub-agent by alias: whether it is chosen; without a condition it always is. */
  readonly when: ReadonlyMap<string, CompiledCondition>
  /** Whether a write needs approval; one that cannot be decided counts as needing it. */
  readonly approvalTrigger: CompiledCondition | null
  /** In the order of `plan.orchestration.handoffs`. */
  readonly handoffs: readonly CompiledCondition[]
  /** Estimates the tokens of what every question holds: the system prompt and the tools. */
  readonly fixedTokens: () => number
  /** The programs of every agent that may take part, by `definition_hash`; shared by all of them, so cycles are no matter. */
  readonly family: ReadonlyMap<string, Program>
}
