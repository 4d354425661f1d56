import { localHome } from '../compose/local-home.ts'
import { openSecrets } from '../compose/open-secrets.ts'
import type { Env } from '../compose/parts.ts'
import type { Home } from '../session/home.ts'
import { localPrincipal } from '../session/principal.ts'
import { stampsPath } from '../settings/home.ts'

/** Recorded as `by` of decisions and runs if the caller gives no name. */
export const CALLER = 'the caller'

/** Opens a folder as a home in the caller's name. The caller must close it. */
export function openHome(folder: string, env: Env = process.env): Promise<Home> {
  return localHome(folder, {
    principal: localPrincipal(CALLER),
    secrets: openSecrets(env),
    stampFolder: stampsPath(env),
  })
}

/** The place for everything that outlives a run: a folder, an open home, or none. */
export interface NamedHome {
  readonly home?: string | Home | undefined
  readonly env?: Env | undefined
}

/** A home in use. */
export interface UsedHome<Named extends Home | undefined> {
  readonly home: Named
  /** Closes it, unless the caller opened it. */
  readonly release: () => Promise<void>
}

/** Opens the named home if it is not open yet. */
export async function useHome(named: NamedHome & { readonly home: string | Home }): Promise<UsedHome<Home>>
export async function useHome(named: NamedHome): Promise<UsedHome<Home | undefined>>
export async function useHome({ home, env }: NamedHome): Promise<UsedHome<Home | undefined>> {
  if (typeof home !== 'string') return { home, release: async () => {} }
  const opened = await openHome(home, env)
  return { home: opened, release: async () => opened.close() }
}
