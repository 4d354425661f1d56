import { assertFunctions } from '../compose.ts'
import { driveAndShow, type ShowRunOptions } from './drive-and-show.ts'
import type { ExitCode, Io } from './io.ts'
import { readInput } from './run-input.ts'
import { type RunOptions, wantsJson } from './run-options.ts'
import { setUpRun } from './run-setup.ts'
import { startRun } from './start-run.ts'
import { takeSlot, type WaitOptions } from './take-slot.ts'

interface Options extends RunOptions, ShowRunOptions, WaitOptions {
  readonly input?: string
}

/** `waybill run`: plans, opens a record, and drives the run to where it ends or waits. */
export async function runAgent(file: string, options: Options, io: Io): Promise<ExitCode> {
  const askHosts = !wantsJson(options) && options.events === undefined
  const setup = await setUpRun(file, options, io, { askHosts, pin: true })
  const { plan } = setup.program
  const input = await readInput(options.input, plan.input.schema !== undefined, io, file === '-')
  assertFunctions(plan, setup.parts)
  const release = await takeSlot(plan, options, io)
  const run = startRun(setup, options, io)
  try {
    return await driveAndShow(run, { type: 'run.started', input }, setup.parts, options, io)
  } finally {
    run.close()
    release()
  }
}
