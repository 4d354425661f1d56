import type { OpenedPlatform } from '../../compose/open-platform.ts'
import type { Tenant } from '../../platform/platform.ts'
import type { Io } from '../io.ts'
import type { PlatformCommandOptions } from '../platform/platform-options.ts'
import { loginOf, type ServerClient } from './server-client.ts'
import { namedServer } from './with-records.ts'

export interface OnPlatformOptions extends PlatformCommandOptions {
  readonly server?: string
  readonly org?: string
}

/**
 * Acts on a server, or as an admin on the database of this machine.
 * @param here gets the organisation that `--org` names, or the first one
 */
export async function onPlatform<T>(
  options: OnPlatformOptions,
  io: Io,
  there: (server: ServerClient, organisation: string | undefined) => Promise<T>,
  here: (tenant: Tenant, organisation: string) => Promise<T>,
): Promise<T> {
  const { server: given, org, data, databaseUrl } = options
  const isLocal = given === undefined && (data !== undefined || databaseUrl !== undefined)
  const login = isLocal ? undefined : loginOf(given, io, options.config)
  if (login !== undefined) return there(namedServer(login, options, io), org)
  const { DEFAULT_ORGANISATION } = await import('../../platform/people/first-admin.ts')
  return withOpened(options, io, ({ platform }) => {
    const principal = { organisation: DEFAULT_ORGANISATION, user: 'admin', roles: ['admin' as const] }
    return here(platform.tenant(principal), org ?? DEFAULT_ORGANISATION)
  })
}

/** Acts on the database of this machine. */
export async function withOpened<T>(
  options: PlatformCommandOptions,
  io: Io,
  act: (opened: OpenedPlatform) => Promise<T>,
): Promise<T> {
  const { platformOptions } = await import('../platform/platform-options.ts')
  const { openPlatform } = await import('../../compose/open-platform.ts')
  const opened = await openPlatform({ ...platformOptions(options, io), withoutFunctions: true })
  try {
    return await act(opened)
  } finally {
    await opened.close()
  }
}
