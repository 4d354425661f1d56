// Generated from src/spec/aaif/agent.schema.ts by `npm run generate`. Do not edit.
import type { Json, JsonObject } from '../../../document/json.ts'

/** Decides about a route, a handoff, a trigger or an approval. A string is only a note for people (§5). */
export type Condition = string | StructuredCondition

/** A portable agent definition (AAIF 3.4.0 §4). */
export interface AgentDefinition {
  /** Extension of a vendor; never alters behaviour. */
  readonly [extension: `x-${string}`]: Json
  /** A note to people; ignored. */
  readonly _comment?: string
  /** Identifies the document as AAIF (§4.1). */
  readonly sc_standard: 'SC-006'
  /** Version of the format. */
  readonly sc_version?: string
  /** UUID, assigned once and never changed (§4.1). */
  readonly agent_id?: string
  /** Lifecycle status of the definition (§4.1). */
  readonly status?: 'draft' | 'active' | 'deprecated'
  /** Labels for search and routing. */
  readonly tags?: readonly string[]
  readonly agent: Agent
  readonly provenance?: Provenance
}

/** The agent itself (§4). */
export interface Agent {
  /** Name shown to people. */
  readonly name: string
  /** Version of this definition: MAJOR.MINOR.PATCH. */
  readonly version?: string
  /** What it does and for whom. */
  readonly description?: string
  /** One sentence that defines success. */
  readonly goal: string
  /** System prompt, present in every turn. */
  readonly instructions?: string
  /** Labels of its skills, for search. */
  readonly skills?: readonly string[]
  /** Capabilities that a host must have, as category.capability (§7). */
  readonly required_capabilities?: readonly string[]
  readonly model?: Model
  readonly orchestration?: Orchestration
  /** Background knowledge. */
  readonly context?: readonly ContextItem[]
  /** Tools it may call (§4.4). */
  readonly tools?: readonly Tool[]
  /** Its memory (§4.5). */
  readonly memory?: readonly MemoryEntry[]
  /** Hard rules that every host enforces (§3). */
  readonly constraints?: readonly string[]
  readonly io?: Io
  readonly events?: Events
  readonly runtime?: Runtime
  readonly telemetry?: Telemetry
  readonly evaluation?: Evaluation
  readonly compliance?: Compliance
}

/** Which models the agent prefers and how to choose among them (§4.2). */
export interface Model {
  /** Primary provider; custom for one that is not listed (§4.2). */
  readonly provider?:
    | 'openai'
    | 'anthropic'
    | 'google'
    | 'vertex_ai'
    | 'mistral'
    | 'cohere'
    | 'groq'
    | 'ollama'
    | 'azure_openai'
    | 'bedrock'
    | 'huggingface'
    | 'together'
    | 'fireworks'
    | 'deepseek'
    | 'xai'
    | 'openrouter'
    | 'custom'
  /** Name of a custom provider, e.g. litellm (§4.2). */
  readonly provider_id?: string
  /** API base of a gateway or self-hosted provider. */
  readonly base_url?: string
  /** Preferred model id as the provider writes it. */
  readonly preferred?: string
  /** Routes to try next, in this order (§4.2). */
  readonly fallbacks?: readonly Fallback[]
  /** How to choose among available routes (§4.2). */
  readonly routing_strategy?: 'preferred_first' | 'cost' | 'latency' | 'quality' | 'round_robin'
  /** Models with a smaller context window are never used (§4.2). */
  readonly min_context_tokens?: number
  /** Sampling temperature. */
  readonly temperature?: number
  readonly params?: ModelParams
  /** Form of the answer; json_schema enforces io.output_schema. */
  readonly response_format?: 'text' | 'json' | 'json_schema' | 'markdown'
}

/** A route to try when earlier ones are unavailable (§4.2). */
export interface Fallback {
  /** Provider of this route: any name; a name that is not in the registry gives a warning. */
  readonly provider: string
  /** Model id as the provider writes it. */
  readonly model: string
  /** Ceiling: the route is skipped while its price is above this. */
  readonly max_cost_usd_per_1k_tokens?: number
}

