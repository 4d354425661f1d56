import { setImmediate } from 'node:timers/promises'
import type { SecretsSubject } from 'waybill/testing'

/** Opens a store of secrets in memory that answers every request asynchronously, like a vault. */
export function slowSecrets(
  values: Readonly<Record<string, string>> = {},
): SecretsSubject & { readonly asked: readonly string[] } {
  const kept = new Map(Object.entries(values))
  const asked: string[] = []
  return {
    asked,
    secrets: {
      async has(name) {
        asked.push(`has ${name}`)
        await setImmediate()
        return (kept.get(name) ?? '') !== ''
      },
      async get(name) {
        asked.push(`get ${name}`)
        await setImmediate()
        return kept.get(name) || undefined
      },
    },
    set(name, value) {
      if (value === undefined) kept.delete(name)
      else kept.set(name, value)
    },
  }
}
