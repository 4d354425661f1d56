import type { Finding } from '../../../document/finding.ts'
import type { Registry } from '../generated/registry.ts'
import { extensionPointOf, REGISTRY_INFO } from '../registries/extension-points.ts'
import { policyOf, REGISTRY_POLICIES, registrationGaps } from '../registries/registration-policies.ts'

/** A registry that says of one value two things decides nothing. */
export function* checkEntryIds({ entries }: Registry): Iterable<Finding> {
  const first = new Map<string, number>()
  for (const [index, { id }] of entries.entries()) {
    const earlier = first.get(id)
    if (earlier === undefined) {
      first.set(id, index)
      continue
    }
    yield {
      severity: 'error',
      code: 'DUPLICATE_ENTRY',
      pointer: `/entries/${index}/id`,
      message: `entry ${earlier} is about the same value`,
      hint: 'keep one entry for each value',
      rule: 'WB-REGISTRY-01',
    }
  }
}

/** The policy is one of four, and the six known registries each have theirs (§10). */
export function* checkPolicy({ registry, registration_policy }: Registry): Iterable<Finding> {
  const policy = policyOf(registration_policy)
  if (policy === undefined) {
    yield {
      severity: 'warning',
      code: 'POLICY_UNKNOWN',
      pointer: '/registration_policy',
      message: 'this is none of the four policies, so nobody can tell how values get in',
      hint: `begin with one of ${REGISTRY_POLICIES.join(', ')}`,
      rule: 'AAIF-10-07',
    }
    return
  }
  const point = extensionPointOf(registry)
  if (point === undefined || REGISTRY_INFO[point].policy === policy) return
  yield {
    severity: 'warning',
    code: 'POLICY_OTHER',
    pointer: '/registration_policy',
    message: `the policy of ${registry} is ${REGISTRY_INFO[point].policy}`,
    hint: 'a registry of your own may be stricter or laxer, but others will not take its values for registered',
    rule: 'AAIF-10-06',
  }
}

/** What is still provisional has to bring what its policy asks for before it can be standard (§10). */
export function* checkProvisionalEntries({ registration_policy, entries }: Registry): Iterable<Finding> {
  const policy = policyOf(registration_policy)
  if (policy === undefined) return
  for (const [index, entry] of entries.entries()) {
    if (entry.status !== 'provisional') continue
    for (const gap of registrationGaps(policy, entry)) {
      yield {
        severity: 'warning',
        code: 'REGISTRATION_INCOMPLETE',
        pointer: `/entries/${index}`,
        message: `${policy} asks for more than this entry has`,
        hint: `add ${gap}`,
        rule: 'AAIF-10-07',
      }
    }
  }
}
