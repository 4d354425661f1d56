import type { HostFacts } from '../../src/plan/operator-settings.ts'

/** Facts of a host on which these secrets are set, of which none holds a key for personal data. */
export function withSecrets(...names: readonly string[]): Pick<HostFacts, 'hasSecret' | 'piiKey'> {
  return {
    hasSecret: (name) => names.includes(name),
    piiKey: (name) => ({ state: names.includes(name) ? 'invalid' : 'missing' }),
  }
}
