import type { LocalHome } from '../../compose/local-home.ts'
import { defined } from '../../document/defined.ts'
import { WaybillError } from '../../document/issue.ts'
import type { Json } from '../../document/json.ts'
import { askReceiver } from '../../platform/moves/ask-receiver.ts'
import type { MoveView } from '../../platform/moves/move.ts'
import { preflight, refusedBy } from '../../platform/moves/preflight.ts'
import type { StoredMove } from '../../run/record/move-records.ts'
import { runAway } from '../../run/record/record-errors.ts'
import { assertMovable, RunSender } from '../../session/moves/run-sender.ts'
import { shortRunId } from '../../session/short-run-id.ts'
import type { ExitCode, Io } from '../io.ts'
import { wantsJson } from '../options/run-options.ts'
import { personName } from '../person-name.ts'
import { serverPort } from '../remote/server-client.ts'
import { captureOptions } from '../run-session/write-state.ts'
import { plainLine } from '../terminal/plain-text.ts'
import type { SendOptions } from './migrate-options.ts'
import { ownDefinition } from './own-definition.ts'
import { ownPeer } from './own-peer.ts'
import { type PlatformAt, platformAt } from './platform-at.ts'
import { showMove } from './show-move.ts'

/** How long the command waits for the end of a move, in milliseconds. */
const WAIT_MS = 20_000
const PREFLIGHT_MS = 60_000

/** Moves a run of this machine to a platform. */
export async function pushRun(
  home: LocalHome,
  runId: string,
  options: SendOptions,
  io: Io,
): Promise<ExitCode> {
  const { moved } = await home.runs.listed(runId)
  if (moved?.phase === 'moved') throw runAway(runId, moved)
  const platform = await platformAt(options.to, home, io)
  const { address, place } = platform
  const peers = serverPort(platform.login)
  const sender = new RunSender({
    home,
    moves: home.moves,
    receiver: {
      place,
      url: address.url,
      ask: (move, document) => askReceiver(peers, address, move, document, AbortSignal.timeout(WAIT_MS)),
    },
    by: personName(io.env),
    capture: () => captureOptions(home, io),
  })
  const known = await sender.underWay(runId)
  const checked = known === undefined ? await check(home, runId, sender, platform, options, io) : {}
  if (options.dryRun === true)
    return showMove({ run_id: runId, state: 'would_move', owner: sender.place, ...checked }, options, io)
  if (io.errIsTty && !wantsJson(options)) io.err(`moving run ${runId} to ${plainLine(address.url)} …\n`)
  const begun = known ?? (await sender.begin(runId, options.method ?? 'document'))
  const move = await sender.pursue(begun, WAIT_MS)
  if (move.phase === 'kept') throw kept(move, address)
  return showMove(
    { ...viewOf(move), ...checked },
    options,
    io,
    `\`waybill migrate ${await shortRunId(home, runId)} --to ${address.url}\``,
  )
}

/** Asks the platform what it would make of the run, and sends the definition if it is not known there. */
async function check(
  home: LocalHome,
  runId: string,
  sender: RunSender,
  { address, server, login }: PlatformAt,
  { dryRun = false, failOnLoss = false }: SendOptions,
  io: Io,
): Promise<Pick<MoveView, 'report' | 'negotiation' | 'examined' | 'sends_definition'>> {
  const run = await home.runs.read(runId)
  assertMovable(run, await home.runs.listed(runId))
  await ownPeer(server, home.moves)
  const { definition, send } = await ownDefinition(run, server, io)
  const { report, negotiation, examined, sendsDefinition } = await preflight(
    {
      peers: serverPort(login),
      signal: AbortSignal.timeout(PREFLIGHT_MS),
      definition,
      sendDefinition: send,
    },
    address,
    await sender.state(runId),
    { dryRun, failOnLoss },
  )
  const seen = dryRun ? { examined, sends_definition: sendsDefinition } : {}
  return { report, ...seen, ...defined({ negotiation: negotiation as Json | undefined }) }
}

function viewOf({ run_id, phase, source, target, jti, ...move }: StoredMove): MoveView {
  const { target_run_id, state_id, checksum } = move
  return {
    run_id,
    state: phase === 'moved' ? 'moved' : 'moving',
    owner: phase === 'moved' ? target : source,
    jti,
    ...(target_run_id !== null && { target_run_id }),
    ...(state_id !== null && { state_id }),
    ...(checksum !== null && { checksum }),
  }
}

function kept({ code, why, paused, run_id }: StoredMove, address: PlatformAt['address']): WaybillError {
  const { details } = refusedBy(address, { code: code ?? '', message: why ?? '' })
  const next = paused ? `; \`waybill resume ${run_id}\` continues it here` : ''
  return new WaybillError('MOVE_REFUSED', {
    ...details,
    hint: `the run stays here${next}; correct what the platform says, and move it again`,
  })
}
