import type { Secrets } from '../../run/ports.ts'

/** Looks secrets up among environment variables. A variable that is set to the empty string counts as not set. */
export function environmentSecrets(env: Readonly<Record<string, string | undefined>>): Secrets {
  const lookUp = (name: string): string | undefined => {
    const value = env[name]
    // Names come out of documents: `constructor` is a member of the object, and no variable.
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  return { has: (name) => lookUp(name) !== undefined, get: async (name) => lookUp(name) }
}
