import type { Finding } from '../../../document/finding.ts'
import type { JsonObject } from '../../../document/issue.ts'
import { findSecrets } from '../../../document/secret-patterns.ts'

/** Tasks pass through many hands, so they carry no secrets. Looks everywhere, and never repeats what it found. */
export function* checkSecrets(document: JsonObject): Iterable<Finding> {
  for (const { pointer, kind, certain } of findSecrets(document)) {
    yield {
      severity: certain ? 'error' : 'warning',
      code: certain ? 'SECRET_INLINE' : 'SECRET_SUSPECTED',
      pointer,
      message: certain ? `a secret stands here: ${kind}` : `this looks like a secret: ${kind}`,
      hint: certain
        ? 'remove it and revoke it, for it may have been seen; the receiver uses secrets of its own'
        : 'if it is one, remove it; the receiver uses secrets of its own',
      rule: 'WB-iap-01',
    }
  }
}
