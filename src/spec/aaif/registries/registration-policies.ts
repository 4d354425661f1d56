import type { RegistryEntry } from '../generated/registry.ts'

/** Registration policies of a registry (§10), each modelled on the IANA policy of the same name. */
export const REGISTRY_POLICIES = [
  'First Come First Served',
  'Specification Required',
  'Expert Review',
  'Standards Action',
] as const
export type RegistryPolicy = (typeof REGISTRY_POLICIES)[number]

/** Returns the policy of a registry: its name, optionally followed by a note. */
export function policyOf(stated: string): RegistryPolicy | undefined {
  return REGISTRY_POLICIES.find((policy) => stated.startsWith(policy))
}

/**
 * Returns what an entry lacks to be registered under a policy (§10): a one-line description; a public specification or
 * documentation; the approval of an editor; a new MINOR version of the format. Empty if the entry is complete.
 */
export function registrationGaps(policy: RegistryPolicy, entry: RegistryEntry): readonly string[] {
  switch (policy) {
    case 'First Come First Served':
      return entry.id !== '' && isText(entry.meaning ?? entry.notes ?? entry.description)
        ? []
        : ['a one-line description, as "meaning"']
    case 'Specification Required':
      return isAddress(entry.spec) || isAddress(entry.docs)
        ? []
        : ['the address of a public specification, as "spec" or "docs"']
    case 'Expert Review':
      return isText(entry.reviewed_by) ? [] : ['the editor who reviewed it, as "reviewed_by"']
    case 'Standards Action':
      return typeof entry.since === 'string' && /^\d+\.\d+\.0$/.test(entry.since)
        ? []
        : ['the MINOR version of the format that adds it, as "since"']
  }
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== ''
}

function isAddress(value: unknown): boolean {
  return typeof value === 'string' && /^https?:/i.test(value) && URL.canParse(value)
}
