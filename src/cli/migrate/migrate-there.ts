import { defined } from '../../document/defined.ts'
import { WaybillError } from '../../document/issue.ts'
import type { Json } from '../../document/json.ts'
import type { MoveView, PeerView } from '../../platform/moves/move.ts'
import { findRun } from '../../session/find-run.ts'
import type { ExitCode, Io } from '../io.ts'
import { wantsJson } from '../options/run-options.ts'
import { remoteRecords } from '../remote/remote-records.ts'
import type { ServerClient } from '../remote/server-client.ts'
import { plainLine } from '../terminal/plain-text.ts'
import { usageError } from '../usage-error.ts'
import { confirmTakeBack } from './confirm-take-back.ts'
import type { MigrateOptions, SendOptions } from './migrate-options.ts'
import { showMove } from './show-move.ts'

/** Moves a run of a platform to another one. */
export async function migrateThere(
  server: ServerClient,
  wanted: string,
  options: SendOptions,
  io: Io,
): Promise<ExitCode> {
  const runId = await findRun(remoteRecords(server), wanted)
  const { method, wss, dryRun: dry_run, failOnLoss: fail_on_loss } = options
  const request = {
    to: await peerNamed(server, options.to),
    ...defined({ method, wss, dry_run, fail_on_loss }),
  }
  if (io.errIsTty && !wantsJson(options)) io.err(`moving run ${runId} …\n`)
  const move = (await server.send(
    'POST',
    `/v1/runs/${runId}/migrate`,
    request as Json,
  )) as unknown as MoveView
  return showMove(move, options, io)
}

/** Says of a run of a platform that the other one runs it (`--confirm`), or takes it back (`--take-back`). */
export async function decideThere(
  server: ServerClient,
  wanted: string,
  options: MigrateOptions,
  io: Io,
): Promise<ExitCode> {
  const runId = await findRun(remoteRecords(server), wanted)
  const path = `/v1/runs/${runId}`
  if (options.confirm !== true) await confirmTakeBack(runId, options, io)
  const answer =
    options.confirm === true
      ? await server.send('POST', `${path}/confirm-move`, {})
      : await server.send('POST', `${path}/take-back`)
  return showMove(answer as unknown as MoveView, options, io)
}

async function peerNamed(server: ServerClient, wanted: string): Promise<string> {
  const { items } = (await server.send('GET', '/v1/peers')) as unknown as {
    readonly items: readonly PeerView[]
  }
  const url = URL.canParse(wanted) ? new URL(wanted).origin : undefined
  const [only, ...others] = items.filter((peer) => peer.name === wanted || peer.url === url)
  if (only !== undefined && others.length === 0) return only.name
  if (only !== undefined)
    throw usageError(
      `${[only, ...others].map(({ name }) => name).join(' and ')} have this URL`,
      'name one of them with --to NAME',
    )
  throw new WaybillError('PEER_NOT_FOUND', {
    fault: 'usage',
    message: `no platform ${plainLine(wanted)} is pinned`,
    hint: '`waybill peers list` shows the pinned platforms; its admin makes an invitation with `waybill peers invite`, and `waybill peers add NAME INVITE` pins it here',
  })
}
