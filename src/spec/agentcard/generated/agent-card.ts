// Generated from src/spec/agentcard/agent-card.schema.ts by `npm run generate`. Do not edit.
import type { Json, JsonObject } from '../../../document/json.ts'

/** Description of an agent, published by the agent (AgentCard draft 00 §2). */
export interface AgentCard {
  /** ULID, assigned once and never changed (§2.1). */
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
  /** Other members are allowed; readers ignore them. */
  readonly [member: string]: unknown
}

/** One thing that the agent can do (§2.4). */
export interface Capability {
  /** Dotted lower-case name, such as text.summarise (§2.4.1). */
  readonly id: string
  /** Its function, input and output, in one to three sentences. */
  readonly description?: string
  /** JSON Schema of its input. */
  readonly input_schema?: JsonObject
  /** JSON Schema of its output. */
  readonly output_schema?: JsonObject
  /** Free labels for search. */
  readonly tags?: readonly string[]
  /** Other members are allowed; readers ignore them. */
  readonly [member: string]: unknown
}

/** How the agent is reached (§2.5). */
export interface Endpoint {
  /** Protocol of the endpoint (§2.5.1). */
  readonly protocol: 'http' | 'https' | 'grpc' | 'stdio' | 'mcp'
  /** Its URI; the scheme agrees with the protocol (§2.5.2). */
  readonly url: string
  readonly auth?: EndpointAuth
  /** Other members are allowed; readers ignore them. */
  readonly [member: string]: unknown
}

/** Which kind of credential a caller needs; never the credential itself (§2.5.3). */
export interface EndpointAuth {
  /** The mechanism. */
  readonly scheme?: 'none' | 'bearer' | 'api_key' | 'oauth2' | 'mtls'
  /** Other members are allowed; readers ignore them. */
  readonly [member: string]: unknown
}

/** What a call costs, in joules (§2.6). */
export interface Pricing {
  /** Minimum energy of one call: 0, or at least the Landauer limit (§2.6.1). */
  readonly base_cost_joules?: number
  /** Additional energy of each output token (§2.6.2). */
  readonly per_token_joules?: number
  /** Other members are allowed; readers ignore them. */
  readonly [member: string]: unknown
}

/** Notes of frameworks and applications; the prefixes pacr: and mcp: are reserved (§2.7). */
export interface Metadata {
  /** Trust tier that the agent claims; not verified (§8.4). */
  readonly 'pacr:trust_tier'?: 'untrusted' | 'basic' | 'established' | 'verified' | 'banned'
  /** Data on which it was trained or calibrated. */
  readonly 'pacr:substrate_scope'?: string
  /** Other members are allowed; readers ignore them. */
  readonly [member: string]: unknown
}

/** A goal that the agent takes part in (§2.8). */
export interface GoalSubscription {
  /** The goal. */
  readonly goal_id: string
  /** Description of the goal. */
  readonly description?: string
  /** Priority of the goal for the agent. */
  readonly priority?: number
  /** Other members are allowed; readers ignore them. */
  readonly [member: string]: unknown
}
