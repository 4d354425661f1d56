import type { AgentCard } from './generated/agent-card.ts'
import { type AuthScheme, TRUST_TIER_KEY, type TrustTier } from './vocabulary.ts'

/** Which kind of credential the agent asks for; none when the card says nothing (AgentCard §2.5.3). */
export function authSchemeOf(card: AgentCard): AuthScheme {
  return card.endpoint.auth?.scheme ?? 'none'
}

/**
 * The trust tier that the card claims; untrusted when it claims none (AgentCard §2.7). The agent says so of itself:
 * nothing may be granted for it without a record of our own (§8.4).
 */
export function claimedTrustTierOf(card: AgentCard): TrustTier {
  return card.metadata?.[TRUST_TIER_KEY] ?? 'untrusted'
}
