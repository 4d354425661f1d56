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
 * @param act gets these variables too: a file of `--env-file` is read once, because a pipe can be read only once
 * @param env variables that hold secrets; default: those of the process
 */
export async function withHome<T>(
  io: Io,
  act: (home: Home, env: Env) => T | Promise<T>,
  env: Env = io.env,
): Promise<T> {
  const home = await localHome(homePath(io.env), {
    principal: localPrincipal(personName(io.env)),
    secrets: openSecrets(env),
  })
  try {
    return await act(home, env)
  } finally {
    await home.close()
  }
}
