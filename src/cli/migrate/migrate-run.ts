import { defined } from '../../document/defined.ts'
import { WaybillError } from '../../document/issue.ts'
import type { Json } from '../../document/json.ts'
import type { MoveMethod, MoveView, PeerView } from '../../platform/moves/move.ts'
import { findRun } from '../../session/find-run.ts'
import { EXIT, type ExitCode, type Io } from '../io.ts'
import { type FormatOptions, wantsJson } from '../options/run-options.ts'
import { remoteRecords } from '../remote/remote-records.ts'
import { type ServerClient, serverOf } from '../remote/server-client.ts'
import { fidelitySummary, lossLines } from '../run-session/fidelity-text.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'
import { usageError } from '../usage-error.ts'

export interface MigrateOptions extends FormatOptions {
  readonly to: string
  readonly method?: MoveMethod
  readonly wss?: boolean
  readonly dryRun?: boolean
  readonly failOnLoss?: boolean
  readonly server?: string
}

/** Moves a run to another platform (`waybill migrate`, AAIF §8.2). */
export async function migrateRun(wanted: string, options: MigrateOptions, io: Io): Promise<ExitCode> {
  const server = serverOf(options.server, io)
  if (server === undefined)
    throw usageError(
      'a run is moved from a platform, and none is named',
      'name it with --server URL, or `waybill login URL` first; a run of this machine is exported with `waybill state export`',
    )
  if (options.wss === true && options.method !== 'stream')
    throw usageError('--wss is for streams', 'add --method stream')
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
  if (wantsJson(options)) io.out(`${jsonText(move as unknown as Json)}\n`)
  else show(move, io)
  return move.state === 'moving' ? EXIT.waiting : EXIT.ok
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
    hint: '`waybill peers list` shows the pinned platforms, `waybill peers add` pins one',
  })
}

function show(move: MoveView, io: Io): void {
  const { run_id, state, owner, target_run_id, report } = move
  if (report !== undefined) {
    for (const line of lossLines(report)) io.err(`${line}\n`)
    io.err(`${fidelitySummary(report)}\n`)
  }
  if (state === 'would_move') {
    const { verdict } = (move.negotiation ?? {}) as { readonly verdict?: string }
    if (verdict !== undefined) io.err(`capabilities: ${plainLine(verdict)}\n`)
    io.out(`run ${run_id} would be moved; nothing was changed\n`)
  } else if (state === 'moved')
    io.out(`moved: run ${run_id} is run ${target_run_id} of ${plainLine(owner)}\n`)
  else io.out(`run ${run_id} is still being moved: \`waybill runs show ${run_id}\`\n`)
}
