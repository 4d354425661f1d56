import { findRun } from '../../session/find-run.ts'
import { withHome } from '../home.ts'
import type { ExitCode, Io } from '../io.ts'
import { remoteRecords } from '../remote/remote-records.ts'
import { type ServerClient, serverOf } from '../remote/server-client.ts'
import { environment } from '../run-session/run-setup.ts'
import { usageError } from '../usage-error.ts'
import type { MigrateOptions, SendOptions } from './migrate-options.ts'

/** Moves a run (`waybill migrate`, AAIF §8.2): of a platform, of this machine, or from a platform to this machine. */
export async function migrateRun(wanted: string, options: MigrateOptions, io: Io): Promise<ExitCode> {
  const { to, from } = options
  if ((to === undefined) === (from === undefined))
    throw usageError('a move needs either --to or --from', 'write --to URL, or --from URL')
  if (from !== undefined) {
    assertFetched(options)
    const { pullRun } = await import('./pull-run.ts')
    return withHome(
      io,
      (home, env) => pullRun(home, env, wanted, { ...options, from }, io),
      environment(options, io),
    )
  }
  if (to === undefined) throw new TypeError('one of the two is given')
  assertSent(options)
  const sent: SendOptions = { ...options, to }
  const server = await ownerOf(wanted, options, io)
  if (server !== undefined) {
    const { migrateThere } = await import('./migrate-there.ts')
    return migrateThere(server, wanted, sent, io)
  }
  if (sent.wss === true) throw usageError('a run of this machine is streamed over HTTP', 'leave out --wss')
  const { pushRun } = await import('./push-run.ts')
  return withHome(io, async (home) => pushRun(home, await findRun(home, wanted), sent, io))
}

/** @throws USAGE: a run is fetched from a platform, as a document */
function assertFetched({ server, local, method, wss, rehearse }: MigrateOptions): void {
  if (rehearse === true) throw usageError('a run that is moved is not a rehearsal', 'use --dry-run')
  if (server !== undefined || local === true)
    throw usageError('--from names the platform that has the run', 'leave out --server and --local')
  if (method === 'stream' || wss === true)
    throw usageError('a run that this machine fetches travels as a document', 'leave out --method and --wss')
}

/** @throws USAGE: the receiver plans the run; only a stream is sent over a WebSocket */
function assertSent(options: MigrateOptions): void {
  if (options.wss === true && options.method !== 'stream')
    throw usageError('--wss is for streams', 'add --method stream')
  const planned = PLANNED.find((name) => options[name] !== undefined)
  if (planned !== undefined)
    throw usageError(
      `--${planned.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} plans a run on this machine, and the platform plans the run that it gets`,
      'use it with --from',
    )
}

/** Options of a run that this machine gets. */
const PLANNED = [
  'agent',
  'tools',
  'agents',
  'user',
  'session',
  'model',
  'judge',
  'baseUrl',
  'budget',
  'allowHost',
  'allowSecret',
  'yes',
  'schema',
  'config',
  'envFile',
  'allowDeprecated',
  'rehearse',
] as const satisfies readonly (keyof MigrateOptions)[]

/**
 * Returns the platform that has the run; undefined: this machine has it. The ids of all runs differ, so a run of this
 * machine needs no `--local`, also after `waybill login`. A part of an id must not mean a run of both.
 */
async function ownerOf(
  wanted: string,
  { server: given, local }: MigrateOptions,
  io: Io,
): Promise<ServerClient | undefined> {
  if (local === true) return undefined
  const server = serverOf(given, io)
  if (given !== undefined || server === undefined || wanted === 'last') return server
  const [here, another] = await withHome(io, (home) => home.runs.find(wanted, 2))
  if (here === undefined) return server
  if (here === wanted) return undefined
  const there = await remoteRecords(server).runs.find(wanted, 1)
  if (there.length === 0 && another === undefined) return undefined
  throw usageError(
    `${wanted} is a part of the id of a run of this machine, and of one on ${server.url}`,
    'give the whole id, or say which one with --local or --server',
  )
}
