import type { CompiledCondition } from '../condition/compile-condition.ts'
import type { Condition } from '../condition/condition.ts'
import type { Code } from '../document/codes.ts'
import type { JsonObject } from '../document/json.ts'
import type { ConstraintRule } from '../policy/constraints/constraint-rule.ts'
import type { PiiOptions } from '../policy/pii/find-pii.ts'
import type { PiiHandling } from '../policy/pii/pii-handling.ts'
import type { SignatureState } from '../policy/signature-policy.ts'
import type { Check } from '../schema/user-schema.ts'
import type { PlannedOrchestration, PlannedSubagent } from './planned-orchestration.ts'

/** What a run may do and how: frozen, printable data, identified by its hash. It contains no code and no secrets. */
export interface Plan {
  readonly v: 1
  readonly agent_id: string
  readonly agent_name: string
  readonly agent_version?: string
  /** SHA-256 (hex) of the canonical form of the definition that was planned. */
  readonly definition_hash: string
  /** The result of the signature check, by the policy for its source. */
  readonly signature?: SignatureState
  /** A rehearsal calls no model and no tool, but test doubles. Its results are not evidence. */
  readonly rehearsal: boolean
  /** The rehearsal stops for approvals as a real run does. Absent: they count as granted. */
  readonly rehearsal_asks?: true
  readonly safety_level: SafetyLevel
  readonly system_prompt: string
  /** Texts of the prompt that expire: a conversation fetches them again (AAIF context[].refresh_ttl_seconds). */
  readonly aging?: readonly AgingText[]
  /** All declared routes in declared order; a route that cannot be used has a reason. */
  readonly models: readonly PlannedModel[]
  /** Absent: eligible routes are used in declared order. */
  readonly routing?: PlannedRouting
  readonly params: ModelParams
  readonly tools: readonly PlannedTool[]
  readonly subagents: readonly PlannedSubagent[]
  /** All declared memory entries in declared order; an entry that cannot be used has a reason. */
  readonly memory: readonly PlannedMemory[]
  readonly orchestration?: PlannedOrchestration
  /** What starts runs of the agent while `waybill watch` watches it; absent: nothing. */
  readonly triggers?: readonly PlannedTrigger[]
  /** Functions of the operator that the run calls; absent: none. */
  readonly hooks?: readonly PlannedHook[]
  readonly constraints: readonly PlannedConstraint[]
  /** Whether each event is also recorded in the audit log of this home. */
  readonly audit: boolean
  /** The writes that a person must approve; absent: none. */
  readonly approval?: PlannedApproval
  /** The model that checks constraints that no rule can check; absent: not needed or not available. */
  readonly judge?: PlannedModel
  /** Members of the definition that are not applied, each with the reason. */
  readonly degradations: readonly Degradation[]
  /** The reasons why the agent must not run. Empty if it may run. */
  readonly refusals: readonly Refusal[]
  /** Names of the secrets that a run reads; never their values. */
  readonly secrets: readonly string[]
  readonly limits: PlannedLimits
  readonly retry: PlannedRetry
  readonly input: PlannedInput
  readonly output: PlannedOutput
  /** Providers are asked for streams, also if no caller reads the text. */
  readonly streaming: boolean
  /** `io.streaming` is false: no caller reads an answer before it is complete. */
  readonly whole?: true
  readonly telemetry: PlannedTelemetry
  /** The extensions that the run needs; absent: none. */
  readonly extensions?: readonly PlannedExtension[]
  /** The handling of personal data. Absent in plans of older versions: personal data is not handled. */
  readonly pii?: PlannedPii
}

export type SafetyLevel = 'minimal' | 'standard' | 'strict' | 'regulated'
export type Gate = 'allow' | 'ask' | 'deny'

export interface PlannedModel {
  readonly provider: string
  readonly model: string
  readonly provider_id?: string
  /** The base URL of calls. Absent: the API of the provider. */
  readonly base_url?: string
  /** The environment variable that contains the key; absent if no key may be sent. */
  readonly key?: string
  readonly eligible: boolean
  /** The reason why it cannot be used, as text for people; programs must not depend on it. */
  readonly reason?: string
  /** The same reason as a code, for programs. */
  readonly reason_code?: Code
  /** What to do about it, as text for people. */
  readonly hint?: string
  /** US dollars per million tokens, if known. */
  readonly price?: { readonly input: number; readonly output: number }
  /** The price list does not have this model, but this similar name. */
  readonly similar?: string
  readonly context_window?: number
  /** Its rank for the strategy `quality`, higher is better; absent: unknown. */
  readonly quality?: number
}

/** The choice of a route (AAIF §4.2). */
export interface PlannedRouting {
  readonly strategy: RoutingStrategy
  /** Indexes of the eligible routes in `models`, in the order of the strategy as far as it is known before the run. */
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
  'search',
  'undetermined',
] as const
export type OwnProtocol = (typeof OWN_PROTOCOLS)[number]

