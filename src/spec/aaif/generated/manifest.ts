// Generated from src/spec/aaif/manifest.schema.ts by `npm run generate`. Do not edit.
import type { Json, JsonObject } from '../../../document/json.ts'

/** Capabilities of a platform, published for negotiation (AAIF 3.4.0 §7). */
export interface PlatformManifest {
  /** Extension of a vendor; never alters behaviour. */
  readonly [extension: `x-${string}`]: Json
  /** A note to people; ignored. */
  readonly _comment?: string
  /** Identifies the document as AAIF (§4.1). */
  readonly sc_standard: 'SC-006'
  /** Version of the format. */
  readonly sc_version: string
  readonly platform: Platform
}

/** The platform itself. */
export interface Platform {
  /** Name shown to people. */
  readonly name: string
  /** Version of its software. */
  readonly version: string
  /** Its vendor. */
  readonly vendor?: string
  /** Where this manifest is published. */
  readonly manifest_url?: string
  /** Highest level it meets (§6). */
  readonly aaif_conformance_level:
    'Core' | 'Tooled' | 'Portable' | 'Multi-agent' | 'Observable' | 'Enterprise' | 'Stateful'
  /** Versions of the format it accepts. */
  readonly aaif_versions_supported?: readonly string[]
  readonly capabilities?: PlatformCapabilities
  readonly intake_endpoint?: IntakeEndpoint
  /** When the manifest was made. */
  readonly manifest_issued_at?: string
  /** When to fetch it again. */
  readonly manifest_expires_at?: string
}

/** Capabilities of the platform, by area. */
export interface PlatformCapabilities {
  readonly tool?: ToolSupport
  readonly memory?: MemorySupport
  readonly model?: ModelSupport
  readonly orchestration?: OrchestrationSupport
  readonly auth?: AuthSupport
  readonly state?: StateSupport
  readonly compliance?: ComplianceSupport
  readonly telemetry?: TelemetrySupport
}

/** Kinds of tools it can call. */
export interface ToolSupport {
  /** Functions in its own process. */
  readonly function?: boolean
  /** MCP servers. */
  readonly mcp?: boolean
  /** Plain HTTP endpoints. */
  readonly http?: boolean
  /** OpenAPI documents. */
  readonly openapi?: boolean
  /** Several calls at once in one turn. */
  readonly parallel_calls?: boolean
}

/** Memory backends it supports. */
export interface MemorySupport {
  /** Memory of its own process. */
  readonly in_memory?: boolean
  /** Redis. */
  readonly redis?: boolean
  /** PostgreSQL. */
  readonly postgres?: boolean
  /** MongoDB. */
  readonly mongodb?: boolean
  /** Elasticsearch. */
  readonly elasticsearch?: boolean
  /** Qdrant. */
  readonly qdrant?: boolean
  /** Pinecone. */
  readonly pinecone?: boolean
  /** Chroma. */
  readonly chroma?: boolean
  /** At least one store with similarity search. */
  readonly vector?: boolean
}

/** Models it can call, and how. */
export interface ModelSupport {
  /** Providers it can route to. */
  readonly providers?: readonly string[]
  /** Routing strategies it implements, in addition to the declared order. */
  readonly routing_strategies?: ('cost' | 'latency' | 'quality' | 'round_robin')[]
  /** Tries fallbacks. */
  readonly fallback?: boolean
  /** Streams. */
  readonly streaming?: boolean
  /** Lets models call functions. */
  readonly function_calling?: boolean
  /** Enforces response_format json_schema. */
  readonly structured_output?: boolean
  /** Takes images. */
  readonly vision?: boolean
}

/** How agents work together on it. */
export interface OrchestrationSupport {
  /** Pipelines. */
  readonly pipeline?: boolean
  /** Swarms. */
  readonly parallel?: boolean
  /** Routers. */
  readonly dynamic_routing?: boolean
  /** Handing a run to another agent. */
  readonly handoff?: boolean
  /** Consensus. */
  readonly consensus?: boolean
  /** Most subagents of one orchestrator; no limit when absent. */
  readonly max_subagents?: number
  /** Languages of Conditions that it evaluates (§5). */
  readonly condition_languages?: ('jsonpath' | 'jmespath' | 'cel' | 'jsonlogic' | 'always' | 'never')[]
}

/** How it can authenticate to tools. */
export interface AuthSupport {
  /** Bearer tokens. */
  readonly bearer?: boolean
  /** API keys. */
  readonly api_key?: boolean
  /** OAuth 2. */
  readonly oauth2?: boolean
  /** AWS Signature Version 4. */
  readonly aws_sigv4?: boolean
  readonly vault?: VaultSupport
}

/** Vaults from which it can read secrets. */
export interface VaultSupport {
  /** Whether it resolves vault_ref at all. */
  readonly supported?: boolean
  /** Vaults it can read. */
  readonly providers?: (
    'aws_secrets_manager' | 'hashicorp_vault' | 'azure_key_vault' | 'gcp_secret_manager' | '1password'
  )[]
}

/** Operations on running agents (§8). */
export interface StateSupport {
  /** Captures and restores Agent State. */
  readonly checkpoint?: boolean
  /** Takes part in migrations (§8.2). */
  readonly live_migration?: boolean
  /** Takes part in streaming handoffs (§8.3). */
  readonly streaming_handoff?: boolean
  /** Maximum tokens of conversation in a checkpoint; 0 means unlimited. */
  readonly max_conversation_tokens?: number
}

/** Rules it can enforce (§4.9). */
export interface ComplianceSupport {
  /** Asks a person. */
  readonly human_in_the_loop?: boolean
  /** Keeps a tamper-evident log. */
  readonly audit_log?: boolean
  /** Removes personal data. */
  readonly pii_scrubbing?: boolean
  /** Regions it can keep data in, e.g. EU. */
  readonly data_residency_regions?: readonly string[]
}

/** Telemetry it emits (§4.7). */
export interface TelemetrySupport {
  /** OpenTelemetry traces. */
  readonly otel_traces?: boolean
  /** OpenTelemetry metrics. */
  readonly otel_metrics?: boolean
  /** Export over OTLP. */
  readonly otlp_export?: boolean
}

/** Endpoint that receives agent definitions (§7). */
export interface IntakeEndpoint {
  /** Its address. */
  readonly url?: string
  /** HTTP method. */
  readonly method?: 'POST' | 'PUT'
  /** How the sender authenticates. */
  readonly auth_scheme?: 'bearer' | 'api_key' | 'none'
  /** Media type it accepts. */
  readonly content_type?: string
  /** Maximum number of bytes it accepts. */
  readonly max_body_bytes?: number
}
