import type { CodeEntries } from './code-entry.ts'

export const AAIF_CODES = {
  TIME_ORDER: {
    meaning: 'A time is earlier than one that it must follow.',
    remedy: 'Correct one of the two.',
    severity: 'warning',
  },
  TIME_NOT_UTC: {
    meaning: 'A time is not in UTC.',
    remedy: 'Write it with `Z`.',
    severity: 'warning',
  },
  APPROVAL_REQUEST_MISSING: {
    meaning: 'The run waits for approval, but the state has no approval request.',
    remedy: 'Add `approval_request`.',
    severity: 'warning',
  },
  ERROR_MISSING: {
    meaning: 'The run or task failed, but the document gives no reason.',
    remedy: 'Add `error`.',
    severity: 'warning',
  },
  STATUS_DETAIL_MISSING: {
    meaning: 'A member that readers rely on at this status is missing.',
    remedy: 'Add the member.',
    severity: 'warning',
  },
  INTAKE_URL_MISSING: {
    meaning: 'The intake endpoint of a manifest has no URL.',
    remedy: 'Add the URL, or remove the endpoint.',
    severity: 'warning',
  },
  CLAIM_IMPOSSIBLE: {
    meaning: 'A conformance claim reports more passed tests than there are tests.',
    remedy: 'Correct the numbers.',
    severity: 'warning',
  },
  CLAIM_REPEATED: {
    meaning: 'Two claims have the same level and direction.',
    remedy: 'Keep one claim for each level and direction.',
    severity: 'warning',
  },
  CLAIM_SKIPS_LEVEL: {
    meaning: 'A consumer claims the level Stateful without the level Enterprise.',
    remedy: 'Claim the level Enterprise as well.',
    severity: 'warning',
  },
  REGISTRY_UNKNOWN: {
    meaning: 'The registry names an extension point that agent definitions do not have.',
    remedy: 'Use one of the six names of AAIF.',
  },
  VALUE_PROVISIONAL: {
    meaning: 'The value is registered as provisional.',
    remedy: 'Use a standard value, or `custom` where it exists.',
  },
  VALUE_RESERVED: {
    meaning: 'The registry reserves the name, and it may not be used yet.',
    remedy: 'Use another value.',
  },
  VALUE_DEPRECATED: {
    meaning: 'The value is deprecated and kept only for old documents.',
    remedy: 'Use another value in new documents.',
    severity: 'warning',
  },
  DUPLICATE_ENTRY: {
    meaning: 'Two entries of a registry have the same value.',
    remedy: 'Keep one of them.',
  },
  POLICY_UNKNOWN: {
    meaning: 'The registration policy is not one of the four that are defined.',
    remedy: 'Begin with one of the four.',
    severity: 'warning',
  },
  POLICY_OTHER: {
    meaning: 'A known registry has another policy than AAIF defines for it.',
    remedy: 'Correct the policy, or give the registry another name.',
    severity: 'warning',
  },
  REGISTRATION_INCOMPLETE: {
    meaning: 'An entry lacks a member that the registration policy requires.',
    remedy: 'Add the member that the hint names.',
    severity: 'warning',
  },
} satisfies CodeEntries
