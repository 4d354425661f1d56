import type { Command } from 'commander'
import { assertFunctions, type Env } from '../compose.ts'
import { WaybillError } from '../document/issue.ts'
import { parseTraceParent } from '../run/trace-context.ts'
import { driveAndShow, type ShowRunOptions } from './drive-and-show.ts'
import type { ExitCode, Io } from './io.ts'
import { readInput } from './run-input.ts'
import { type RunOptions, wantsJson } from './run-options.ts'
import { setUpRun } from './run-setup.ts'
import { startRun } from './start-run.ts'
import { takeSlot, type WaitOptions } from './take-slot.ts'

interface Options extends RunOptions, ShowRunOptions, WaitOptions {
  readonly input?: string
  readonly traceParent?: string
  readonly batch?: string
  readonly detach?: boolean
  /** The id that whoever started this process in the background has given out. */
  readonly runId?: string
}

/** `waybill run`: plans, opens a record, and drives the run to where it ends or waits. */
export async function runAgent(file: string, options: Options, command: Command, io: Io): Promise<ExitCode> {
  const { batch, detach } = options
  if (batch !== undefined)
    return (await import('./batch/run-batch.ts')).runBatch(file, { ...options, batch }, io)
  if (detach === true) return (await import('./run-detached.ts')).runDetached(file, options, command, io)
  const askHosts = !wantsJson(options) && options.events === undefined
  const setup = await setUpRun(file, options, io, { askHosts, pin: true })
  const { plan } = setup.program
  const input = await readInput(options.input, plan.input.schema !== undefined, io, file === '-')
  const trace_parent = traceParentOf(options.traceParent, setup.parts.env)
  assertFunctions(plan, setup.parts)
  // In the background the run is on record while it waits for its turn: its id has been given out.
  const early = options.runId === undefined ? null : startRun(setup, options, io, options.runId)
  const release = await takeSlot(plan, options, io)
  const run = early ?? startRun(setup, options, io)
  try {
    return await driveAndShow(
      run,
      { type: 'run.started', input, ...(trace_parent !== undefined && { trace_parent }) },
      setup.parts,
      options,
      io,
    )
  } finally {
    run.close()
    release()
  }
}

/** What was asked for must be right; what merely lay in the environment is left when it is not, as the standard has it. */
function traceParentOf(given: string | undefined, env: Env): string | undefined {
  if (given === undefined) {
    const found = env.TRACEPARENT
    return found === undefined || parseTraceParent(found) === null ? undefined : found
  }
  if (parseTraceParent(given) !== null) return given
  throw new WaybillError('TRACE_PARENT_INVALID', {
    fault: 'usage',
    message: `"${given}" is no W3C traceparent`,
    hint: 'it has the form 00-TRACE_ID-PARENT_ID-FLAGS, in small hexadecimal digits, such as 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    rule: 'AAIF-4.7-08',
  })
}
