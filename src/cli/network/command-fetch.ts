import { resolve } from 'node:path'
import { createGuardedFetch } from '../../adapters/net/guarded-fetch.ts'
import { defined } from '../../document/defined.ts'
import { type Grants, type HostGrant, parseHostGrant } from '../../policy/endpoint-gate.ts'
import { homePath } from '../../settings/home.ts'
import { readConfig } from '../../settings/read-config.ts'
import type { Io } from '../io.ts'

export interface CommandFetchOptions {
  /** Maximum size of a body, in bytes. */
  readonly maxResponseBytes: number
}

/** The only `fetch` of commands: each one passes the endpoint gate, with the authorities of the operator. */
export function commandFetch(
  grants: Grants,
  { maxResponseBytes }: CommandFetchOptions,
): typeof globalThis.fetch {
  return createGuardedFetch({ grants, maxResponseBytes })
}

/**
 * Returns a `fetch` for one host that the user typed or logged in to. The configuration is read with the first call.
 * @param config the file of `--config`, which replaces the configuration of the home
 * @throws CONFIG_INVALID, CONFIG_UNREADABLE with the first call
 */
export function fetchOfHost(
  url: string,
  options: CommandFetchOptions & { readonly config?: string | undefined },
  io: Io,
): typeof globalThis.fetch {
  let opened: typeof globalThis.fetch | undefined
  return (input, init) => {
    opened ??= commandFetch(
      { hosts: [typedHost(url)], ...authoritiesOf(options.config, io) },
      { maxResponseBytes: options.maxResponseBytes },
    )
    return opened(input, init)
  }
}

/** The URL that a user types is the permission for its host and port, also at a private address; for no other host. */
export function typedHost(url: string): HostGrant {
  const { hostname, port, protocol } = new URL(url)
  return parseHostGrant(`${hostname}:${port || (protocol === 'http:' ? 80 : 443)}`, 'flag')
}

function authoritiesOf(config: string | undefined, { env, cwd }: Io): Pick<Grants, 'ca_files'> {
  const { ca_files } = readConfig(homePath(env), config === undefined ? undefined : resolve(cwd, config))
  return defined({ ca_files })
}
