import type { Finding } from '../document/finding.ts'
import type { Json } from '../document/json.ts'
import { findSecrets } from '../secret/find-secrets.ts'

/** How a kind of document reports a secret. */
export interface SecretAdvice {
  readonly rule: string
  /** Hints for a certain secret, and for a text that only looks like a secret. */
  readonly certain: string
  readonly suspected: string
  /** Severity of a certain secret; default `error`. */
  readonly severity?: Finding['severity']
}

/**
 * Finds secrets in a document. Checks every string, even in an invalid document, and never repeats a secret.
 * @param advise returns null for places that may contain a secret
 */
export function* secretFindings(
  value: Json,
  advise: (pointer: string, certain: boolean) => SecretAdvice | null,
): Iterable<Finding> {
  for (const { pointer, kind, certain } of findSecrets(value)) {
    const advice = advise(pointer, certain)
    if (advice === null) continue
    yield {
      severity: certain ? (advice.severity ?? 'error') : 'warning',
      code: certain ? 'SECRET_INLINE' : 'SECRET_SUSPECTED',
      pointer,
      message: certain ? `this contains a secret: ${kind}` : `this looks like a secret: ${kind}`,
      hint: certain ? advice.certain : advice.suspected,
      rule: advice.rule,
    }
  }
}
