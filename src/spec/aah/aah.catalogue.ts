import type { RuleEntry } from '../rule-entry.ts'
import { contentRules } from './catalogue/content-rules.ts'
import { envelopeRules } from './catalogue/envelope-rules.ts'
import { sectionRules } from './catalogue/section-rules.ts'

/** All rules for artifact envelopes. */
export const artifactEnvelopeRules: readonly RuleEntry[] = [
  ...envelopeRules,
  ...contentRules,
  ...sectionRules,
]