/** Sampling parameters sent to the provider. */
export interface ModelParams {
  /** Most tokens to generate. */
  readonly max_tokens?: number
  /** Nucleus sampling. */
  readonly top_p?: number
  /** Penalty on frequent tokens. */
  readonly frequency_penalty?: number
  /** Penalty on tokens already present. */
  readonly presence_penalty?: number
  /** Stop sequences that end the generation. */
  readonly stop?: readonly string[]
  /** Seed for repeatable sampling. */
  readonly seed?: number
  /** Provider-specific parameters, sent verbatim and never validated (§4.2). */
  readonly extended?: JsonObject
}

/** How this agent works with others (§4.3). */
export interface Orchestration {
  /** Its role among several agents. */
  readonly role?: 'orchestrator' | 'worker' | 'evaluator' | 'router' | 'synthesizer'
  /** Agents it may call. */
  readonly subagents?: readonly Subagent[]
  /** Rules for handing the run to another agent. */
  readonly handoff?: readonly HandoffRule[]
  /** Aliases or ids of subagents, run in this order; each receives the output of the previous one. */
  readonly pipeline?: readonly string[]
  /** Run the subagents at once instead of one after another. */
  readonly parallel_execution?: boolean
  /** Rounds of model and tools before the run is stopped (§4.3). */
  readonly max_iterations?: number
  readonly consensus?: Consensus
}

/** An agent that this one may call (§4.3). */
export interface Subagent {
  /** The agent_id of its definition, or the URI of its definition. */
  readonly ref: string
  /** Short name used in instructions, pipeline and handoffs. */
  readonly alias?: string
  /** Its role. */
  readonly role?: 'worker' | 'evaluator' | 'specialist' | 'fallback'
  readonly when?: Condition
  /** Keys of the memory items passed to it. */
  readonly pass_memory_keys?: readonly string[]
}

export interface StructuredCondition {
  /** The language of expr; always and never need none (§5). */
  readonly lang: 'jsonpath' | 'jmespath' | 'cel' | 'jsonlogic' | 'always' | 'never'
  /** The expression: a string, or a rule object for jsonlogic (§5). */
  readonly expr?: string | JsonObject | boolean
  /** The same condition in natural language, for people and logs; expr decides (§5). */
  readonly nl?: string
}

/** A rule that hands a run to another agent (§4.3). */
export interface HandoffRule {
  readonly condition: Condition
  /** Agent id or alias of the receiver. */
  readonly target_agent: string
  /** Pass the conversation so far. */
  readonly pass_context?: boolean
  /** Pass the long_term memory. */
  readonly pass_memory?: boolean
}

/** How one answer is chosen from several (§4.3). */
export interface Consensus {
  /** Vote, pick, ask a referee, or take the first that succeeds. */
  readonly strategy?: 'majority_vote' | 'best_of_n' | 'referee' | 'first_success'
  /** Equal answers needed by majority_vote. */
  readonly min_votes?: number
  /** Agent id or alias of the referee. */
  readonly referee_agent?: string
}

/** Background knowledge for the agent. */
export interface ContextItem {
  /** What value holds. */
  readonly type: 'text' | 'file' | 'url' | 'dataset' | 'schema_ref'
  /** Name shown to people. */
  readonly label?: string
  /** The text, or its path, address or name. */
  readonly value: string
  /** Why the agent needs it. */
  readonly description?: string
  /** Seconds between fetches of a url; 0 fetches once. */
  readonly refresh_ttl_seconds?: number
}

