import type { Finding } from '../../../document/finding.ts'
import type { JsonObject } from '../../../document/json.ts'
import { type SecretAdvice, secretFindings } from '../../secret-findings.ts'

const ADVICE: SecretAdvice = {
  rule: 'AAH-sec-05',
  certain: 'remove it and revoke it, because it may have been read',
  suspected: 'if it is one, remove it; artifacts have many readers',
}

/** Finds secrets in artifacts, which must not contain any (Security Considerations). */
export function checkSecrets(envelope: JsonObject): Iterable<Finding> {
  // A session id is not a secret, even if it looks random.
  return secretFindings(envelope, (pointer, certain) =>
    !certain && pointer === '/source/session_id' ? null : ADVICE,
  )
}
