import type { Finding } from '../document/finding.ts'
import type { Json } from '../document/json.ts'
import { findSecrets } from '../secret/find-secrets.ts'

/** What a kind of document says of a secret in it. */
export interface SecretAdvice {
  readonly rule: string
  /** What to do about one that is certain, and about a text that merely looks like one. */
  readonly certain: string
  readonly suspected: string
  /** Of one that is certain; default `error`. */
  readonly severity?: Finding['severity']
}

/**
 * Secrets in a document. Looks at every string, whether the rest is valid or not, and never repeats what it found.
 * @param advise null where a secret may stand
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
      message: certain ? `a secret stands here: ${kind}` : `this looks like a secret: ${kind}`,
      hint: certain ? advice.certain : advice.suspected,
      rule: advice.rule,
    }
  }
}
