import { homedir } from 'node:os'
import { type LocalHome, localHome } from '../compose/local-home.ts'
import { openSecrets } from '../compose/open-secrets.ts'
import type { Env } from '../compose/parts.ts'
import { localPrincipal } from '../session/principal.ts'
import { homePath, openHomeWarning, stampsPath } from '../settings/home.ts'
import type { Io } from './io.ts'
import { personName } from './person-name.ts'
import { plainLine } from './terminal/plain-text.ts'

/**
 * Opens the home of the user, calls `act`, and closes the home.
 * @param act also gets `env`: the file of `--env-file` is read only once, because it may be a pipe
 * @param env variables that contain secrets; default: those of the process
 */
export async function withHome<T>(
  io: Io,
  act: (home: LocalHome, env: Env) => T | Promise<T>,
  env: Env = io.env,
): Promise<T> {
  const home = await localHome(homeFolder(io), {
    principal: localPrincipal(personName(io.env)),
    secrets: openSecrets(env),
    stampFolder: stampsPath(io.env),
    onCopy: ({ code, message }) => io.err(`warning ${code}: ${plainLine(message, 500)}\n`),
  })
  try {
    return await act(home, env)
  } finally {
    await home.close()
  }
}

/** Returns the folder of the home, and warns if other users may change it. For commands that believe what is in it. */
export function homeFolder(io: Io): string {
  const folder = homePath(io.env)
  const exposed = openHomeWarning(folder)
  if (exposed !== null) io.err(`warning ${exposed.code}: ${plainLine(exposed.message, 500)}\n`)
  return folder
}

/** Returns the folder of the home as a person writes it, so that an empty answer shows a mistake in `WAYBILL_HOME`. */
export function homeName({ env }: Pick<Io, 'env'>): string {
  const folder = homePath(env)
  const own = env.HOME ?? homedir()
  return plainLine(folder.startsWith(`${own}/`) ? `~${folder.slice(own.length)}` : folder, 200)
}
