import type { Parts } from '../compose.ts'
import type { Fact, RunEvent } from '../run/event.ts'
import { publicEvent } from '../run/event-line.ts'
import type { OpenRun } from '../run/run-store.ts'
import type { RunState } from '../run/state.ts'
import { driveRun, exitOf, type RunView } from './drive-run.ts'
import type { ExitCode, Io } from './io.ts'
import { wantsJson } from './run-options.ts'
import { openRunView } from './terminal/run-view.ts'
import { showResult } from './terminal/show-result.ts'

export interface ShowRunOptions {
  readonly json?: boolean
  readonly format?: string
  readonly events?: 'ndjson'
}

/** Drives a run in front of whoever watches: a person, a script that wants the result, or one that wants the events. */
export async function driveAndShow(
  run: OpenRun,
  first: Fact,
  parts: Parts,
  options: ShowRunOptions,
  io: Io,
): Promise<ExitCode> {
  if (options.events === 'ndjson') return exitOf(await driveRun(run, first, parts, eventsView(io)))
  const json = wantsJson(options)
  const view = openRunView(io, run, { json })
  const driven = await driveRun(run, first, parts, view)
  showResult(driven.result, io, { json, shown: view.shown() })
  return exitOf(driven)
}

/** Standard output carries the events, one JSON object a line, and nothing else. */
function eventsView(io: Io): RunView {
  return {
    event: (event: RunEvent, state: RunState) =>
      io.out(`${JSON.stringify(publicEvent(state.run_id, event))}\n`),
  }
}