export interface PlannedTool {
  readonly name: string
  readonly description: string
  /** A built-in protocol, or one that an extension adds. */
  readonly protocol: OwnProtocol | (string & {})
  /** The alias of the sub-agent that the model calls with this tool. */
  readonly agent?: string
  readonly effect: 'read' | 'write'
  /** Whether the tool repeats a write with the same key without further effect. Then a crash may be followed by a retry. */
  readonly idempotent: boolean
  /** Its server says that it only reads, but the configuration does not trust this server. */
  readonly claims_read_only?: true
  readonly gate: Gate
  readonly reason?: string
  readonly rule?: string
  /** In a rehearsal, a test double answers instead of the tool. */
  readonly doubled?: true
  readonly parameters_schema?: JsonObject
  readonly output_schema?: JsonObject
  /** The name of the declaration, if one declaration offers several tools. */
  readonly declared?: string
  /** The difference from the lock file, which is the reason for its denial. */
  readonly pin?: 'new' | 'changed' | 'moved'
  /** The document describes a call that cannot be made, which is the reason for its denial. */
  readonly unavailable?: true
  /** The tool whose search must find it before a request contains it; absent: every request does. */
  readonly found_by?: string
  /** Data that the adapter needs to call it; see `DiscoveredTool`. */
  readonly binding?: JsonObject
  readonly endpoint?: string
  readonly method?: string
  readonly timeout_ms?: number
  /** How long the result of a read is cached, in milliseconds; absent: not cached. */
  readonly cache_ms?: number
  readonly rate_limit?: PlannedRateLimit
  /** Characters of JSON; a larger result is cut. Absent: 100,000. */
  readonly max_result_chars?: number
  readonly auth?: PlannedAuth
}

export type MemoryScope = 'user' | 'session' | 'task' | 'long_term'
export type RetrievalStrategy = 'similarity' | 'keyword' | 'hybrid' | 'recency'

/** A memory entry of the definition (AAIF §4.5): an initial item, and the storage and retrieval of items of its scope. */
export interface PlannedMemory {
  readonly scope: MemoryScope
  /** The declared key, else `SCOPE-INDEX`, which is stable as long as the position of the entry does not change. */
  readonly key: string
  readonly content: string
  /** The declared backend; absent: any. */
  readonly backend?: string
  /**
   * The backend that stores it: built-in, or of an extension. `in_memory` means the record of the run: it survives a
   * resume, but not the end of the run.
   */
  readonly kept_in: 'in_memory' | 'sqlite' | (string & {})
  readonly retrieval_strategy: RetrievalStrategy
  /** The largest number of items that a query of this entry returns. */
  readonly top_k: number
  /** Seconds until an item expires; 0 means never. */
  readonly ttl_seconds: number
  readonly embedding_model?: string
  /** The owner of the items (user and session scope). */
  readonly user?: string
  readonly session?: string
  readonly gate: 'allow' | 'deny'
  readonly reason?: string
  readonly rule?: string
}

/** Limits per sliding minute, shared by all tools of one declaration. */
export interface PlannedRateLimit {
  readonly requests_per_minute?: number
  /** Tokens of arguments and results, estimated at four characters per token. */
  readonly tokens_per_minute?: number
}

export interface PlannedAuth {
  readonly type: 'bearer' | 'api_key' | 'basic'
  /** Name of the environment variable that contains the secret. */
  readonly secret: string
  readonly header?: string
}

export type HookName = 'on_start' | 'on_complete' | 'on_error' | 'on_tool_call'

/** A text from a URL with a time limit for its use. */
export interface AgingText {
  /** Its index in `agent.context[]`. */
  readonly item: number
  readonly url: string
  readonly label?: string
  readonly ttl_ms: number
  /** SHA-256 (hex) of the text in the prompt; absent if it was not found. */
  readonly sha256?: string
}

/** A trigger of the definition (AAIF events.triggers). Without `reason` it can start runs on this machine. */
export interface PlannedTrigger {
  /** JSON Pointer into the definition. */
  readonly pointer: string
  readonly type: 'webhook' | 'schedule' | 'event' | 'message' | 'manual' | 'file_change' | 'agent_handoff'
  /** A cron expression in UTC. */
  readonly schedule?: string
  /** For file_change: the watched path, relative to the folder of the definition. */
  readonly path?: string
  /** The condition for the payload of the trigger. */
  readonly filter?: Condition
  /** The reason why it cannot start a run here. */
  readonly reason?: string
}

export interface PlannedHook {
  readonly hook: HookName
  /** The name of the function in the hooks of the operator's module. */
  readonly name: string
  /** A rehearsal does not call it. */
  readonly doubled?: true
}

