import { resolve } from 'node:path'
import { openRecords } from '../compose/open-records.ts'
import type { Prepared } from '../compose/prepare.ts'
import { runHost } from '../compose/run-host.ts'
import { defined } from '../document/defined.ts'
import type { Json } from '../document/json.ts'
import type { FirstFact, Records } from '../run/record/records.ts'
import type { RunResult } from '../run/result.ts'
import { callerTrace } from '../run/trace/trace-context.ts'
import { AgentSessions } from '../session/agent-sessions.ts'
import { auditingRefusal, type ImportAttempt } from '../session/audit-refusal.ts'
import { findRun, rootOf } from '../session/find-run.ts'
import type { Home } from '../session/home.ts'
import { assertOptions, type OptionNames } from './assert-options.ts'
import { type Chat, openChat } from './chat.ts'
import {
  type BegunRun,
  DRIVE_OPTIONS,
  type DriveOptions,
  driveSession,
  RESUME_RUN_OPTIONS,
  type ResumeRunOptions,
  STREAM_OPTIONS,
  type StartedRun,
  type StreamOptions,
  type WatchedBy,
  watched,
} from './drive-session.ts'
import { type AgentSource, type GivenAgent, givenAgent, isLoaded } from './given-agent.ts'
import { pathOf } from './load-agent.ts'
import { CALLER, type UsedHome, useHome } from './open-home.ts'
import { inOptions, withOptionHints } from './option-hints.ts'
import { PLAN_OPTIONS, type PlanOptions } from './options.ts'
import { prepareAgent } from './prepare-agent.ts'
import { resumeIn } from './resume.ts'

/** Options of one run. Absent members are those of `openAgent`. */
export interface AgentRunOptions extends DriveOptions {
  /** The user of the run; without one, memory of user scope is refused. */
  readonly user?: string
  /** The conversation that the run belongs to; without one, memory of session scope is refused. */
  readonly session?: string
  /** The W3C `traceparent` of the request that this run is part of. An invalid one is ignored. */
  readonly traceParent?: string
  /** Its W3C `tracestate`, which is passed on. An invalid one is ignored. */
  readonly traceState?: string
}

export const AGENT_RUN_OPTIONS: OptionNames<AgentRunOptions> = {
  ...DRIVE_OPTIONS,
  user: true,
  session: true,
  traceParent: true,
  traceState: true,
}

const OF_A_RUN = { names: AGENT_RUN_OPTIONS, hint: 'it is an option of each run: agent.run(input, { … })' }
const OF_AN_AGENT = { names: PLAN_OPTIONS, hint: 'it is an option of openAgent, for all runs of the agent' }

/**
 * An agent that was read, checked and planned once, and can be run many times. Its runs share connections; record,
 * personal data and telemetry belong to each run.
 */
export interface Agent extends AsyncDisposable {
  /** The plan of its runs. */
  readonly plan: Prepared['program']['plan']
  /**
   * Runs the agent and returns the result. A run that fails is a result as well (`status`, `error`); only an error
   * that prevents it from starting is thrown.
   */
  run(input?: Json, options?: AgentRunOptions): Promise<RunResult>
  /** Starts a run, and returns its events, text and controls while it is in progress. */
  start(input?: Json, options?: AgentRunOptions & StreamOptions): Promise<StartedRun>
  /**
   * Continues a run from the end of its record; one that has ended returns its result again, or takes `input`. The
   * recorded plan is used, so the options of the agent must grant what it needs.
   * @throws RUN_NOT_FOUND, RUN_LOCKED while another process drives it, RUN_IMPORTED, TURN_UNFINISHED,
   * FUNCTION_MISSING
   */
  resume(runId: string, options?: ResumeRunOptions): Promise<RunResult>
  startResume(runId: string, options?: ResumeRunOptions & StreamOptions): Promise<StartedRun>
  /** Opens a conversation: one run, with a turn for each input. */
  chat(options?: AgentRunOptions): Promise<Chat>
  /** Waits for the runs in progress, then closes its connections, and its home unless the caller opened that. */
  close(): Promise<void>
}

/**
 * Reads, checks and plans an agent.
 * @param from the path of its definition, what `loadAgent` returned, or the definition as data
 * @throws DEFINITION_INVALID, whose `issues` are all findings; FILE_UNREADABLE; USAGE for an option that does not exist;
 * WaybillError if the options or the definition's schemas cannot be used
 */
export async function openAgent(from: AgentSource, options: PlanOptions = {}): Promise<Agent> {
  assertOptions('openAgent', options, { names: PLAN_OPTIONS, elsewhere: OF_A_RUN })
  return openChecked(from, options)
}

/** Opens an agent; see {@link openAgent}. The names of the options have been checked. */
export async function openChecked(from: AgentSource, options: PlanOptions): Promise<Agent> {
  return inOptions(async () => {
    const used = await useHome(options)
    try {
      const given = await auditingRefusal(
        importAttempt(used.home, options, placeOf(from)),
        () => undefined,
        () => givenAgent(from, options),
      )
      const records = await openRecords(used.home)
      return await agentOf({ ...used, ...given, records, options })
    } catch (error) {
      await used.release()
      throw error
    }
  })
}

/** Returns the file that a definition is read from, for the audit log. */
function placeOf(from: AgentSource): string | undefined {
  if (typeof from === 'string' || from instanceof URL) return resolve(pathOf(from))
  return isLoaded(from) ? from.file : undefined
}

