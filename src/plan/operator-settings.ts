import type { CallRule } from '../policy/approval/call-rule.ts'
import type { Grants } from '../policy/endpoint-gate.ts'
import type { KeyBindings } from '../policy/key-binding.ts'
import type { PiiOptions } from '../policy/pii/find-pii.ts'
import type { ResidencyClaims } from '../policy/residency.ts'
import type { SecretGrant } from '../policy/secret-grant.ts'

/** What the person who runs the agent has decided, from the command line and the configuration. */
export interface OperatorSettings {
  readonly rehearsal: boolean
  readonly grants: Grants
  readonly key_bindings: KeyBindings
  readonly secret_grants: readonly SecretGrant[]
  /** Calls that need no question in this run (`--yes`). */
  readonly allowed_calls?: readonly CallRule[]
  /** Replaces the definition's routes. */
  readonly model?: { readonly provider: string; readonly model: string }
  /** Judges constraints that no rule can hold. */
  readonly judge?: { readonly provider: string; readonly model: string }
  /** Where the first route's provider is reached instead. */
  readonly base_url?: string
  /** What only the operator can say of a tool: http tools declare neither a method nor that they only read. */
  readonly tools: Readonly<Record<string, ToolSetting>>
  /** The MCP servers that the operator has set up, by name; none when absent. */
  readonly mcp_servers?: McpServers
  readonly budget: Budget
  /** Where providers and hosts keep data, by the operator's word. */
  readonly residency: ResidencyClaims
  /** Prices and context windows by `provider/model`; they come before what the price data says. */
  readonly models?: Readonly<Record<string, ModelFacts>>
  /** Ranks for the strategy `quality`, by model or `provider/model`, with `*` for any text; the first match counts. */
  readonly quality?: Readonly<Record<string, number>>
  /** Whose run it is; memory of user scope belongs to this person and is refused without. */
  readonly user?: string
  /** Which conversation it belongs to; memory of session scope is refused without. */
  readonly session?: string
  readonly allow_deprecated: boolean
  readonly telemetry?: TelemetrySettings
  /** How personal data is found, and the key that it is encrypted with. */
  readonly pii?: PiiSettings
  /** First pause before a retry, in milliseconds. */
  readonly retry_base_ms: number
}

/** Where runs are reported to (AAIF §4.7), when their definitions name no collector that is granted. */
export interface TelemetrySettings {
  readonly otlp_endpoint?: string
  readonly protocol?: 'http/protobuf' | 'grpc'
  /** Headers of the requests: each the name of the environment variable that holds its value. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface PiiSettings extends PiiOptions {
  /** Names the environment variable that holds a key of 32 bytes, in Base64 or hexadecimal digits. */
  readonly key_env?: string
}

export interface ToolSetting {
  readonly method?: string
  readonly read_only?: boolean
  readonly idempotent?: boolean
}

/**
 * MCP servers by the name that `mcp://NAME/…` calls them. Only the commands that stand here are ever started: a
 * definition can name one, and never bring one along (AAIF §12).
 */
export type McpServers = Readonly<Record<string, McpServer>>
export type McpServer = McpProcess | McpAddress

export interface McpProcess {
  readonly command: string
  readonly args?: readonly string[]
  /** Names of the variables that the process is given; besides them it gets `PATH` alone. */
  readonly env?: readonly string[]
  readonly cwd?: string
  /** Its word on which of its tools only read, or may be repeated, is believed. */
  readonly trusted?: boolean
}

export interface McpAddress {
  readonly url: string
  /** Absent: what the scheme says; over http the older SSE is tried where streamable HTTP is not spoken. */
  readonly transport?: 'http' | 'sse' | 'ws'
  readonly trusted?: boolean
}

export interface Budget {
  readonly tokens?: number
  readonly usd?: number
  readonly calls?: number
  readonly seconds?: number
}

/** What this host has, as far as planning asks. */
export interface HostFacts {
  /** Returns whether a secret is set. Planning never sees its value. */
  readonly hasSecret: (name: string) => boolean
  /** Describes the operator's key for personal data that has this name. */
  readonly piiKey: (name: string) => PiiKey
  /** Whether there is a place for an audit log. */
  readonly canAudit?: boolean
  readonly priceOf: (provider: string, model: string) => ModelFacts | undefined
  /** Absent: nothing can be remembered beyond the run. */
  readonly memory?: MemoryFacts
  /** What the operator's extensions add; absent: nothing. */
  readonly extensions?: ExtensionFacts
}

/** An operator's key for personal data, as far as planning needs it: it can seal, and its value is not in here. */
export type PiiKey =
  | { readonly state: 'missing' | 'invalid' }
  | { readonly state: 'present'; readonly seal: (value: string) => string }

/** What extensions add, by the word that a definition uses for it. */
export interface ExtensionFacts {
  readonly protocols: Readonly<Record<string, ProtocolFacts>>
  readonly providers: Readonly<Record<string, ProviderFacts>>
  readonly backends: Readonly<Record<string, BackendFacts>>
}

/** What an endpoint leads to; see `ToolProtocol`. */
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
  /** There is a file in which items are kept from run to run. */
  readonly kept: boolean
  /** The optional packages that embed texts are installed. */
  readonly embeddings: boolean
}

export interface ModelFacts {
  /** US dollars per million tokens. */
  readonly price?: { readonly input: number; readonly output: number }
  /** Tokens. */
  readonly context_window?: number
}