export interface PlannedApproval {
  /** A condition for the writes that need approval; absent: all writes. */
  readonly trigger?: Condition
  /** The time after which an undecided call is denied. */
  readonly timeout_ms?: number
}

export interface PlannedConstraint {
  readonly text: string
  readonly enforcement: 'rule' | 'judge' | 'prompt'
  readonly rule?: ConstraintRule
  /** The interpretation of the sentence, as text. */
  readonly reading?: string
  /** Whether it is inherited from an agent that may call this one. */
  readonly inherited?: true
}

export interface PlannedPii extends PiiOptions {
  readonly handling: PiiHandling
  /** Whether the handling comes from a stricter agent that may call this one. */
  readonly inherited?: true
  /** The environment variable that contains the key of the operator. */
  readonly key_env?: string
  /** Personal data in the system prompt. It is not changed, because the author wrote it. */
  readonly in_system_prompt?: readonly { readonly kind: string; readonly count: number }[]
}

export interface PlannedExtension {
  readonly name: string
  /** The parts of it that are used, such as `tool sql` or `memory json_file`. */
  readonly uses: readonly string[]
}

export interface Degradation {
  /** JSON Pointer into the definition of the agent that is planned. */
  readonly path: string
  readonly reason: string
  readonly rule: string
  /** The aliases that lead from this agent to the sub-agent concerned; absent: it concerns this agent itself. */
  readonly subagent?: readonly string[]
}

export interface Refusal {
  readonly code: Code
  readonly message: string
  readonly pointer: string
  readonly rule: string
  readonly hint: string
  /** The aliases that lead from this agent to the sub-agent concerned; absent: it concerns this agent itself. */
  readonly subagent?: readonly string[]
  /** The id of the sub-agent concerned, if its refusals are recorded in the audit log. */
  readonly audited?: string
}

export interface PlannedLimits {
  /** The declared largest number of simultaneous runs of this agent on this machine, sub-agents' runs included. */
  readonly concurrency?: number
  /**
   * If none is declared, the default of AAIF §4.6: it limits the runs that no person starts (batch, trigger,
   * background), but not a run that a person starts and not a sub-agent's run.
   */
  readonly unattended_concurrency?: number
  readonly max_iterations: number
  /** Wall-clock time of a turn in milliseconds, without the time spent waiting for a person. */
  readonly timeout_ms?: number
  /** Milliseconds of a turn that the operator's budget allows; counted like `timeout_ms`. */
  readonly budget_ms?: number
  readonly budget_tokens?: number
  readonly budget_usd?: number
  /** Requests to models, including those that fail, and tool calls together. */
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
  /** `json`: the answer is parsed and checked; `text` and `markdown`: it is passed on unchanged. */
  readonly format: 'text' | 'markdown' | 'json'
  readonly schema?: JsonObject
  /** Whether the provider is asked for structured output with the schema (response_format json_schema). */
  readonly structured: boolean
}

/** The telemetry of a run (AAIF §4.7). */
export interface PlannedTelemetry {
  readonly tracing: boolean
  readonly metrics: boolean
  readonly log_level: 'debug' | 'info' | 'warn' | 'error'
  /** The header that carries the trace context in outgoing calls. */
  readonly trace_context_header: string
  /** The intended environment (`runtime.environment`); sent to collectors. */
  readonly environment?: 'production' | 'staging' | 'development' | 'test'
  /** The collector of the definition, if its host is granted; absent: the collector of the operator, if configured. */
  readonly otlp_endpoint?: string
}

/** The executable form of a plan. It is compiled at every start, and never stored. */
export interface Program {
  readonly plan: Plan
  /** SHA-256 (hex) of the plan's canonical form. */
  readonly hash: string
  readonly tool: ReadonlyMap<string, PlannedTool>
  /** Sub-agents by alias. */
  readonly subagent: ReadonlyMap<string, PlannedSubagent>
  readonly checkArguments: ReadonlyMap<string, Check>
  readonly checkResult: ReadonlyMap<string, Check>
  readonly checkInput: Check | null
  readonly checkOutput: Check | null
  /** The condition of each sub-agent, by alias. A sub-agent without a condition is always chosen. */
  readonly when: ReadonlyMap<string, CompiledCondition>
  /** Whether a write needs approval. If the condition cannot be evaluated, it does. */
  readonly approvalTrigger: CompiledCondition | null
  /** The conditions in the order of `plan.orchestration.handoffs`. */
  readonly handoffs: readonly CompiledCondition[]
  /** Estimates the tokens contained in every model request: the system prompt and the tools. */
  readonly fixedTokens: () => number
  /** The programs of all agents that may take part, by `definition_hash`. All programs share the map, so cycles are possible. */
  readonly family: ReadonlyMap<string, Program>
}
