import type { RegistryEntry } from '../generated/registry.ts'

/** How values get into a registry (§10), each policy after its namesake at IANA. */
export const REGISTRY_POLICIES = [
  'First Come First Served',
  'Specification Required',
  'Expert Review',
  'Standards Action',
] as const
export type RegistryPolicy = (typeof REGISTRY_POLICIES)[number]

/** The policy that a registry states: its name, with or without a note behind it. */
export function policyOf(stated: string): RegistryPolicy | undefined {
  return REGISTRY_POLICIES.find((policy) => stated.startsWith(policy))
}

/**
 * What an entry still lacks to be registered under a policy (§10): a description of one line; a public specification
 * or documentation; the sign-off of an editor; a new MINOR version of the format. Empty when nothing is missing.
 */
export function registrationGaps(policy: RegistryPolicy, entry: RegistryEntry): readonly string[] {
  switch (policy) {
    case 'First Come First Served':
      return entry.id !== '' && isText(entry.meaning ?? entry.notes ?? entry.description)
        ? []
        : ['a description of one line, as "meaning"']
    case 'Specification Required':
      return isAddress(entry.spec) || isAddress(entry.docs)
        ? []
        : ['the address of a public specification, as "spec" or "docs"']
    case 'Expert Review':
      return isText(entry.reviewed_by) ? [] : ['the editor who reviewed it, as "reviewed_by"']
    case 'Standards Action':
      return typeof entry.since === 'string' && /^\d+\.\d+\.0$/.test(entry.since)
        ? []
        : ['the MINOR version of the format that brings it, as "since"']
  }
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== ''
}

function isAddress(value: unknown): boolean {
  return typeof value === 'string' && /^https?:/i.test(value) && URL.canParse(value)
}
