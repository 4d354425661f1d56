import type { Finding } from '../../../document/finding.ts'
import type { JsonObject } from '../../../document/json.ts'
import { type SecretAdvice, secretFindings } from '../../secret-findings.ts'

const ADVICE: SecretAdvice = {
  rule: 'AAH-sec-05',
  certain: 'remove it and revoke it, for it may have been seen',
  suspected: 'if it is one, remove it; artifacts are read by many',
}

/** Artifacts hold no secrets (Security Considerations). */
export function checkSecrets(envelope: JsonObject): Iterable<Finding> {
  // A session's name is there to be known, however random it looks.
  return secretFindings(envelope, (pointer, certain) =>
    !certain && pointer === '/source/session_id' ? null : ADVICE,
  )
}
