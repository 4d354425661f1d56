import type { Grants } from '../policy/endpoint-gate.ts'
import type { KeyBindings } from '../policy/key-binding.ts'
import type { SecretGrant } from '../policy/secret-grant.ts'

/** What the person who runs the agent has decided, from the command line and the configuration. */
export interface OperatorSettings {
  readonly rehearsal: boolean
  readonly grants: Grants
  readonly key_bindings: KeyBindings
  readonly secret_grants: readonly SecretGrant[]
  /** Replaces the definition's routes. */
  readonly model?: { readonly provider: string; readonly model: string }
  /** Judges constraints that no rule can hold. */
  readonly judge?: { readonly provider: string; readonly model: string }
  /** Where the first route's provider is reached instead. */
  readonly base_url?: string
  /** What only the operator can say of a tool: http tools declare neither a method nor that they only read. */
  readonly tools: Readonly<Record<string, ToolSetting>>
  readonly budget: Budget
  readonly allow_deprecated: boolean
  /** First pause before a retry, in milliseconds. */
  readonly retry_base_ms: number
}

export interface ToolSetting {
  readonly method?: string
  readonly read_only?: boolean
  readonly idempotent?: boolean
}

export interface Budget {
  readonly tokens?: number
  readonly usd?: number
  readonly calls?: number
  readonly seconds?: number
}

/** What this host has, as far as planning asks. */
export interface HostFacts {
  /** Environment variables, for whether a secret is there; values are never copied into a plan. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly priceOf: (provider: string, model: string) => ModelFacts | undefined
}

export interface ModelFacts {
  /** US dollars per million tokens. */
  readonly price?: { readonly input: number; readonly output: number }
  /** Tokens. */
  readonly context_window?: number
}
