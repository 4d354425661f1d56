import { assertFunctions, openPorts, openTelemetry, type Parts, type Telemetry } from '../compose.ts'
import type { Json } from '../document/issue.ts'
import type { Redactor } from '../document/redact.ts'
import { compileProgram } from '../plan/compile-program.ts'
import { audited, auditedRecords } from '../run/audit-facts.ts'
import { type Control, drive } from '../run/drive.ts'
import { withAgents } from '../run/drive-agents.ts'
import type { Fact, RunEvent } from '../run/event.ts'
import { type RunResult, resultOf } from '../run/result.ts'
import { RunSlots } from '../run/run-slots.ts'
import { type OpenRun, RunStore } from '../run/run-store.ts'
import type { CallEntry, RunState, RunWarning } from '../run/state.ts'
import { runsFolder, slotsFolder } from '../settings/home.ts'
import { openRouteFile } from '../settings/route-file.ts'
import { EXIT, type ExitCode } from './io.ts'
import { piiPlaceOf } from './pii/pii-place.ts'
import { redactStream } from './terminal/redact-stream.ts'

/** How a run shows itself to whoever is watching. */
export interface RunView {
  event?(event: RunEvent, state: RunState): void
  /** Text as it is generated. Absent: the model is not asked to stream. */
  text?(delta: string): void
  /**
   * Asks the person at the terminal about a call; null when nobody is there.
   * @param interrupt what Ctrl-C does, for a question that takes the key itself
   */
  ask?(
    call: CallEntry,
    state: RunState,
    signal: AbortSignal,
    interrupt: () => void,
  ): Promise<Fact | null> | null
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
  const program = compileProgram(run.plan, run.family)
  const plans = [run.plan, ...run.family]
  for (const plan of plans) assertFunctions(plan, parts)
  const ports = await openPorts(plans, parts, piiPlaceOf(run.header, parts.env))
  // Doubles say nothing about routes.
  const routes = run.plan.rehearsal ? undefined : openRouteFile(parts.env)
  const store = new RunStore(runsFolder(parts.env))
  const own = store.agentRecords(run.header)
  const records = parts.audit === undefined ? own : auditedRecords(own, parts.audit)
  const telemetry = await openTelemetry(program, parts, (id) => store.events(id))
  let control: Control | undefined
  let interrupted = false
  const interrupt = () => {
    if (interrupted) process.exit(EXIT.interrupted)
    interrupted = true
    view.stopping?.()
    control?.pause('interrupt')
  }
  const text = view.text?.bind(view)
  const stream = text && redactStream(ports.redactor, secretsOf(run, parts), text)
  process.on('SIGINT', interrupt)
  process.on('SIGTERM', interrupt)
  process.on('SIGHUP', interrupt)
  try {
    const state = await drive(
      program,
      start,
      first,
      withAgents(
        program,
        {
          ...ports,
          ...(routes !== undefined && { routes: routes.board }),
          sink: parts.audit === undefined ? run.sink : audited(run.sink, run.plan, run.header, parts.audit),
          ...(view.ask !== undefined && {
            ask: (call: CallEntry, at: RunState, signal: AbortSignal) =>
              view.ask?.(call, at, signal, interrupt) ?? null,
          }),
        },
        records,
        {
          onEvent: (event, at) => {
            telemetry?.follow(event, at)
            view.event?.(event, at)
          },
          slots: new RunSlots(slotsFolder(parts.env)),
        },
      ),
      {
        control: (given) => {
          control = given
        },
        onEvent: (event, at) => {
          stream?.flush()
          telemetry?.follow(event, at)
          view.event?.(event, at)
        },
        ...(stream !== undefined && { onText: (delta) => stream.push(delta) }),
      },
    )
    return {
      result: ports.redactor.json(resultOf(run.plan, state) as unknown as Json) as unknown as RunResult,
      state,
      interrupted,
      reported: report(telemetry, ports.redactor),
    }
  } finally {
    process.off('SIGINT', interrupt)
    process.off('SIGTERM', interrupt)
    process.off('SIGHUP', interrupt)
    routes?.save()
    view.close?.()
    await ports.close()
  }
}

/** A collector that is gone is worth one line, and no second of anybody's time. */
const REPORT_MS = 1000

async function report(telemetry: Telemetry | undefined, redactor: Redactor): Promise<RunWarning | undefined> {
  const warning = await telemetry?.close(REPORT_MS)
  return warning === undefined ? undefined : { ...warning, message: redactor.text(warning.message) }
}

function secretsOf(run: OpenRun, { env }: Parts): readonly string[] {
  return [run.plan, ...run.family]
    .flatMap((plan) => plan.secrets)
    .map((name) => env[name] ?? '')
    .filter((value) => value !== '')
}

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
