import { defined } from '../../document/defined.ts'
import type { Control } from '../../run/drive/drive-ports.ts'
import type { Fact } from '../../run/event.ts'
import { type RunResult, resultOf } from '../../run/result.ts'
import type { RunState, RunWarning } from '../../run/state.ts'
import type { Session, Turn } from '../../session/session.ts'
import { EXIT, type ExitCode } from '../io.ts'
import type { RunView } from '../run-view/run-view.ts'

export interface Driven {
  readonly result: RunResult
  readonly state: RunState
  readonly interrupted: boolean
  /** Resolves when the telemetry of the run has been sent, or could not be sent. Waiting for it is optional. */
  readonly reported: Promise<RunWarning | undefined>
}

/** The longest time in milliseconds by which an unreachable collector may delay the end of the program. */
const REPORT_MS = 1000

/**
 * Drives a run in this process. The first Ctrl-C pauses the run: calls in flight are finished and recorded. The second
 * Ctrl-C ends the process at once; the record contains the calls in flight. While the run waits for a slot, Ctrl-C
 * leaves the queue.
 * @param first the next fact; if absent, the next fact follows from the record
 */
export async function driveRun(
  session: Session,
  view: RunView,
  slot: NonNullable<Turn['slot']>,
  first?: Fact,
): Promise<Driven> {
  let control: Control | undefined
  let interrupted = false
  const queue = new AbortController()
  const interrupt = () => {
    if (interrupted) process.exit(EXIT.interrupted)
    interrupted = true
    view.stopping?.()
    if (control === undefined) queue.abort()
    else control.pause('interrupt')
  }
  const text = view.text?.bind(view)
  for (const signal of SIGNALS) process.on(signal, interrupt)
  try {
    const { state, result } = await session.drive(first, {
      ask: (asked) => view.ask?.(asked, interrupt) ?? null,
      onOverruled: (by) => view.overruled?.(by),
      onEvent: (event, at) => view.event?.(event, at),
      ...defined({ onText: text }),
      control: (given) => {
        control = given
        if (interrupted) given.pause('interrupt')
      },
      slot: { ...slot, signal: queue.signal },
    })
    return { result, state, interrupted, reported: session.report(REPORT_MS) }
  } catch (error) {
    if (!queue.signal.aborted) throw error
    // The run and its input are recorded, so `resume` can start it.
    const { run, state } = session
    return { result: resultOf(run.plan, state), state, interrupted, reported: Promise.resolve(undefined) }
  } finally {
    for (const signal of SIGNALS) process.off(signal, interrupt)
    view.close?.()
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** @param interrupted whether Ctrl-C stopped the run */
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
