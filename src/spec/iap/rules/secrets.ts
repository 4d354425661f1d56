import type { Finding } from '../../../document/finding.ts'
import type { JsonObject } from '../../../document/json.ts'
import { type SecretAdvice, secretFindings } from '../../secret-findings.ts'

const ADVICE: SecretAdvice = {
  rule: 'WB-iap-01',
  certain: 'remove it and revoke it, for it may have been seen; the receiver uses secrets of its own',
  suspected: 'if it is one, remove it; the receiver uses secrets of its own',
}

/** Tasks pass through many hands, so they carry no secrets. */
export function checkSecrets(document: JsonObject): Iterable<Finding> {
  return secretFindings(document, () => ADVICE)
}
