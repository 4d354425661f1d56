import { assertFunctions, openPorts, type Parts } from '../compose.ts'
import { compileProgram } from '../plan/compile-program.ts'
import { type Control, drive } from '../run/drive.ts'
import type { Fact, RunEvent } from '../run/event.ts'
import { type RunResult, resultOf } from '../run/result.ts'
import type { OpenRun } from '../run/run-store.ts'
import type { CallEntry, RunState } from '../run/state.ts'
import { EXIT, type ExitCode } from './io.ts'

/** How a run shows itself to whoever is watching. */
export interface RunView {
  event?(event: RunEvent, state: RunState): void
  /** Text as it is generated. Absent: the model is not asked to stream. */
  text?(delta: string): void
  /** Asks the person at the terminal about a call; null when nobody is there. */
  ask?(call: CallEntry, state: RunState, signal: AbortSignal): Promise<Fact | null>
  /** The first Ctrl-C: the run is being stopped and saved. */
  stopping?(): void
}

export interface Driven {
  readonly result: RunResult
  readonly state: RunState
  readonly interrupted: boolean
}

/**
 * Drives an open run in this process. Ctrl-C pauses it: what is under way is finished and saved;
 * a second one leaves at once, and the record says what was in flight.
 */
export async function driveRun(run: OpenRun, first: Fact, parts: Parts, view: RunView): Promise<Driven> {
  const program = compileProgram(run.plan)
  assertFunctions(run.plan, parts)
  const ports = await openPorts(run.plan, parts)
  let control: Control | undefined
  let interrupted = false
  const onSignal = () => {
    if (interrupted) process.exit(EXIT.interrupted)
    interrupted = true
    view.stopping?.()
    control?.pause('interrupt')
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  try {
    const state = await drive(
      program,
      run.state,
      first,
      {
        ...ports,
        sink: run.sink,
        ...(view.ask !== undefined && { ask: view.ask }),
      },
      {
        control: (given) => {
          control = given
        },
        ...(view.event !== undefined && { onEvent: view.event }),
        ...(view.text !== undefined && { onText: view.text }),
      },
    )
    return {
      result: ports.redactor.json(resultOf(run.plan, state) as never) as RunResult,
      state,
      interrupted,
    }
  } finally {
    process.off('SIGINT', onSignal)
    process.off('SIGTERM', onSignal)
  }
}

export function exitOf({ result, interrupted }: Driven): ExitCode {
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
