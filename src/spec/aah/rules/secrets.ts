import type { Finding } from '../../../document/finding.ts'
import type { JsonObject } from '../../../document/issue.ts'
import { findSecrets } from '../../../document/secret-patterns.ts'

/** Artifacts hold no secrets (Security Considerations). Looks everywhere, and never repeats what it found. */
export function* checkSecrets(envelope: JsonObject): Iterable<Finding> {
  for (const { pointer, kind, certain } of findSecrets(envelope)) {
    // A session's name is there to be known, however random it looks.
    if (!certain && pointer === '/source/session_id') continue
    yield {
      severity: certain ? 'error' : 'warning',
      code: certain ? 'SECRET_INLINE' : 'SECRET_SUSPECTED',
      pointer,
      message: certain ? `a secret stands here: ${kind}` : `this looks like a secret: ${kind}`,
      hint: certain
        ? 'remove it and revoke it, for it may have been seen'
        : 'if it is one, remove it; artifacts are read by many',
      rule: 'AAH-sec-05',
    }
  }
}
