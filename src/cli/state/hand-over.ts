import type { LocalHome } from '../../compose/local-home.ts'
import { WaybillError } from '../../document/issue.ts'
import type { Json } from '../../document/json.ts'
import type { MoveView } from '../../platform/moves/move.ts'
import { findRun } from '../../session/find-run.ts'
import { assertMovable, RunSender } from '../../session/moves/run-sender.ts'
import { shortRunId } from '../../session/short-run-id.ts'
import type { AgentState } from '../../spec/aaif/generated/state.ts'
import { Fidelity } from '../../state/fidelity.ts'
import { withHome } from '../home.ts'
import type { Io } from '../io.ts'
import { personName } from '../person-name.ts'
import { remoteRecords } from '../remote/remote-records.ts'
import type { ServerClient } from '../remote/server-client.ts'
import { shortIdsThere } from '../remote/short-ids.ts'
import { type PlaceOptions, serverFor } from '../remote/with-records.ts'
import { captureOptions, type StateTarget, writeState } from '../run-session/write-state.ts'
import { plainLine } from '../terminal/plain-text.ts'

/**
 * Freezes a run, and writes its state with a migration token for a platform that speaks no protocol of Waybill
 * (`waybill state export --to`). A person brings the state there, and says afterwards what has become of it.
 */
export async function handOver(
  wanted: string,
  to: string,
  { server, local, ...target }: StateTarget & PlaceOptions,
  io: Io,
): Promise<void> {
  const there = serverFor(
    { ...(server !== undefined && { server }), ...(local !== undefined && { local }) },
    io,
  )
  if (there !== undefined) return fromServer(there, wanted, to, target, io)
  return withHome(io, (home) => fromHome(home, wanted, to, target, io))
}

async function fromServer(
  there: ServerClient,
  wanted: string,
  to: string,
  target: StateTarget,
  io: Io,
): Promise<void> {
  const runId = await findRun(remoteRecords(there), wanted)
  const request = { to, pull: true } as Json
  const { jti } = (await there.send('POST', `/v1/runs/${runId}/migrate`, request)) as unknown as MoveView
  const document = (await there.send('GET', `/v1/migrations/${jti}/state`)) as unknown as AgentState
  await writeState({ document, report: new Fidelity().report() }, target, io)
  sayNext((await shortIdsThere(there, [runId]))(runId), to, io)
}

async function fromHome(
  home: LocalHome,
  wanted: string,
  to: string,
  target: StateTarget,
  io: Io,
): Promise<void> {
  const runId = await findRun(home, wanted)
  const place = placeOf(to, home)
  const sender = new RunSender({
    home,
    moves: home.moves,
    // The receiver cannot be asked: a person says what has become of the state.
    receiver: { place, url: '', ask: async () => ({ answer: 'nothing', targetRunId: null }) },
    by: personName(io.env),
    capture: () => captureOptions(home, io),
  })
  const known = await sender.underWay(runId)
  if (known === undefined) assertMovable(await home.runs.read(runId), await home.runs.listed(runId))
  const { document, expires_at } = await sender.pursue(known ?? (await sender.begin(runId, 'document')), 0)
  const short = await shortRunId(home, runId)
  if (document === null || expires_at === null || expires_at <= Date.now()) throw expired(short)
  const report = new Fidelity().report()
  await writeState({ document: JSON.parse(document) as AgentState, report }, target, io)
  sayNext(short, to, io)
}

/** Returns the name of a platform in its states. @throws PEER_NOT_FOUND */
function placeOf(name: string, { trust }: LocalHome): string {
  const key = trust.keys().find((one) => one.name === name && one.profile === 'draft')
  const [place] = (key?.signsFor.sourcePlatform ?? []).filter((text) => !text.includes('*'))
  if (key !== undefined) return place ?? name
  throw new WaybillError('PEER_NOT_FOUND', {
    fault: 'usage',
    message: `no platform ${plainLine(name, 100)} that is not Waybill is trusted on this machine`,
    hint: 'waybill keys trust NAME KEY --platform TEXT --profile draft; a run goes to a Waybill platform with `waybill migrate RUN --to URL`',
  })
}

function sayNext(short: string, to: string, io: Io): void {
  io.err(
    `run ${short} is frozen until you say what has become of it; the token is valid for 15 minutes\n  next waybill migrate ${short} --confirm     ${plainLine(to, 100)} runs it\n  next waybill migrate ${short} --take-back   it does not, and will not\n`,
  )
}

function expired(run: string): WaybillError {
  return new WaybillError('STATE_TOKEN_EXPIRED', {
    fault: 'refused',
    message: `the state of run ${run} was written more than 15 minutes ago, so its token is not valid any more`,
    hint: `\`waybill migrate ${run} --confirm\` if it runs there; else \`waybill migrate ${run} --take-back\`, and export it again`,
  })
}
