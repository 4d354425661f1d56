import type { Finding } from '../../../document/finding.ts'
import type { JsonObject } from '../../../document/json.ts'
import { type SecretAdvice, secretFindings } from '../../secret-findings.ts'

const ADVICE: SecretAdvice = {
  rule: 'CARD-2.5-06',
  certain: 'remove it and revoke it, for cards are public; say only endpoint.auth.scheme',
  suspected: 'if it is one, remove it: cards are public',
  severity: 'warning',
}

/**
 * A card declares the kind of credential and carries none (§2.5.3). Never an error: members that the draft does not
 * know cannot make a card invalid (§5 rule 10).
 */
export function checkSecrets(card: JsonObject): Iterable<Finding> {
  return secretFindings(card, () => ADVICE)
}
