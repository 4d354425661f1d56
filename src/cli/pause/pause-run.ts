import { setTimeout as sleep } from 'node:timers/promises'
import { WaybillError } from '../../document/issue.ts'
import { assertHere } from '../../session/assert-here.ts'
import { findRun, rootOf } from '../../session/find-run.ts'
import type { Home } from '../../session/home.ts'
import { type ShownStatus, shownStatus } from '../../session/run-status.ts'
import { EXIT, type ExitCode, type Io } from '../io.ts'
import { type FormatOptions, wantsJson } from '../options/run-options.ts'
import { personName } from '../person-name.ts'
import type { ServerClient } from '../remote/server-client.ts'
import { shortIds } from '../remote/short-ids.ts'
import { type PlaceOptions, withRecords } from '../remote/with-records.ts'
import { jsonText } from '../terminal/plain-text.ts'

/** How often the run is looked at, and for how long: calls in flight get 10 s to finish. In milliseconds. */
const LOOK_MS = 100
const PATIENCE_MS = 30_000

/** What is left when a run is paused. */
const SETTLED: ReadonlySet<ShownStatus> = new Set(['paused', 'awaiting_approval', 'interrupted'])

/** Pauses a run that another process drives (`waybill pause`). */
export async function pauseRun(
  wanted: string,
  options: PlaceOptions & FormatOptions,
  io: Io,
): Promise<ExitCode> {
  return withRecords(options, io, async (home, server) => {
    const runId = await rootOf(home, await findRun(home, wanted))
    await assertHere(home, runId)
    const before = shownStatus(await home.runs.listed(runId))
    if (before !== 'running' && !SETTLED.has(before)) throw ended(runId, before)
    const status = before === 'running' ? await paused(home, server, runId, io) : before
    if (wantsJson(options)) io.out(`${jsonText({ run_id: runId, status })}\n`)
    else io.err(`run ${(await shortIds(home, server, [runId]))(runId)}: ${status.replace('_', ' ')}\n`)
    return SETTLED.has(status) ? EXIT.ok : EXIT.no
  })
}

async function paused(
  home: Home,
  server: ServerClient | undefined,
  runId: string,
  io: Io,
): Promise<ShownStatus> {
  if (server !== undefined) await server.send('POST', `/v1/runs/${encodeURIComponent(runId)}/pause`)
  else await home.runs.askPause?.(runId, personName(io.env))
  const end = performance.now() + PATIENCE_MS
  for (;;) {
    const listed = await home.runs.listed(runId)
    const status = shownStatus(listed)
    if (status !== 'running' && !listed.live) return status
    if (performance.now() > end) throw tooLate(runId)
    await sleep(LOOK_MS)
  }
}

function ended(runId: string, status: ShownStatus): WaybillError {
  return new WaybillError('RUN_ENDED', {
    message: `run ${runId} has ended: ${status}`,
    hint: `\`waybill runs show ${runId}\` shows it`,
  })
}

function tooLate(runId: string): WaybillError {
  return new WaybillError('PAUSE_TIMEOUT', {
    fault: 'failed',
    message: `run ${runId} did not stop within ${PATIENCE_MS / 1000} s`,
    hint: 'it is paused as soon as its calls in flight have finished; `waybill runs show` shows them',
  })
}
