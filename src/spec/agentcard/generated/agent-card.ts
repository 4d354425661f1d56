// Generated from src/spec/agentcard/agent-card.schema.ts by `npm run generate`. Do not edit.
import type { Json, JsonObject } from '../../../document/json.ts'

/** What an agent says about itself to others (AgentCard draft 00 §2). */
export interface AgentCard {
  /** ULID given once and kept for good (§2.1). */
  readonly agent_id: string
  /** Name shown to people; it need not be unique (§2.2). */
  readonly name: string
  /** Version of this card, by Semantic Versioning 2.0.0 (§2.3). */
  readonly version: string
  /** What the agent can do, the most prominent first (§2.4). */
  readonly capabilities: readonly Capability[]
  readonly endpoint: Endpoint
  readonly pricing?: Pricing
  readonly metadata?: Metadata
  /** Goals that the agent takes part in (§2.8). */
  readonly goal_subscriptions?: readonly GoalSubscription[]
  /** Others may stand here; readers ignore them. */
  readonly [member: string]: unknown
}

/** One thing that the agent can do (§2.4). */
export interface Capability {
  /** Dotted lower-case name, such as text.summarise (§2.4.1). */
  readonly id: string
  /** What it does, what it takes and what it returns, in one to three sentences. */
  readonly description?: string
  /** JSON Schema of its input. */
  readonly input_schema?: JsonObject
  /** JSON Schema of its output. */
  readonly output_schema?: JsonObject
  /** Free words to find it by. */
  readonly tags?: readonly string[]
  /** Others may stand here; readers ignore them. */
  readonly [member: string]: unknown
}

/** How the agent is reached (§2.5). */
export interface Endpoint {
  /** What is spoken there (§2.5.1). */
  readonly protocol: 'http' | 'https' | 'grpc' | 'stdio' | 'mcp'
  /** Its URI; the scheme agrees with the protocol (§2.5.2). */
  readonly url: string
  readonly auth?: EndpointAuth
  /** Others may stand here; readers ignore them. */
  readonly [member: string]: unknown
}

/** Which kind of credential a caller needs; never the credential itself (§2.5.3). */
export interface EndpointAuth {
  /** The mechanism. */
  readonly scheme?: 'none' | 'bearer' | 'api_key' | 'oauth2' | 'mtls'
  /** Others may stand here; readers ignore them. */
  readonly [member: string]: unknown
}

/** What a call costs, in joules (§2.6). */
export interface Pricing {
  /** Least energy of one call: 0, or at least the Landauer limit (§2.6.1). */
  readonly base_cost_joules?: number
  /** Energy of each output token on top (§2.6.2). */
  readonly per_token_joules?: number
  /** Others may stand here; readers ignore them. */
  readonly [member: string]: unknown
}

/** Notes of frameworks and applications; the prefixes pacr: and mcp: are reserved (§2.7). */
export interface Metadata {
  /** What the agent claims to be; a hint at most (§8.4). */
  readonly 'pacr:trust_tier'?: 'untrusted' | 'basic' | 'established' | 'verified' | 'banned'
  /** What it was trained or calibrated on. */
  readonly 'pacr:substrate_scope'?: string
  /** Others may stand here; readers ignore them. */
  readonly [member: string]: unknown
}

/** A goal that the agent takes part in (§2.8). */
export interface GoalSubscription {
  /** The goal. */
  readonly goal_id: string
  /** The goal in words. */
  readonly description?: string
  /** How much the agent cares. */
  readonly priority?: number
  /** Others may stand here; readers ignore them. */
  readonly [member: string]: unknown
}
