import { ownMember } from '../../document/own-member.ts'
import type { Secrets } from '../../run/ports.ts'

/** Looks up secrets in environment variables. An empty variable counts as not set. */
export function environmentSecrets(env: Readonly<Record<string, string | undefined>>): Secrets {
  const lookUp = (name: string): string | undefined => {
    const value = ownMember(env, name)
    // Names come from documents: `constructor` is an inherited member of the object and not a variable.
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  return { has: (name) => lookUp(name) !== undefined, get: async (name) => lookUp(name) }
}
