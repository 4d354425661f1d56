import type { Config, ConfigRetention } from './config-schema.ts'

/** Returns how long an organisation of a platform keeps data: its own times, else those of all organisations. */
export function retentionOf({ retention, organisations = {} }: Config, org: string): ConfigRetention {
  const own = Object.hasOwn(organisations, org) ? organisations[org]?.retention : undefined
  return { ...retention, ...own }
}
