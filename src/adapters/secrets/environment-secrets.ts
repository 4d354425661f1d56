import { ownMember } from '../../document/own-member.ts'
import { variableValue } from '../../document/variable-value.ts'
import type { Secrets } from '../../run/ports.ts'

/** Looks up secrets in environment variables. An empty variable counts as not set. */
export function environmentSecrets(env: Readonly<Record<string, string | undefined>>): Secrets {
  const lookUp = (name: string): string | undefined => {
    const text = ownMember(env, name)
    // Names come from documents: `constructor` is an inherited member of the object and not a variable.
    return typeof text === 'string' ? variableValue(text) || undefined : undefined
  }
  return { has: (name) => lookUp(name) !== undefined, get: async (name) => lookUp(name) }
}
