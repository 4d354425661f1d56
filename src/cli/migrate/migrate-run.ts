import type { WaybillError } from '../../document/issue.ts'
import { findRun } from '../../session/find-run.ts'
import type { Home } from '../../session/home.ts'
import type { TrustedKey } from '../../trust/trust-store.ts'
import { platformOf } from '../../trust/trusted-platform.ts'
import { withHome } from '../home.ts'
import type { ExitCode, Io } from '../io.ts'
import { optionName } from '../options/option-name.ts'
import { remoteRecords } from '../remote/remote-records.ts'
import { loginOf, type ServerClient, serverClient } from '../remote/server-client.ts'
import { namedServer } from '../remote/with-records.ts'
import { environment } from '../run-session/parts-from-flags.ts'
import { usageError } from '../usage-error.ts'
import type { MigrateOptions, SendOptions } from './migrate-options.ts'

/** Moves a run (`waybill migrate`, AAIF §8.2): of a platform, of this machine, or from a platform to this machine. */
export async function migrateRun(wanted: string, options: MigrateOptions, io: Io): Promise<ExitCode> {
  const { to, from } = options
  if (options.takeBack === true || options.confirm === true) return decideMove(wanted, options, io)
  if (options.confirmed === true)
    throw usageError('--yes without a rule confirms --take-back', 'add a rule, such as --yes send_email')
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
  const server = await ownerOf(wanted, sent, io)
  if (server !== undefined) {
    const { migrateThere } = await import('./migrate-there.ts')
    return migrateThere(server, wanted, sent, io)
  }
  if (sent.wss === true) throw usageError('a run of this machine is streamed over HTTP', 'leave out --wss')
  const { pushRun } = await import('./push-run.ts')
  return withHome(io, async (home) => pushRun(home, await findRun(home, wanted), sent, io))
}

/** Says what has become of a run that was moved. */
async function decideMove(wanted: string, options: MigrateOptions, io: Io): Promise<ExitCode> {
  const { to, from, takeBack, confirm, yes } = options
  const name = takeBack === true ? '--take-back' : '--confirm'
  if (takeBack === true && confirm === true)
    throw usageError('--confirm and --take-back are the two answers', 'give one of them')
  if (to !== undefined || from !== undefined)
    throw usageError(`${name} is about the platform that the run was moved to`, 'leave out --to and --from')
  if (yes !== undefined)
    throw usageError(`${name} approves no calls`, 'write --yes without a rule, after the run')
  const login = loginOf(options.server, io, options.config)
  if (login === undefined || options.local === true) {
    const { decideHere } = await import('./decide-move.ts')
    return withHome(io, (home) => decideHere(home, wanted, options, io))
  }
  const { decideThere } = await import('./migrate-there.ts')
  return decideThere(namedServer(login, options, io), wanted, options, io)
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
      `${optionName(planned)} plans a run on this machine, and the platform plans the run that it gets`,
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
 * machine needs no `--local`, also after `waybill login`. A part of an id must not mean a run of both, and neither must
 * `last`. A platform sends no run to itself, so a run that goes to it is one of this machine.
 */
async function ownerOf(wanted: string, options: SendOptions, io: Io): Promise<ServerClient | undefined> {
  const { server: given, local, to } = options
  if (local === true) return undefined
  const login = loginOf(given, io, options.config)
  if (login === undefined) return undefined
  if (given !== undefined) return namedServer(login, options, io)
  const server = serverClient(login)
  const isHere = await withHome(io, async (home) => {
    if (originOf(to, home.trust.keys()) === new URL(login.url).origin) return true
    const [here, another] = await found(home, wanted)
    if (here === undefined || here === wanted) return here === wanted
    const there = await found(remoteRecords(server), wanted)
    if (there.length === 0 && another === undefined) return true
    throw wanted === 'last' ? lastOfBoth(here, there[0], login.url) : partOfBoth(wanted, login.url)
  })
  return isHere ? undefined : namedServer(login, options, io)
}

/** Returns up to two ids of runs that are named so. */
async function found({ runs }: Pick<Home, 'runs'>, wanted: string): Promise<readonly string[]> {
  if (wanted !== 'last') return runs.find(wanted, 2)
  return (await runs.list({ roots: true }, { limit: 1 })).items.map(({ run_id }) => run_id)
}

/** Returns the origin of a platform that is named by its URL, or by the name of its trusted keys. */
function originOf(to: string, keys: readonly TrustedKey[]): string | undefined {
  if (URL.canParse(to)) return new URL(to).origin
  const key = keys.find(({ name }) => name === to)
  return key && platformOf(key)
}

function lastOfBoth(here: string, there: string | undefined, url: string): WaybillError {
  return usageError(
    `the newest run of this machine is ${here}, and that of ${url} is ${there}`,
    'give the id of the one that you mean, or add --local or --server',
  )
}

function partOfBoth(wanted: string, url: string): WaybillError {
  return usageError(
    `${wanted} is a part of the id of a run of this machine, and of one on ${url}`,
    'give the whole id, or say which one with --local or --server',
  )
}
