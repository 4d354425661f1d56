import type { Finding } from '../../../document/finding.ts'
import type { JsonObject } from '../../../document/json.ts'
import { type SecretAdvice, secretFindings } from '../../secret-findings.ts'

const ADVICE: SecretAdvice = {
  rule: 'WB-iap-01',
  certain: 'remove it and revoke it, because it may have been read; the receiver uses its own secrets',
  suspected: 'if it is one, remove it; the receiver uses its own secrets',
}

/** Finds secrets in tasks, which many systems forward and store. */
export function checkSecrets(document: JsonObject): Iterable<Finding> {
  return secretFindings(document, () => ADVICE)
}
