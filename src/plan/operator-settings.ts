import type { CallRule } from '../policy/approval/call-rule.ts'
import type { Grants } from '../policy/endpoint-gate.ts'
import type { KeyBindings } from '../policy/key-binding.ts'
import type { PiiOptions } from '../policy/pii/find-pii.ts'
import type { ResidencyClaims } from '../policy/residency.ts'
import type { SecretGrant, SecretUse } from '../policy/secret-grant.ts'
import type { MappedSchemas } from '../schema/mapped-schemas.ts'

/** The settings of the operator, from the command line and the configuration. */
export interface OperatorSettings {
  readonly rehearsal: boolean
  /** A rehearsal stops for approvals as a real run does. Without it they count as granted. */
  readonly rehearsal_asks?: true
  readonly grants: Grants
  readonly key_bindings: KeyBindings
  readonly secret_grants: readonly SecretGrant[]
  /** Rules for calls that need no approval in this run (`--yes`). */
  readonly allowed_calls?: readonly CallRule[]
  /** Replaces the definition's routes. */
  readonly model?: { readonly provider: string; readonly model: string }
  /** The model that checks constraints that no rule can check. */
  readonly judge?: { readonly provider: string; readonly model: string }
  /** Replaces the address of the provider of the first route. */
  readonly base_url?: string
  /** Facts about tools that definitions cannot state: http tools declare neither their method nor that they are read-only. */
  readonly tools: Readonly<Record<string, ToolSetting>>
  /** The configured MCP servers, by name; absent: none. */
  readonly mcp_servers?: McpServers
  /** Schema documents that definitions and servers may refer to, by address. */
  readonly schemas?: MappedSchemas
  readonly budget: Budget
  /** The regions in which providers and hosts keep data, as configured. */
  readonly residency: ResidencyClaims
  /** Prices and context windows by `provider/model`; they take precedence over the price data. */
  readonly models?: Readonly<Record<string, ModelFacts>>
  /** Ranks for the strategy `quality`, by model or `provider/model`, with `*` for any text; the first match counts. */
  readonly quality?: Readonly<Record<string, number>>
  /** The user of the run. Memory with user scope belongs to this user, and is refused without a user. */
  readonly user?: string
  /** The session of the run. Memory with session scope is refused without a session. */
  readonly session?: string
  readonly allow_deprecated: boolean
  readonly telemetry?: TelemetrySettings
  /** Detection of personal data, and the key for its encryption. */
  readonly pii?: PiiSettings
  /** First pause before a retry, in milliseconds. */
  readonly retry_base_ms: number
}

/** The collector for telemetry (AAIF §4.7), if the definition names no granted collector. */
export interface TelemetrySettings {
  readonly otlp_endpoint?: string
  readonly protocol?: 'http/protobuf' | 'grpc'
  /** Headers of the requests, each with the name of the environment variable that contains its value. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface PiiSettings extends PiiOptions {
  /** Name of the environment variable that contains a key of 32 bytes, in Base64 or hexadecimal digits. */
  readonly key_env?: string
}

export interface ToolSetting {
  readonly method?: string
  readonly read_only?: boolean
  readonly idempotent?: boolean
}

/**
 * MCP servers by the name in `mcp://NAME/…`. Only these commands are ever started: a definition can name a server, but
 * cannot contain a command (AAIF §12).
 */
export type McpServers = Readonly<Record<string, McpServer>>
export type McpServer = McpProcess | McpAddress

interface McpServerSettings {
  /** Whether its hints about read-only and idempotent tools are trusted. */
  readonly trusted?: boolean
  /** How long its start and its list of tools may take. Default: 30 s for a run, 2 s for `waybill plan` and `tools`. */
  readonly start_timeout_seconds?: number
}

export interface McpProcess extends McpServerSettings {
  readonly command: string
  readonly args?: readonly string[]
  /** Names of the environment variables that the process gets; otherwise it gets only `PATH`. */
  readonly env?: readonly string[]
  readonly cwd?: string
}

export interface McpAddress extends McpServerSettings {
  readonly url: string
  /** Absent: chosen by the scheme; for http, the older SSE transport is tried if the server does not support streamable HTTP. */
  readonly transport?: 'http' | 'sse' | 'ws'
}

export interface Budget {
  readonly tokens?: number
  readonly usd?: number
  readonly calls?: number
  readonly seconds?: number
}

/** Facts about this host that planning needs. */
export interface HostFacts {
  /** Returns whether a secret is set and may be sent there. Planning never sees its value. */
  readonly hasSecret: (name: string, to?: SecretUse) => boolean
  /** Returns facts about the operator's key for personal data with this name. */
  readonly piiKey: (name: string) => PiiKey
  /** Whether an audit log can be stored. */
  readonly canAudit?: boolean
  readonly priceOf: (provider: string, model: string) => ModelFacts | undefined
  /** Returns the model of a provider's price list whose name is similar to this one; absent: not looked up. */
  readonly similarModel?: (provider: string, model: string) => string | undefined
  /** Runs start from named queues and in the background, as on the platform. */
  readonly queues?: true
  /** Absent: memory lasts only as long as the run. */
  readonly memory?: MemoryFacts
  /** Facts about the extensions of the operator; absent: no extensions. */
  readonly extensions?: ExtensionFacts
}

/** Facts about a key for personal data. It can encrypt values; its own value is not accessible here. */
export type PiiKey =
  | { readonly state: 'missing' | 'invalid' }
  | { readonly state: 'present'; readonly seal: (value: string) => string }

/** The protocols, backends and providers of extensions, by the name that definitions use. */
export interface ExtensionFacts {
  readonly protocols: Readonly<Record<string, ProtocolFacts>>
  readonly providers: Readonly<Record<string, ProviderFacts>>
  readonly backends: Readonly<Record<string, BackendFacts>>
}

/** The kind of target of an endpoint; see `ToolProtocol`. */
export type Reach = 'host' | 'file' | 'nothing'

export interface ProtocolFacts {
  /** The extension that adds it. */
  readonly extension: string
  readonly reach: Reach
}

export interface ProviderFacts {
  readonly extension: string
  readonly base_url?: string
}

export interface BackendFacts {
  readonly extension: string
}

export const NO_EXTENSIONS: ExtensionFacts = { protocols: {}, providers: {}, backends: {} }

export interface MemoryFacts {
  /** Whether items can be stored beyond the run. */
  readonly kept: boolean
  /** Whether the optional packages for text embeddings are installed. */
  readonly embeddings: boolean
}

export interface ModelFacts {
  /** US dollars per million tokens. */
  readonly price?: { readonly input: number; readonly output: number }
  /** Tokens. */
  readonly context_window?: number
}
