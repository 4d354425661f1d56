import { publicEvent } from '../../run/record/event-line.ts'
import { resultOf } from '../../run/result.ts'
import { findRun } from '../../session/find-run.ts'
import type { Home } from '../../session/home.ts'
import { type ShownStatus, shownStatus } from '../../session/run-status.ts'
import { EXIT, type ExitCode, type Io } from '../io.ts'
import { wantsJson } from '../options/run-options.ts'
import { shortIds } from '../remote/short-ids.ts'
import { withRecords } from '../remote/with-records.ts'
import { exitOf } from '../run-session/drive-run.ts'
import { usageLine } from '../terminal/amounts.ts'
import { painter } from '../terminal/paint.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'
import { STATUS_TONES } from './list-runs.ts'
import { storyLines } from './story-lines.ts'
import { untilStopped, type WatchOptions } from './until-stopped.ts'

/** Prints the steps of a run as they happen, until it ends, waits or its process has died (`waybill runs watch RUN`). */
export function watchRun(wanted: string, options: WatchOptions, io: Io): Promise<ExitCode> {
  return withRecords(options, io, async (home, server) => {
    const runId = await findRun(home, wanted)
    const { header, plan } = await home.runs.read(runId)
    const json = wantsJson(options)
    const paint = painter(io.color && io.outIsTty)
    const short = (await shortIds(home, server, json ? [] : [runId]))(runId)
    if (!json) io.out(`${paint('strong', plainLine(header.agent_name))} ${paint('faint', `run ${short}`)}\n`)
    const story = storyLines({ header, plan }, paint)
    let seen = 0
    let status: ShownStatus = 'running'
    const stopped = await untilStopped(io, server, async () => {
      // Read the status before the events, so that the last events are not missed.
      status = shownStatus(await home.runs.listed(runId))
      for (const event of await home.runs.events(runId, seen)) {
        if (json) io.out(`${jsonText(publicEvent(runId, event))}\n`)
        else for (const line of story(event)) io.out(`${line}\n`)
        seen = event.seq
      }
      return status !== 'running' && status !== 'moving'
    })
    if (stopped) return EXIT.interrupted
    return ended(home, runId, { status, json, short }, io)
  })
}

async function ended(
  home: Home,
  runId: string,
  { status, json, short }: { readonly status: ShownStatus; readonly json: boolean; readonly short: string },
  io: Io,
): Promise<ExitCode> {
  const { header, plan, state } = await home.runs.read(runId)
  const result = resultOf(plan, state)
  if (!json) {
    const paint = painter(io.color && io.outIsTty)
    const usage = usageLine(state.totals, plan.rehearsal || header.replay !== undefined)
    io.out(`${paint(STATUS_TONES[status], status.replaceAll('_', ' '))} ${paint('faint', `· ${usage}`)}\n`)
    const next =
      status === 'awaiting_approval'
        ? `waybill approvals approve ${short} --resume`
        : status === 'paused' || status === 'interrupted'
          ? `waybill resume ${short}`
          : `waybill runs show ${short}`
    io.err(`  ${painter(io.color)('accent', 'next')} ${next}\n`)
  }
  return status === 'interrupted' ? EXIT.waiting : exitOf({ result, interrupted: false })
}
