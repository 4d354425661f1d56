import type { AgentCard } from './generated/agent-card.ts'
import { type AuthScheme, TRUST_TIER_KEY, type TrustTier } from './vocabulary.ts'

/** Returns the kind of credential that the agent requires; default: none (AgentCard §2.5.3). */
export function authSchemeOf(card: AgentCard): AuthScheme {
  return card.endpoint.auth?.scheme ?? 'none'
}

/**
 * Returns the trust tier that the card claims; the default is untrusted (AgentCard §2.7). The claim is not verified: do
 * not grant anything because of it (§8.4).
 */
export function claimedTrustTierOf(card: AgentCard): TrustTier {
  return card.metadata?.[TRUST_TIER_KEY] ?? 'untrusted'
}