/** Something the agent may call (§4.4). */
export interface Tool {
  /** Name by which the model calls it. */
  readonly name: string
  /** What it does; the model uses this text to decide when to call it. */
  readonly description: string
  /** How it is reached (§4.4). */
  readonly protocol?: 'function' | 'mcp' | 'http' | 'openapi'
  /** JSON Schema of the arguments. */
  readonly parameters_schema?: JsonObject
  /** JSON Schema of the answer. */
  readonly output_schema?: JsonObject
  /** Where it is reached; function tools need none (§4.4). */
  readonly endpoint?: string
  readonly auth?: ToolAuth
  /** Seconds that successful answers are kept; 0 keeps none. */
  readonly cache_ttl_seconds?: number
  /** Seconds after which a call is aborted. */
  readonly timeout_seconds?: number
  readonly rate_limit?: RateLimit
}

/** How to authenticate to a tool; it names secrets and never contains them (§4.4). */
export interface ToolAuth {
  /** The mechanism. */
  readonly type?: 'none' | 'bearer' | 'api_key' | 'oauth2' | 'aws_sigv4' | 'basic' | 'mtls'
  /** Name of the environment variable that holds the secret. */
  readonly env_var?: string
  readonly vault_ref?: VaultRef
  /** Header that carries an api_key. */
  readonly header?: string
  /** OAuth 2 scopes. */
  readonly scopes?: readonly string[]
  /** OAuth 2 token endpoint. */
  readonly token_url?: string
}

/** A secret kept in a vault; wins over env_var (§4.4). */
export interface VaultRef {
  /** Which kind of vault. */
  readonly provider:
    'aws_secretsmanager' | 'hashicorp_vault' | 'azure_keyvault' | 'gcp_secretmanager' | '1password' | 'custom'
  /** Path in the vault. */
  readonly path: string
  /** Member to read, if the secret is a JSON object. */
  readonly key?: string
  /** Version to read; default: the latest active version. */
  readonly version?: string
}

/** Most traffic to a tool (§4.4). */
export interface RateLimit {
  /** Calls a minute. */
  readonly requests_per_minute?: number
  /** Tokens a minute. */
  readonly tokens_per_minute?: number
}

/** A memory item or the configuration of a memory (§4.5). */
export interface MemoryEntry {
  /** Who may read it and how long it is kept (§4.5). */
  readonly scope: 'user' | 'session' | 'task' | 'long_term'
  /** Name to look it up by. */
  readonly key?: string
  /** The content, or a description of what is stored. */
  readonly content: string
  /** Where it is stored. */
  readonly backend?:
    'in_memory' | 'redis' | 'postgres' | 'sqlite' | 'pinecone' | 'weaviate' | 'qdrant' | 'chroma' | 'custom'
  /** Seconds until it expires; 0 is never. */
  readonly ttl_seconds?: number
  /** Model that embeds the items of a vector backend. */
  readonly embedding_model?: string
  /** How items are found. */
  readonly retrieval_strategy?: 'similarity' | 'keyword' | 'hybrid' | 'recency'
  /** Items a query returns. */
  readonly top_k?: number
}

/** Input and output. */
export interface Io {
  /** JSON Schema of the input. */
  readonly input_schema?: JsonObject
  /** JSON Schema of the output. */
  readonly output_schema?: JsonObject
  /** Send partial output. */
  readonly streaming?: boolean
  /** Form of the output. */
  readonly format?: 'text' | 'json' | 'markdown' | 'structured'
  /** Answer at once, by job id, or for a list of inputs. */
  readonly mode?: 'sync' | 'async' | 'batch'
}

/** Triggers and hooks. */
export interface Events {
  /** Triggers that start the agent. */
  readonly triggers?: readonly Trigger[]
  /** Called when a run starts. */
  readonly on_start?: string
  /** Called when a run succeeded. */
  readonly on_complete?: string
  /** Called when a run failed. */
  readonly on_error?: string
  /** Called before every tool call, and may veto it. */
  readonly on_tool_call?: string
}

/** A trigger that starts a run. */
export interface Trigger {
  /** The kind of trigger. */
  readonly type: 'manual' | 'schedule' | 'webhook' | 'message' | 'event' | 'agent_handoff' | 'file_change'
  /** Cron expression in UTC. */
  readonly schedule?: string
  /** Event to listen for. */
  readonly event_name?: string
  /** Path of the webhook. */
  readonly webhook_path?: string
  readonly filter?: Condition
}

