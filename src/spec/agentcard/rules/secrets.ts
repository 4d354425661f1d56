import type { Finding } from '../../../document/finding.ts'
import type { JsonObject } from '../../../document/json.ts'
import { type SecretAdvice, secretFindings } from '../../secret-findings.ts'

const ADVICE: SecretAdvice = {
  rule: 'CARD-2.5-06',
  certain: 'remove it and revoke it, because cards are public; declare only endpoint.auth.scheme',
  suspected: 'if it is one, remove it: cards are public',
  severity: 'warning',
}

/**
 * Finds credentials in a card, which declares only the kind of credential (§2.5.3). Gives only warnings: unknown
 * members cannot make a card invalid (§5 rule 10).
 */
export function checkSecrets(card: JsonObject): Iterable<Finding> {
  return secretFindings(card, () => ADVICE)
}
