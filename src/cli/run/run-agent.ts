import type { Home } from '../../session/home.ts'
import { withHome } from '../home.ts'
import type { ExitCode, Io } from '../io.ts'
import { type RunOptions, wantsJson } from '../options/run-options.ts'
import { slotOptions, type WaitOptions } from '../options/wait-option.ts'
import type { PlaceOptions } from '../remote/with-records.ts'
import { callerTraceOf, type TraceOptions } from '../run-session/caller-trace.ts'
import { driveAndShow, type ShowRunOptions } from '../run-session/drive-and-show.ts'
import { environment } from '../run-session/parts-from-flags.ts'
import { readInput } from '../run-session/run-input.ts'
import { originOf, sessionsOf } from '../run-session/run-origin.ts'
import { setUpRun } from '../run-session/run-setup.ts'

export interface RunAgentOptions extends RunOptions, ShowRunOptions, TraceOptions, WaitOptions, PlaceOptions {
  readonly input?: string
  readonly batch?: string
  /** With `--batch`: continue an interrupted batch. */
  readonly resume?: boolean
  readonly detach?: boolean
  /** Where the state of the run is written when it stops. */
  readonly stateOut?: string
  /** The id that the parent process prints for a run in the background. */
  readonly runId?: string
}

/** Plans a run, creates its record, and drives the run until it ends or waits. */
export async function runAgent(file: string, options: RunAgentOptions, io: Io): Promise<ExitCode> {
  return withHome(
    io,
    async (home, env) => {
      const askHosts = !wantsJson(options) && options.events === undefined
      const setup = await setUpRun(file, { options, io, home, env }, { askHosts, starts: true })
      const { plan } = setup.program
      const asked = { text: options.input, fileIsStdin: file === '-', json: !askHosts }
      const input = await readInput(setup.program, asked, io)
      const trace = callerTraceOf(options, env)
      const sessions = sessionsOf(setup, io)
      try {
        const { runId } = options
        const session = await sessions.start(
          { type: 'run.started', input, ...trace },
          { ...originOf(setup, options, io), ...(runId !== undefined && { run_id: runId, durable: true }) },
        )
        try {
          return await driveAndShow(
            session,
            home,
            slotOptions(plan, { ...options, unattended: options.runId !== undefined }, io),
            options,
            io,
          )
        } finally {
          await session.close()
          if (options.stateOut !== undefined)
            await writeStateOf(session.run.header.run_id, options.stateOut, home, io)
        }
      } finally {
        await sessions.close()
      }
    },
    environment(options, io),
  )
}

async function writeStateOf(runId: string, output: string, home: Home, io: Io): Promise<void> {
  const { captureOptions, writeState } = await import('../run-session/write-state.ts')
  const { captureRun } = await import('../../session/capture-run.ts')
  await writeState(await captureRun(home, runId, await captureOptions(home, io)), { output }, io)
}
