import { existsSync, statSync } from 'node:fs'
import { resolve as resolvePath } from 'node:path'
import { WaybillError } from '../../document/issue.ts'
import type { ExitCode, Io } from '../io.ts'
import { optionName } from '../options/option-name.ts'
import { serverFor } from '../remote/with-records.ts'
import { usageError } from '../usage-error.ts'
import type { ResumeOptions } from './resume-run.ts'

/** Continues a run, or a state in a new run (`waybill resume`). */
export async function resume(wanted: string, options: ResumeOptions, io: Io): Promise<ExitCode> {
  const { at } = options
  if (options.replay === true) {
    const there = serverFor(options, io)
    if (there !== undefined) throw replayedHere()
    const { replay } = await import('./replay.ts')
    return replay(wanted, options, io)
  }
  if (at !== undefined || isStateFile(wanted, io)) {
    const there = serverFor(options, io)
    if (there !== undefined) {
      const { assertPlannedThere, resumeStateThere } = await import('./resume-state-there.ts')
      assertPlannedThere(options, PLANNED)
      return resumeStateThere(there, wanted, options, io)
    }
    const { restoreState } = await import('./restore-state.ts')
    return restoreState(wanted, options, io)
  }
  const [planned] = PLANNED.filter((name) => options[name] !== undefined)
  if (planned !== undefined)
    throw usageError(
      `${optionName(planned)} plans the run that continues a state, and a run continues with its recorded plan`,
      'name a state file, or an event of the run with --at',
    )
  const server = serverFor(options, io)
  if (server !== undefined)
    return (await import('../remote/run-there.ts')).resumeThere(server, wanted, options, io)
  return (await import('./resume-run.ts')).resumeRun(wanted, options, io)
}

function replayedHere(): WaybillError {
  return new WaybillError('OPTION_LOCAL_ONLY', {
    fault: 'usage',
    message: 'a replay is possible on this machine only',
    hint: 'export the run with `waybill runs export`, import it here, and replay it with --local',
  })
}

/** What a recorded plan says already. */
const PLANNED = [
  'agent',
  'failOnLoss',
  'asFork',
  'resume',
  'model',
  'judge',
  'baseUrl',
  'agents',
  'user',
  'session',
  'budget',
  'rehearse',
  'ask',
  'schema',
  'allowDeprecated',
] as const satisfies readonly (keyof ResumeOptions)[]

function isStateFile(wanted: string, io: Io): boolean {
  if (wanted === '-') return true
  const path = resolvePath(io.cwd, wanted)
  return existsSync(path) && statSync(path).isFile()
}
