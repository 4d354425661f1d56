import { runHost } from '../compose/run-host.ts'
import { firstProvider } from '../plan/plan-models.ts'
import { isFinished } from '../run/drive/call-hook.ts'
import type { StoredRun } from '../run/record/records.ts'
import { type RunResult, resultOf } from '../run/result.ts'
import { AgentSessions } from '../session/agent-sessions.ts'
import { findRun, rootOf } from '../session/find-run.ts'
import { nextFact, nextTurnFact } from '../session/session.ts'
import { assertOptions, type OptionNames } from './assert-options.ts'
import {
  type BegunRun,
  closingWith,
  driveSession,
  RESUME_RUN_OPTIONS,
  type ResumeRunOptions,
  STREAM_OPTIONS,
  type StartedRun,
  type StreamOptions,
  type WatchedBy,
  watched,
} from './drive-session.ts'
import { CALLER, useHome } from './open-home.ts'
import { inOptions, withOptionHint } from './option-hints.ts'
import { PLAN_OPTIONS, type PlanOptions, partsFromOptions } from './options.ts'

/** The home with the record of the run to continue: `home` is required. */
export interface ResumeOptions extends PlanOptions, ResumeRunOptions {
  readonly home: NonNullable<PlanOptions['home']>
}

const NEEDED = ['home']
const RESUME_OPTIONS: OptionNames<ResumeOptions> = { ...PLAN_OPTIONS, ...RESUME_RUN_OPTIONS }

/**
 * Continues a run from the end of its record; one that has ended returns its result again, or takes `input`. The
 * recorded plan is used, so the options must grant what it needs.
 * @throws RUN_NOT_FOUND, RUN_LOCKED while another process drives it, RUN_IMPORTED, TURN_UNFINISHED,
 * FUNCTION_MISSING
 */
export async function resume(runId: string, options: ResumeOptions): Promise<RunResult> {
  assertOptions('resume', options, { names: RESUME_OPTIONS, required: NEEDED })
  return (await begin(runId, options)).result
}

/** Continues a run like {@link resume}, and returns its events, text and controls while it is in progress. */
export async function startResume(
  runId: string,
  options: ResumeOptions & StreamOptions,
): Promise<StartedRun> {
  assertOptions('startResume', options, { names: { ...RESUME_OPTIONS, ...STREAM_OPTIONS }, required: NEEDED })
  return begin(runId, options)
}

async function begin(runId: string, options: ResumeOptions & StreamOptions): Promise<StartedRun> {
  const { home, release } = await inOptions(() => useHome(options))
  let sessions: AgentSessions | undefined
  const close = async () => {
    await sessions?.close()
    await release()
  }
  const start = async () => {
    const stored = await home.runs.read(await rootOf(home, await findRun(home, runId)))
    const parts = await partsFromOptions(firstProvider(stored.plan), undefined, home, options)
    const opened = new AgentSessions(runHost(parts, stored.header.user ?? CALLER, home))
    sessions = opened
    return watched((more) => resumeIn(opened, stored, { ...options, ...more }), options)
  }
  return closingWith(close, () => inOptions(start))
}

/** Continues a run, or returns its result if it has ended and there is no new input. */
export async function resumeIn(
  sessions: AgentSessions,
  { header: { run_id }, plan, state }: StoredRun,
  { by = CALLER, input, ...options }: WatchedBy<ResumeRunOptions>,
): Promise<BegunRun> {
  if (input === undefined && isFinished(plan, state))
    return { run_id, result: Promise.resolve(withOptionHint(resultOf(plan, state))), steer: () => {} }
  const next = input === undefined ? undefined : nextTurnFact(state, input, 'resume it without `input` first')
  const session = await sessions.open(run_id)
  return driveSession(session, next ?? nextFact(session.run, session.state, by), options)
}
