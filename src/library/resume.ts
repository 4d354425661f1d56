import { runHost } from '../compose/run-host.ts'
import { firstProvider } from '../plan/plan-models.ts'
import { endHookDue } from '../run/drive/call-hook.ts'
import type { Fact } from '../run/event.ts'
import { resultOf } from '../run/result.ts'
import { AgentSessions, assertTurnEnded } from '../session/agent-sessions.ts'
import { findRun, rootOf } from '../session/find-run.ts'
import type { Home } from '../session/home.ts'
import { nextFact } from '../session/session.ts'
import {
  type BegunRun,
  closingAfter,
  driveSession,
  type ResumeRunOptions,
  type StartedRun,
  type StreamOptions,
  type WatchedBy,
  watched,
} from './drive-session.ts'
import { CALLER, useHome } from './open-home.ts'
import { type PlanOptions, partsOf } from './options.ts'

interface Options extends PlanOptions, ResumeRunOptions, StreamOptions {
  readonly home: NonNullable<PlanOptions['home']>
}

/** Continues a run by its recorded plan, without its definition. */
export async function resumeRecorded(wanted: string, options: Options): Promise<StartedRun> {
  const { home, release } = await useHome(options)
  try {
    const { runId, sessions } = await sessionsOfRun(wanted, home, options)
    const started = await watched((more) => resumeIn(sessions, home, runId, { ...options, ...more }), options)
    const result = closingAfter(started.result, async () => {
      await sessions.close()
      await release()
    })
    result.catch(() => {})
    return { ...started, result }
  } catch (error) {
    await release()
    throw error
  }
}

async function sessionsOfRun(wanted: string, home: Home, options: Options) {
  const runId = await rootOf(home, await findRun(home, wanted))
  const { plan, header } = await home.runs.read(runId)
  const parts = await partsOf(firstProvider(plan), undefined, home, options)
  const sessions = new AgentSessions(runHost(parts, header.user ?? CALLER, home))
  return { sessions, runId }
}

/** Continues a run, or returns its result when it has ended and nothing new is said. */
export async function resumeIn(
  sessions: AgentSessions,
  { runs }: Pick<Home, 'runs'>,
  runId: string,
  { by = CALLER, input, ...options }: WatchedBy<ResumeRunOptions>,
): Promise<BegunRun> {
  const { plan, state } = await runs.read(runId)
  if (state.end !== null && input === undefined && endHookDue(plan, state) === null)
    return { run_id: runId, result: Promise.resolve(resultOf(plan, state)), steer: () => {} }
  if (input !== undefined) assertTurnEnded(runId, state.end !== null)
  const session = await sessions.open(runId)
  const fact: Fact =
    input === undefined ? nextFact(session.run, session.state, by) : { type: 'user.said', input }
  return driveSession(session, fact, options)
}
