/** The fixed values of AgentCard (draft 00). */

export const PROTOCOLS = ['http', 'https', 'grpc', 'stdio', 'mcp'] as const
/** Values of the community repository; accepted in lenient mode, never written. */
export const DIALECT_PROTOCOLS: readonly string[] = ['websocket', 'sse', 'google_a2a', 'native']

export const AUTH_SCHEMES = ['none', 'bearer', 'api_key', 'oauth2', 'mtls'] as const
export type AuthScheme = (typeof AUTH_SCHEMES)[number]

export const TRUST_TIERS = ['untrusted', 'basic', 'established', 'verified', 'banned'] as const
export type TrustTier = (typeof TRUST_TIERS)[number]

/**
 * In joules. The draft rounds the energy of erasing one bit to this number and compares with it; the value computed
 * from its constants would be above the draft's own example.
 */
export const LANDAUER_FLOOR = 2.854e-21

/** Namespaces of capability ids that every reader knows (§2.4.1). */
export const NAMESPACES: readonly string[] = ['text', 'tool', 'data', 'fn', 'a2a']

export const TRUST_TIER_KEY = 'pacr:trust_tier'
export const SUBSTRATE_SCOPE_KEY = 'pacr:substrate_scope'
/** Reserved keys that the community repository computes from its own records; readers ignore them. */
export const COMPUTED_KEYS: readonly string[] = [
  'pacr:interaction_count',
  'pacr:avg_latency_ms',
  'pacr:avg_cost_joules',
  'pacr:reputation_score',
  'pacr:influence_rank',
  'pacr:critical_score',
]
