import { localHome } from '../compose/local-home.ts'
import { openSecrets } from '../compose/open-secrets.ts'
import type { Env } from '../compose/parts.ts'
import type { Home } from '../session/home.ts'
import { localPrincipal } from '../session/principal.ts'
import { homePath } from '../settings/home.ts'
import type { Io } from './io.ts'
import { personName } from './person-name.ts'

/**
 * Opens the home of the user, calls `act`, and closes the home.
 * @param act also gets `env`: the file of `--env-file` is read only once, because it may be a pipe
 * @param env variables that contain secrets; default: those of the process
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
