import type { Finding } from '../../../document/finding.ts'
import type { Json } from '../../../document/issue.ts'
import { findSecrets } from '../../../document/secret-patterns.ts'

/**
 * Secrets may stand nowhere in a document (§4.4, §12). Looks at every string, whether the rest is valid or not, and
 * never repeats what it found.
 * @param tokens places that hold a token by design.
 */
export function* checkSecrets(value: Json, tokens?: RegExp): Iterable<Finding> {
  for (const { pointer, kind, certain } of findSecrets(value)) {
    if (tokens?.test(pointer) === true) continue
    const named = pointer.startsWith('/agent/') ? '; name it by auth.env_var or auth.vault_ref' : ''
    yield {
      severity: certain ? 'error' : 'warning',
      code: certain ? 'SECRET_INLINE' : 'SECRET_SUSPECTED',
      pointer,
      message: certain ? `a secret stands here: ${kind}` : `this looks like a secret: ${kind}`,
      hint: certain
        ? `remove it and revoke it, for it may have been seen${named}`
        : `if it is one, remove it${named}`,
      rule: pointer.startsWith('/agent/tools/') ? 'AAIF-12-04' : 'AAIF-4.4-10',
    }
  }
}
