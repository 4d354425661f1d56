import type { Config } from './config-schema.ts'

/**
 * Returns the configuration for the agents of one organisation of a platform: they may reach the hosts of all
 * organisations, and those of their own.
 */
export function configOfOrganisation(config: Config, org: string): Config {
  const { organisations = {} } = config
  const own = Object.hasOwn(organisations, org) ? organisations[org] : undefined
  if (own === undefined) return config
  const { allow_hosts = [], private_hosts = [] } = own
  return {
    ...config,
    allow_hosts: [...(config.allow_hosts ?? []), ...allow_hosts],
    private_hosts: [...(config.private_hosts ?? []), ...private_hosts],
  }
}
