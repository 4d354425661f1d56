import type { Home } from '../../session/home.ts'
import { homePath } from '../../settings/home.ts'
import { readLogins } from '../../settings/logins.ts'
import { homeName, withHome } from '../home.ts'
import type { Io } from '../io.ts'
import { remoteRecords } from './remote-records.ts'
import { type ServerClient, serverOf } from './server-client.ts'

/** Options of commands that work on the home of this machine, or on a server. */
export interface PlaceOptions {
  readonly server?: string
  /** On this machine, also after `waybill login`. */
  readonly local?: boolean
}

/** Returns the server that a command works on: as `serverOf`, but a terminal shows one that `--server` did not name. */
export function serverFor({ server, local }: PlaceOptions, io: Io): ServerClient | undefined {
  const isNamed = (server ?? io.env.WAYBILL_SERVER) !== undefined
  if (local === true || !(isNamed || isLoggedIn(io))) return undefined
  const found = serverOf(server, io)
  if (found !== undefined && server === undefined && io.errIsTty) io.err(`on ${found.url}\n`)
  return found
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
  return serverFor(options, io)?.url ?? homeName(io)
}

/** Opens the records of this machine, or those of a server, for a command that shows or changes them. */
export async function withRecords<T>(
  options: PlaceOptions,
  io: Io,
  act: (records: Home, server: ServerClient | undefined) => T | Promise<T>,
): Promise<T> {
  const server = serverFor(options, io)
  return server === undefined
    ? withHome(io, (home) => act(home, undefined))
    : act(remoteRecords(server), server)
}
