import type { Finding } from '../../../document/finding.ts'
import type { JsonObject } from '../../../document/issue.ts'
import { findSecrets } from '../../../document/secret-patterns.ts'

/**
 * A card declares the kind of credential and carries none (§2.5.3). Never an error: members that the draft does not
 * know cannot make a card invalid (§5 rule 10).
 */
export function* checkSecrets(card: JsonObject): Iterable<Finding> {
  for (const { pointer, kind, certain } of findSecrets(card)) {
    yield {
      severity: 'warning',
      code: certain ? 'SECRET_INLINE' : 'SECRET_SUSPECTED',
      pointer,
      message: certain ? `a secret stands here: ${kind}` : `this looks like a secret: ${kind}`,
      hint: certain
        ? 'remove it and revoke it, for cards are public; say only endpoint.auth.scheme'
        : 'if it is one, remove it: cards are public',
      rule: 'CARD-2.5-06',
    }
  }
}
