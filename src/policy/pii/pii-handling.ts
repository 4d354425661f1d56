import { PII_POLICIES } from '../../spec/aaif/vocabulary.ts'

/** What happens to personal data (AAIF §4.9). */
export type PiiHandling = (typeof PII_POLICIES)[number]

/** Returns the stricter handling. */
export function stricterPii(a: PiiHandling, b: PiiHandling): PiiHandling {
  return PII_POLICIES.indexOf(a) >= PII_POLICIES.indexOf(b) ? a : b
}
