import type { Home } from '../../session/home.ts'
import { homePath } from '../../settings/home.ts'
import { readLogins } from '../../settings/logins.ts'
import { homeName, withHome } from '../home.ts'
import type { Io } from '../io.ts'
import { type FormatOptions, wantsJson } from '../options/run-options.ts'
import { painter } from '../terminal/paint.ts'
import { plainLine } from '../terminal/plain-text.ts'
import { remoteRecords } from './remote-records.ts'
import { type Login, loginOf, type ServerClient, serverClient } from './server-client.ts'

/** As in `src/platform/people/first-admin.ts`, which is loaded only by commands of a platform. */
const DEFAULT_ORGANISATION = 'default'

/** Options of commands that work on the home of this machine, or on a server. */
export interface PlaceOptions {
  readonly server?: string
  /** On this machine, also after `waybill login`. */
  readonly local?: boolean
}

/**
 * Returns the server that a command works on, unless `--local` says this machine, and names it on standard error: a
 * person may have forgotten a login, and would send real calls to production.
 */
export function serverFor(options: PlaceOptions & FormatOptions, io: Io): ServerClient | undefined {
  const login = placedAt(options, io)
  return login && namedServer(login, options, io)
}

/** Returns the server of a login, and names it on standard error. With `--json` only a terminal shows it. */
export function namedServer(login: Login, options: FormatOptions, io: Io): ServerClient {
  const { url, user } = login
  if (io.errIsTty || !wantsJson(options)) {
    const organisation =
      user === undefined || user.organisation === DEFAULT_ORGANISATION ? '' : ` of ${user.organisation}`
    const who = user === undefined ? '' : ` as ${user.user}${organisation}`
    io.err(`${painter(io.color)('faint', plainLine(`on ${url}${who}`, 300))}\n`)
  }
  return serverClient(login)
}

function placedAt({ server, local }: PlaceOptions, io: Io): Login | undefined {
  const isNamed = (server ?? io.env.WAYBILL_SERVER) !== undefined
  return local === true || !(isNamed || isLoggedIn(io)) ? undefined : loginOf(server, io)
}

/** A home that cannot be read is reported by the command that needs it. */
function isLoggedIn(io: Io): boolean {
  try {
    return readLogins(homePath(io.env)).current !== null
  } catch {
    return false
  }
}

/** Returns where the records are, so that an empty answer shows a mistake. */
export function placeName(options: PlaceOptions, io: Io): string {
  return placedAt(options, io)?.url ?? homeName(io)
}

/** Opens the records of this machine, or those of a server, for a command that shows or changes them. */
export async function withRecords<T>(
  options: PlaceOptions & FormatOptions,
  io: Io,
  act: (records: Home, server: ServerClient | undefined) => T | Promise<T>,
): Promise<T> {
  const server = serverFor(options, io)
  return server === undefined
    ? withHome(io, (home) => act(home, undefined))
    : act(remoteRecords(server), server)
}
