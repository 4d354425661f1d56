import type { Parts } from '../compose/parts.ts'
import type { Fact, RunEvent } from '../run/event.ts'
import { publicEvent } from '../run/record/event-line.ts'
import { type OpenRun, RunStore } from '../run/record/run-store.ts'
import type { RunState } from '../run/state.ts'
import { runsFolder } from '../settings/home.ts'
import { type Driven, driveRun, exitOf, type RunView } from './drive-run.ts'
import type { ExitCode, Io } from './io.ts'
import { wantsJson } from './run-options.ts'
import { painter } from './terminal/paint.ts'
import { plainLine } from './terminal/plain-text.ts'
import { openRunView } from './terminal/run-view.ts'
import { showResult } from './terminal/show-result.ts'
import { paintLine } from './terminal/story.ts'

export interface ShowRunOptions {
  readonly json?: boolean
  readonly format?: string
  readonly events?: 'ndjson'
  readonly trace?: boolean
}

/** Drives a run in front of whoever watches: a person, a script that wants the result, or one that wants the events. */
export async function driveAndShow(
  run: OpenRun,
  first: Fact,
  parts: Parts,
  options: ShowRunOptions,
  io: Io,
): Promise<ExitCode> {
  if (options.events === 'ndjson') {
    const driven = await driveRun(run, first, parts, eventsView(io))
    if (options.trace === true) await showTraceBelow(run, io)
    await showUnsent(driven, io)
    return exitOf(driven)
  }
  const json = wantsJson(options)
  const view = openRunView(io, run, { json })
  const driven = await driveRun(run, first, parts, view)
  showResult(driven.result, io, { json, shown: view.shown() })
  if (options.trace === true) await showTraceBelow(run, io)
  await showUnsent(driven, io)
  return exitOf(driven)
}

async function showUnsent({ reported }: Driven, io: Io): Promise<void> {
  const warning = await reported
  if (warning === undefined) return
  const text = plainLine(`${warning.code} ${warning.message}`, 300)
  io.err(`${paintLine({ kind: 'warning', text }, painter(io.color))}\n`)
}

/** For eyes, so on standard error: standard output is as it is without `--trace`. */
async function showTraceBelow(run: OpenRun, io: Io): Promise<void> {
  const { readTrace } = await import('../run/trace/read-trace.ts')
  const { traceText } = await import('./terminal/trace-tree.ts')
  const trace = readTrace(new RunStore(runsFolder(io.env)), run.header.run_id)
  io.err(traceText(trace, { color: io.color, columns: io.columns }))
}

/** Standard output carries the events, one JSON object a line, and nothing else. */
function eventsView(io: Io): RunView {
  return {
    event: (event: RunEvent, state: RunState) =>
      io.out(`${JSON.stringify(publicEvent(state.run_id, event))}\n`),
  }
}