/** Limits and resilience of a run (§4.6). */
export interface Runtime {
  /** Wall-clock seconds after which a run is aborted (§4.6). */
  readonly timeout_seconds?: number
  /** Retries after a transient failure. */
  readonly max_retries?: number
  /** How the waits between retries grow (§4.6). */
  readonly retry_backoff?: 'fixed' | 'linear' | 'exponential'
  /** Most runs of this agent at a time (§4.6). */
  readonly concurrency?: number
  /** Ask the provider for a stream. */
  readonly streaming?: boolean
  /** Return a job id and continue in the background (§4.6). */
  readonly async_execution?: boolean
  /** Queue of background runs (§4.6). */
  readonly queue?: string
  /** Environment for which this definition is intended. */
  readonly environment?: 'production' | 'staging' | 'development' | 'test'
}

/** Traces, metrics and logs of a run (§4.7). */
export interface Telemetry {
  /** Emit OpenTelemetry spans. */
  readonly tracing?: boolean
  /** Lowest level that is logged. */
  readonly log_level?: 'debug' | 'info' | 'warn' | 'error'
  /** Emit metrics. */
  readonly metrics?: boolean
  /** Header that carries the trace context (§4.7). */
  readonly trace_context_header?: string
  /** Collector; the default of the platform when absent (§4.7). */
  readonly otlp_endpoint?: string
}

/** How good the agent must be (§4.8). */
export interface Evaluation {
  /** Model that scores the answers. */
  readonly judge_model?: string
  /** Scores and thresholds. */
  readonly metrics?: readonly Metric[]
  /** Test cases. */
  readonly test_cases?: readonly TestCase[]
}

/** A score with its threshold (§4.8). */
export interface Metric {
  /** Which score. */
  readonly name:
    | 'faithfulness'
    | 'relevance'
    | 'coherence'
    | 'toxicity'
    | 'hallucination_rate'
    | 'task_completion'
    | 'latency_ms'
    | 'cost_usd_per_run'
    | 'tool_call_accuracy'
    | 'custom'
  /** The value that must be met. */
  readonly threshold?: number
  /** What a custom score is called. */
  readonly custom_name?: string
}

/** A test case (§4.8). */
export interface TestCase {
  /** Its name. */
  readonly id: string
  /** Input of the agent. */
  readonly input: Json
  /** An example of a good answer. */
  readonly expected_output?: Json
  /** Criteria for the judge, in natural language. */
  readonly criteria?: string
}

/** Rules that every host of the agent must enforce (§4.9). */
export interface Compliance {
  /** How strictly the other rules are enforced (§4.9). */
  readonly safety_level?: 'minimal' | 'standard' | 'strict' | 'regulated'
  /** Region that data may not leave (§4.9). */
  readonly data_residency?: 'global' | 'EU' | 'US' | 'UK' | 'APAC' | 'custom'
  /** What happens to personal data (§4.9). */
  readonly pii_handling?: 'none' | 'detect' | 'anonymize' | 'encrypt' | 'reject'
  /** Keep a tamper-evident log (§4.9). */
  readonly audit_log?: boolean
  readonly human_in_the_loop?: HumanInTheLoop
}

/** When a person must approve (§4.9). */
export interface HumanInTheLoop {
  /** Delay write calls until a person approves. */
  readonly enabled?: boolean
  readonly trigger?: Condition
  /** Seconds to wait for the person. */
  readonly timeout_seconds?: number
}

/** Origin of the definition. */
export interface Provenance {
  /** Its author. */
  readonly authored_by?: string
  /** Where it was made. */
  readonly source_platform?: string
  /** When it was made. */
  readonly created_at?: string
  /** When it was last changed. */
  readonly updated_at?: string
  /** SPDX id or address of its licence. */
  readonly license?: string
  /** Other standards it builds on. */
  readonly sc_refs?: readonly string[]
  /** Base64 Ed25519 signature over its canonical JSON. */
  readonly signature?: string
}
