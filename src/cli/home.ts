import { localHome } from '../compose/local-home.ts'
import { openSecrets } from '../compose/open-secrets.ts'
import type { Env } from '../compose/parts.ts'
import type { Home } from '../session/home.ts'
import { localPrincipal } from '../session/principal.ts'
import { homePath } from '../settings/home.ts'
import type { Io } from './io.ts'
import { personName } from './person-name.ts'

/**
 * Does something with the home of the person at this terminal, and closes it.
 * @param env variables that hold secrets; default: those of the process
 */
export async function withHome<T>(
  io: Io,
  act: (home: Home) => T | Promise<T>,
  env: Env = io.env,
): Promise<T> {
  const home = await localHome(homePath(io.env), {
    principal: localPrincipal(personName(io.env)),
    secrets: openSecrets(env),
  })
  try {
    return await act(home)
  } finally {
    await home.close()
  }
}
