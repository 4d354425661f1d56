import type { Command } from 'commander'
import { assertFunctions } from '../compose/functions.ts'
import { callerTraceOf, type TraceOptions } from './caller-trace.ts'
import { driveAndShow, type ShowRunOptions } from './drive-and-show.ts'
import type { ExitCode, Io } from './io.ts'
import { readInput } from './run-input.ts'
import { type RunOptions, wantsJson } from './run-options.ts'
import { setUpRun } from './run-setup.ts'
import { startRun } from './start-run.ts'
import { takeSlot, type WaitOptions } from './take-slot.ts'

interface Options extends RunOptions, ShowRunOptions, TraceOptions, WaitOptions {
  readonly input?: string
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
  const trace = callerTraceOf(options, setup.parts.env)
  assertFunctions(plan, setup.parts)
  // In the background the run is on record while it waits for its turn: its id has been given out.
  const early = options.runId === undefined ? null : startRun(setup, options, io, options.runId)
  const release = await takeSlot(plan, options, io)
  const run = early ?? startRun(setup, options, io)
  try {
    return await driveAndShow(run, { type: 'run.started', input, ...trace }, setup.parts, options, io)
  } finally {
    run.close()
    release()
  }
}
