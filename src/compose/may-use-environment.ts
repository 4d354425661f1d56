import { DEFAULT_ORGANISATION } from '../platform/people/first-admin.ts'
import type { Config } from '../settings/config-schema.ts'

/**
 * Returns whether runs of an organisation of a platform may use a secret of the environment. A name that the
 * configuration does not contain may be used in the first organisation only.
 */
export function mayUseEnvironment(
  { environment_secrets = {} }: Pick<Config, 'environment_secrets'>,
  org: string,
  name: string,
): boolean {
  const named = Object.hasOwn(environment_secrets, name) ? environment_secrets[name] : undefined
  return (named ?? [DEFAULT_ORGANISATION]).includes(org)
}