/** A rehearsal imports nothing. */
function importAttempt(
  home: Home | undefined,
  { rehearse, user }: PlanOptions,
  source: string | undefined,
): ImportAttempt {
  return { home: rehearse === true ? undefined : home, by: CALLER, user, source }
}

interface AgentParts extends UsedHome<Home | undefined>, GivenAgent {
  readonly records: Records
  readonly options: PlanOptions
}

/** The agent as planned for one user and session, with its runs in progress. */
interface Ready {
  readonly prepared: Prepared
  readonly sessions: AgentSessions
  readonly running: Set<Promise<unknown>>
}

/** Number of plans for other users and sessions that are kept; the oldest is closed for a new one. */
const KEPT_PLANS = 100

async function agentOf(parts: AgentParts): Promise<Agent> {
  const { records, options } = parts
  const own = await makeReady(parts, options.user, options.session)
  // A plan contains the user and session of its memory, so there is one plan for each pair.
  const others = new Map<string, Promise<Ready>>()
  const readyFor = async (user: string | undefined, session: string | undefined): Promise<Ready> => {
    if (user === options.user && session === options.session) return own
    const key = JSON.stringify([user, session])
    const known = others.get(key)
    if (known !== undefined) return known
    const ready = makeReady(parts, user, session)
    others.set(key, ready)
    // A failed plan must not block the next try.
    ready.catch(() => others.delete(key))
    const [first] = others
    if (others.size > KEPT_PLANS && first !== undefined) {
      others.delete(first[0])
      void first[1].then(closeReady).catch(() => {})
    }
    return ready
  }
  const begin = async (input: Json, asked: Omit<AgentRunOptions, keyof DriveOptions>) => {
    const { user = options.user, session = options.session, traceParent, traceState } = asked
    const ready = await inOptions(() => readyFor(user, session))
    const first: FirstFact = { type: 'run.started', input, ...callerTrace(traceParent, traceState) }
    const origin = { user, session, definition_file: parts.file }
    return { ready, begun: await inOptions(() => ready.sessions.start(first, origin)) }
  }
  const start = async (input: Json, asked: WatchedBy<AgentRunOptions>) => {
    const { ready, begun } = await begin(input, asked)
    return trackRun(ready, driveSession(begun, undefined, asked))
  }
  const continueRun = async (wanted: string, asked: WatchedBy<ResumeRunOptions>) => {
    const begun = await inOptions(async () => {
      const runId = await rootOf(records, await findRun(records, wanted))
      return resumeIn(own.sessions, await records.runs.read(runId), asked)
    })
    return trackRun(own, begun)
  }
  const close = async () => {
    await closeReady(own)
    for (const opened of await Promise.allSettled(others.values()))
      if (opened.status === 'fulfilled') await closeReady(opened.value)
    others.clear()
    await parts.release()
  }
  return {
    plan: withOptionHints(own.prepared.program.plan),
    run: async (input = '', asked = {}) => {
      assertOptions('run', asked, { names: AGENT_RUN_OPTIONS, elsewhere: OF_AN_AGENT })
      return (await start(input, asked)).result
    },
    start: async (input = '', asked = {}) => {
      assertOptions('start', asked, {
        names: { ...AGENT_RUN_OPTIONS, ...STREAM_OPTIONS },
        elsewhere: OF_AN_AGENT,
      })
      return watched((more) => start(input, { ...asked, ...more }), asked)
    },
    resume: async (runId, asked = {}) => {
      assertOptions('resume', asked, { names: RESUME_RUN_OPTIONS, elsewhere: OF_AN_AGENT })
      return (await continueRun(runId, asked)).result
    },
    startResume: async (runId, asked = {}) => {
      assertOptions('startResume', asked, {
        names: { ...RESUME_RUN_OPTIONS, ...STREAM_OPTIONS },
        elsewhere: OF_AN_AGENT,
      })
      return watched((more) => continueRun(runId, { ...asked, ...more }), asked)
    },
    chat: async (asked = {}) => {
      assertOptions('chat', asked, { names: AGENT_RUN_OPTIONS, elsewhere: OF_AN_AGENT })
      return openChat(async (first) => {
        const { ready, begun } = await begin(first, asked)
        return { session: begun, hold: (turn) => trackRun(ready, turn) }
      }, asked)
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

function trackRun(ready: Ready, run: BegunRun): BegunRun {
  const ended = run.result.catch(() => {}).finally(() => ready.running.delete(ended))
  ready.running.add(ended)
  return run
}

/** Waits for the runs in progress, because their connections must not be closed before. */
async function closeReady({ running, sessions }: Ready): Promise<void> {
  while (running.size > 0) await Promise.all(running)
  await sessions.close()
}

async function makeReady(
  { definition, file, real, home, records, options }: AgentParts,
  user: string | undefined,
  session: string | undefined,
): Promise<Ready> {
  const given: PlanOptions = {
    ...options,
    ...defined({ user, session }),
  }
  const { parts, prepared } = await auditingRefusal(
    importAttempt(home, given, file),
    () => definition,
    () => prepareAgent({ definition, file, real }, home, given, { pin: true }),
  )
  const { program, family, definitions } = prepared
  const host = runHost(parts, CALLER, records)
  const sessions = new AgentSessions(host, { program, plans: family, definitions })
  return { prepared, sessions, running: new Set() }
}
