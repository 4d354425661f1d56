import { assertFunctions } from '../compose/functions.ts'
import type { Parts } from '../compose/parts.ts'
import { type AskedCall, openDrive } from '../library/open-drive.ts'
import { compileProgram } from '../plan/compile-program.ts'
import type { Control } from '../run/drive/drive.ts'
import type { Fact, RunEvent } from '../run/event.ts'
import { RunSlots } from '../run/record/run-slots.ts'
import { type OpenRun, RunStore } from '../run/record/run-store.ts'
import type { RunResult } from '../run/result.ts'
import type { RunState, RunWarning } from '../run/state.ts'
import { runsFolder, slotsFolder } from '../settings/home.ts'
import { openRouteFile } from '../settings/route-file.ts'
import { EXIT, type ExitCode } from './io.ts'
import { personName } from './person-name.ts'
import { piiPlaceOf } from './pii/pii-place.ts'

/** How a run shows itself to whoever is watching. */
export interface RunView {
  event?(event: RunEvent, state: RunState): void
  /** Text as it is generated. Absent: the model is not asked to stream. */
  text?(delta: string): void
  /**
   * Asks the person at the terminal about a call; null when nobody is there.
   * @param interrupt what Ctrl-C does, for a question that takes the key itself
   */
  ask?(asked: AskedCall, interrupt: () => void): Promise<Fact | null> | null
  /** The first Ctrl-C: the run is being stopped and saved. */
  stopping?(): void
  /** Nothing more comes, for whatever reason. */
  close?(): void
}

export interface Driven {
  readonly result: RunResult
  readonly state: RunState
  readonly interrupted: boolean
  /** Comes when what the run reports has left, or could not: nobody has to wait for it. */
  readonly reported: Promise<RunWarning | undefined>
}

/**
 * Drives an open run in this process. Ctrl-C pauses it: what is under way is finished and saved;
 * a second one leaves at once, and the record says what was in flight.
 * @param start where the run is; when absent, where it was when it was opened
 */
export async function driveRun(
  run: OpenRun,
  first: Fact,
  parts: Parts,
  view: RunView,
  start: RunState = run.state,
): Promise<Driven> {
  const plans = [run.plan, ...run.family]
  for (const plan of plans) assertFunctions(plan, parts)
  // Doubles say nothing about routes.
  const routes = run.plan.rehearsal ? undefined : openRouteFile(parts.env)
  const store = new RunStore(runsFolder(parts.env))
  const world = await openDrive(
    compileProgram(run.plan, run.family),
    plans,
    {
      header: run.header,
      sink: run.sink,
      agents: store.agentRecords(run.header),
      store,
      pii: piiPlaceOf(run.header, parts.env),
    },
    parts,
    {
      slots: new RunSlots(slotsFolder(parts.env)),
      by: personName(parts.env),
      ...(routes !== undefined && { routes: routes.board }),
    },
  )
  let control: Control | undefined
  let interrupted = false
  const interrupt = () => {
    if (interrupted) process.exit(EXIT.interrupted)
    interrupted = true
    view.stopping?.()
    control?.pause('interrupt')
  }
  const text = view.text?.bind(view)
  process.on('SIGINT', interrupt)
  process.on('SIGTERM', interrupt)
  process.on('SIGHUP', interrupt)
  try {
    const { state, result } = await world.drive(start, first, {
      ask: (asked) => view.ask?.(asked, interrupt) ?? null,
      onEvent: (event, at) => view.event?.(event, at),
      ...(text !== undefined && { onText: text }),
      control: (given) => {
        control = given
      },
    })
    return { result, state, interrupted, reported: world.report(REPORT_MS) }
  } finally {
    process.off('SIGINT', interrupt)
    process.off('SIGTERM', interrupt)
    process.off('SIGHUP', interrupt)
    routes?.save()
    view.close?.()
    await world.close()
  }
}

/** A collector that is gone is worth one line, and no second of anybody's time. */
const REPORT_MS = 1000

/** @param interrupted whether Ctrl-C is why it stopped */
export function exitOf({ result, interrupted }: Pick<Driven, 'result' | 'interrupted'>): ExitCode {
  switch (result.status) {
    case 'completed':
      return EXIT.ok
    case 'refused':
      return EXIT.no
    case 'awaiting_approval':
      return interrupted ? EXIT.interrupted : EXIT.waiting
    case 'paused':
    case 'cancelled':
      return EXIT.interrupted
    case 'failed':
      return EXIT.failed
  }
}
