import { findRun } from '../../session/find-run.ts'
import { withHome } from '../home.ts'
import type { ExitCode, Io } from '../io.ts'
import { remoteRecords } from '../remote/remote-records.ts'
import { type ServerClient, serverOf } from '../remote/server-client.ts'
import { usageError } from '../usage-error.ts'
import type { MigrateOptions, SendOptions } from './migrate-options.ts'

/** Moves a run (`waybill migrate`, AAIF §8.2): of a platform, of this machine, or from a platform to this machine. */
export async function migrateRun(wanted: string, options: MigrateOptions, io: Io): Promise<ExitCode> {
  const { to, from } = options
  if ((to === undefined) === (from === undefined))
    throw usageError('a move needs either --to or --from', 'write --to URL, or --from URL')
  if (to === undefined) throw usageError('--from is not possible yet', 'use --to')
  const sent: SendOptions = { ...options, to }
  const server = await ownerOf(wanted, options, io)
  if (server !== undefined) {
    const { migrateThere } = await import('./migrate-there.ts')
    return migrateThere(server, wanted, sent, io)
  }
  const { pushRun } = await import('./push-run.ts')
  return withHome(io, async (home) => pushRun(home, await findRun(home, wanted), sent, io))
}

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
