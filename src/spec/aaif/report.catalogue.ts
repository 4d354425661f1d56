import type { JsonObject } from '../../document/json.ts'
import type { RuleEntry } from '../rule-entry.ts'
import { entriesOf, LOOKS_LIKE_A_KEY } from './catalogue/entry.ts'

const claim = {
  level: 'Core',
  direction: 'consumer',
  test_suite: { corpus: 'aaif 3.4.0', passed: 17, total: 18 },
}
const least: JsonObject = {
  sc_standard: 'SC-006',
  report: { generated_at: '2026-03-01T09:00:00Z', aaif_versions: ['3.4.0'] },
  platform: { name: 'Post office' },
  claims: [claim],
}
const rule = entriesOf('aaif.conformance-report', least)
const claiming = (members: JsonObject): JsonObject => ({ ...least, claims: [{ ...claim, ...members }] })

/** All rules for conformance reports. */
export const conformanceReportRules: readonly RuleEntry[] = [
  rule('AAIF-4.1-01', '4.1', {
    codes: ['NOT_AAIF'],
    sentence: 'sc_standard is exactly "SC-006"; a document with another value is not AAIF.',
    wrong: { ...least, sc_standard: null },
  }),
  rule('AAIF-6-01', '6', {
    codes: ['NOT_IN_ENUM', 'WRONG_TYPE'],
    enforced: 'schema',
    sentence: 'The seven levels are spelled exactly as in §6.',
    right: claiming({ level: 'Multi-agent' }),
    wrong: claiming({ level: 'core' }),
  }),
  rule('AAIF-6-13', '6', {
    codes: [
      'REQUIRED_MISSING',
      'NOT_AAIF',
      'UNKNOWN_MEMBER',
      'WRONG_TYPE',
      'TOO_FEW_ITEMS',
      'PATTERN_MISMATCH',
      'OUT_OF_RANGE',
      'CLAIM_IMPOSSIBLE',
      'CLAIM_REPEATED',
    ],
    sentence: 'A report has report, platform.name and claims with their test_suite, and no sc_version.',
    wrong: { ...least, sc_version: '3.4.0' },
  }),
  rule('AAIF-6-12', '6', {
    codes: ['CLAIM_SKIPS_LEVEL'],
    severity: 'warning',
    sentence: 'A consumer that claims Stateful also claims Enterprise.',
    right: {
      ...least,
      claims: [
        { ...claim, level: 'Stateful' },
        { ...claim, level: 'Enterprise' },
      ],
    },
    wrong: claiming({ level: 'Stateful' }),
  }),
  rule('SPEC-Y-03', '6', {
    codes: ['NOT_IN_ENUM', 'WRONG_TYPE'],
    enforced: 'schema',
    sentence: 'A claim is made as producer, consumer or both.',
    right: claiming({ direction: 'both' }),
    wrong: claiming({ direction: 'importer' }),
  }),
  rule('SPEC-U-05', '6', {
    codes: ['TIME_ORDER'],
    severity: 'warning',
    sentence: 'expires_at is after generated_at.',
    wrong: {
      ...least,
      report: {
        generated_at: '2026-03-01T09:00:00Z',
        expires_at: '2026-02-01T09:00:00Z',
        aaif_versions: ['3.4.0'],
      },
    },
  }),
  rule('SPEC-D-25', '6', {
    codes: ['FORMAT_MISMATCH'],
    severity: 'warning',
    sentence: 'Addresses are absolute URLs and times are RFC 3339; other values give a warning.',
    wrong: { ...least, platform: { name: 'Post office', homepage: 'post.example' } },
  }),
  rule('SPEC-W-01', '10', {
    codes: ['UNKNOWN_MEMBER'],
    enforced: 'schema',
    sentence: 'Objects that the format defines have no other members.',
    wrong: claiming({ since: '2026' }),
  }),
  rule('SPEC-W-06', '10', {
    codes: ['UNKNOWN_MEMBER'],
    enforced: 'schema',
    sentence: 'x- members are allowed only at the root.',
    right: { ...least, 'x-acme-desk': 7 },
    wrong: claiming({ 'x-acme-desk': 7 }),
  }),
  rule('SPEC-W-07', '10', {
    codes: ['EXTENSION_SHADOWS_STANDARD'],
    severity: 'warning',
    sentence: 'An extension does not replace a member of the format.',
    right: { ...least, 'x-acme-supported': {} },
    wrong: { ...least, 'x-supported': {} },
  }),
  rule('AAIF-4.4-10', '4.4, §12', {
    codes: ['SECRET_INLINE', 'SECRET_SUSPECTED'],
    sentence: 'No document contains a secret.',
    wrong: { ...least, attestation: { contact: `with ${LOOKS_LIKE_A_KEY}` } },
  }),
]
