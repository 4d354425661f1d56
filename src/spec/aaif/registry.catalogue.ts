import type { JsonObject } from '../../document/json.ts'
import type { RuleEntry } from '../rule-entry.ts'
import { entriesOf, LOOKS_LIKE_A_KEY } from './catalogue/entry.ts'

const least: JsonObject = {
  registry: 'aaif-model-providers',
  sc_standard: 'SC-006',
  description: 'Providers we may use.',
  registration_policy: 'Specification Required',
  entries: [{ id: 'acme', status: 'standard' }],
}
const rule = entriesOf('aaif.registry', least)
const registering = (...entries: JsonObject[]): JsonObject => ({ ...least, entries })

/** All rules for registries. */
export const registryRules: readonly RuleEntry[] = [
  rule('AAIF-4.1-01', '4.1', {
    codes: ['NOT_AAIF'],
    sentence: 'sc_standard is exactly "SC-006"; a document with another value is not AAIF.',
    wrong: { ...least, sc_standard: 'SC-005' },
  }),
  rule('AAIF-10-02', '10', {
    codes: [
      'REQUIRED_MISSING',
      'NOT_AAIF',
      'UNKNOWN_MEMBER',
      'WRONG_TYPE',
      'PATTERN_MISMATCH',
      'TOO_FEW_ITEMS',
    ],
    enforced: 'schema',
    sentence: 'A registry has registry, sc_standard, description, registration_policy and entries.',
    wrong: { ...least, registry: 'providers' },
  }),
  rule('SPEC-X-02', '10', {
    codes: ['REQUIRED_MISSING', 'NOT_IN_ENUM', 'WRONG_TYPE', 'TOO_SHORT'],
    enforced: 'schema',
    sentence: 'An entry has id and status: standard, provisional, deprecated or reserved.',
    right: registering({ id: 'acme', status: 'reserved', since: null }),
    wrong: registering({ id: 'acme', status: 'approved' }),
  }),
  rule('AAIF-10-06', '10', {
    codes: ['POLICY_OTHER'],
    severity: 'warning',
    sentence: 'Each of the six registries has the policy that §10 assigns.',
    wrong: { ...least, registration_policy: 'First Come First Served' },
  }),
  rule('AAIF-10-07', '10', {
    codes: ['POLICY_UNKNOWN', 'REGISTRATION_INCOMPLETE'],
    severity: 'warning',
    sentence: 'A policy is one of four, and an entry has the members that its policy requires.',
    right: registering({ id: 'acme', status: 'provisional', docs: 'https://acme.example/docs' }),
    wrong: registering({ id: 'acme', status: 'provisional' }),
  }),
  rule('WB-REGISTRY-01', '10', {
    codes: ['DUPLICATE_ENTRY'],
    sentence: 'A registry has only one entry for each value.',
    wrong: registering({ id: 'acme', status: 'standard' }, { id: 'acme', status: 'deprecated' }),
  }),
  rule('AAIF-4.4-10', '4.4, §12', {
    codes: ['SECRET_INLINE', 'SECRET_SUSPECTED'],
    sentence: 'No document contains a secret.',
    wrong: registering({ id: 'acme', status: 'standard', notes: `with ${LOOKS_LIKE_A_KEY}` }),
  }),
]
