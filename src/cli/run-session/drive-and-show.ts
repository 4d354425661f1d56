import { defined } from '../../document/defined.ts'
import type { Home } from '../../session/home.ts'
import type { Session, Turn } from '../../session/session.ts'
import { shortRunIds } from '../../session/short-run-id.ts'
import type { FidelityReport } from '../../state/fidelity.ts'
import type { ExitCode, Io } from '../io.ts'
import { wantsJson } from '../options/run-options.ts'
import { eventsView } from '../run-view/events-view.ts'
import { showResult } from '../run-view/show-result.ts'
import { paintLine } from '../run-view/story.ts'
import { openRunView } from '../run-view/terminal-view.ts'
import { painter } from '../terminal/paint.ts'
import { plainLine } from '../terminal/plain-text.ts'
import { type Driven, driveRun, exitOf } from './drive-run.ts'

export interface ShowRunOptions {
  readonly json?: boolean
  readonly format?: string
  readonly events?: 'ndjson'
  readonly trace?: boolean
  /** What was kept and lost of the state that the run continues. */
  readonly report?: FidelityReport
}

/** Drives a run and prints it: as text for a person, as a JSON result, or as NDJSON events. */
export async function driveAndShow(
  session: Session,
  home: Home,
  slot: NonNullable<Turn['slot']>,
  options: ShowRunOptions,
  io: Io,
): Promise<ExitCode> {
  const { run_id } = session.run.header
  if (options.events === 'ndjson') {
    const driven = await driveRun(session, eventsView(io), slot)
    if (options.trace === true) await showTraceBelow(run_id, home, io)
    await showUnsent(driven, io)
    return exitOf(driven)
  }
  const json = wantsJson(options)
  const short = await shortRunIds(home, [run_id])
  const view = await openRunView(io, session.run, home, { json, short })
  const driven = await driveRun(session, view, slot)
  await showResult(driven.result, io, {
    json,
    short,
    shown: view.shown(),
    ...defined({ report: options.report }),
  })
  if (options.trace === true) await showTraceBelow(run_id, home, io)
  await showUnsent(driven, io)
  return exitOf(driven)
}

async function showUnsent({ reported }: Driven, io: Io): Promise<void> {
  const warning = await reported
  if (warning === undefined) return
  const text = plainLine(`${warning.code} ${warning.message}`, 300)
  io.err(`${paintLine({ kind: 'warning', text }, painter(io.color))}\n`)
}

/** Prints the trace to standard error, so that `--trace` does not change standard output. */
async function showTraceBelow(runId: string, home: Home, io: Io): Promise<void> {
  const { readTrace } = await import('../../run/trace/read-trace.ts')
  const { traceText } = await import('../run-view/trace-tree.ts')
  io.err(traceText(await readTrace(home, runId), { color: io.color, columns: io.columns }))
}
