import { WaybillError } from '../../document/issue.ts'
import type { StoredRun } from '../../run/record/records.ts'
import { captureRun } from '../../session/capture-run.ts'
import { findRun } from '../../session/find-run.ts'
import type { Home } from '../../session/home.ts'
import { shortRunId } from '../../session/short-run-id.ts'
import type { AgentState } from '../../spec/aaif/generated/state.ts'
import type { FidelityReport } from '../../state/fidelity.ts'
import { readState } from '../files/read-state.ts'
import { withHome } from '../home.ts'
import type { ExitCode, Io } from '../io.ts'
import { wantsJson } from '../options/run-options.ts'
import { slotOptions } from '../options/wait-option.ts'
import { driveAndShow } from '../run-session/drive-and-show.ts'
import { fidelitySummary, lossLines } from '../run-session/fidelity-text.ts'
import { environment } from '../run-session/run-setup.ts'
import { captureOptions } from '../run-session/write-state.ts'
import { continuingSessions } from './continuing-sessions.ts'
import type { ResumeOptions } from './resume-run.ts'

/**
 * Continues a state in a new run: one from a file, or that of a recorded run after an event (`--at`). Nothing proves that
 * the captured run has stopped, so the new run is a fork: a write that the captured run may have sent is not sent again.
 */
export async function restoreState(wanted: string, options: ResumeOptions, io: Io): Promise<ExitCode> {
  return withHome(
    io,
    async (home, env) => {
      const document = await documentOf(wanted, options, home, io)
      const stored = await storedOf(document, home)
      const { sessions, origin } = await continuingSessions(stored, options, home, env, io)
      try {
        const accept = acceptance(options, io)
        const { run_id, runs } = await sessions.restore(document, {
          ...origin,
          fork: true,
          trusted: options.at !== undefined,
          accept,
        })
        const session = await sessions.open(run_id)
        try {
          if (!wantsJson(options))
            io.err(`${described(document)} continues as run ${await shortRunId(home, run_id)}\n`)
          const [root] = runs
          const plan = root?.program.plan ?? session.run.plan
          return await driveAndShow(session, home, slotOptions(plan, options, io), options, io)
        } finally {
          await session.close()
        }
      } finally {
        await sessions.close()
      }
    },
    environment(options, io),
  )
}

async function documentOf(wanted: string, { at }: ResumeOptions, home: Home, io: Io): Promise<AgentState> {
  if (at === undefined) return readState(wanted, io)
  return (await captureRun(home, await findRun(home, wanted), await captureOptions(home, io, at))).document
}

async function storedOf({ run_id }: AgentState, home: Home): Promise<StoredRun | undefined> {
  return run_id !== undefined && (await home.runs.has(run_id)) ? home.runs.read(run_id) : undefined
}

/** Returns a function that shows a fidelity report, and throws if a loss is not accepted. */
function acceptance({ failOnLoss }: ResumeOptions, io: Io): (report: FidelityReport) => void {
  return (report) => {
    const lost = report.entries.filter(({ status }) => status === 'left_behind')
    if (failOnLoss === true && lost.length > 0) {
      const parts = lost.map(({ part, note }) => (note === undefined ? part : `${part} (${note})`))
      throw new WaybillError('STATE_LOSS', {
        message: `the restored run would lose ${parts.join('; ')}`,
        hint: 'resume it without --fail-on-loss if these parts are not needed',
      })
    }
    for (const line of lossLines(report)) io.err(`${line}\n`)
    io.err(`${fidelitySummary(report)}\n`)
  }
}

function described({ run_id, state_id, checkpoint_at }: AgentState): string {
  return `the state of ${run_id === undefined ? state_id : `run ${run_id}`} at ${checkpoint_at}`
}
