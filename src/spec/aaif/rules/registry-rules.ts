import type { Finding } from '../../../document/finding.ts'
import type { Registry } from '../generated/registry.ts'
import { extensionPointOf, REGISTRY_INFO } from '../registries/extension-points.ts'
import { policyOf, REGISTRY_POLICIES, registrationGaps } from '../registries/registration-policies.ts'

/** Finds values that have more than one entry. */
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
      message: `entry ${earlier} has the same value`,
      hint: 'keep one entry for each value',
      rule: 'WB-REGISTRY-01',
    }
  }
}

/** Checks that the policy is one of four, and that the six known registries have their assigned policy (§10). */
export function* checkPolicy({ registry, registration_policy }: Registry): Iterable<Finding> {
  const policy = policyOf(registration_policy)
  if (policy === undefined) {
    yield {
      severity: 'warning',
      code: 'POLICY_UNKNOWN',
      pointer: '/registration_policy',
      message: 'this is not one of the four registration policies',
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
    hint: 'your own registry may have another policy, but other platforms will not treat its values as registered',
    rule: 'AAIF-10-06',
  }
}

/** Warns about what a provisional entry lacks to become standard under its policy (§10). */
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
        message: `this provisional entry does not meet the requirements of ${policy} for a standard entry`,
        hint: `add ${gap}`,
        rule: 'AAIF-10-07',
      }
    }
  }
}
