import type { RunEvent } from '../run/event.ts'
import type { LeftDecision } from '../run/record/left-decision.ts'
import { type RunResult, resultOf } from '../run/result.ts'
import { findRun } from '../session/find-run.ts'
import type { Home } from '../session/home.ts'
import { leaveDecision, type PersonsDecision } from '../session/leave-decision.ts'
import { type ListedOptions, type ListedRun, listed } from '../session/listed-runs.ts'
import { type ShownStatus, statusOf } from '../session/run-status.ts'
import { type WaitingApproval, waitingCallObject } from '../session/waiting-approval.ts'
import { allWaitingCalls, waitingCallsOf } from '../session/waiting-calls.ts'
import { assertMembers, assertOptions, type OptionNames } from './assert-options.ts'
import { DECISION, DRIVE_OPTIONS } from './drive-session.ts'
import { useHome } from './open-home.ts'
import { inOptions, withOptionHint } from './option-hints.ts'
import { PLAN_OPTIONS } from './options.ts'

/** The home that holds the records of runs. */
export interface StoredRunsOptions {
  /** The folder that was the `home` of the runs, or that of the command line (`~/.waybill`); or an open home. */
  readonly home: string | Home
}

export interface ListRunsOptions extends StoredRunsOptions, ListedOptions {}

/** One object may hold the options of a program for all functions, so those of an agent are accepted here. */
const SHARED = { ...PLAN_OPTIONS, ...DRIVE_OPTIONS }
const NEEDED = ['home']
const LIST_OPTIONS: OptionNames<ListRunsOptions> = { home: true, status: true, limit: true, all: true }

/** Calls `act` with the home of the options, and closes it unless the caller opened it. */
async function withHomeOf<T>(options: StoredRunsOptions, act: (home: Home) => Promise<T>): Promise<T> {
  return inOptions(async () => {
    const { home, release } = await useHome({ home: options.home })
    try {
      return await act(home)
    } finally {
      await release()
    }
  })
}

/** Lists the records of runs, newest first. */
export async function listRuns(options: ListRunsOptions): Promise<readonly ListedRun[]> {
  assertOptions('listRuns', options, { names: { ...SHARED, ...LIST_OPTIONS }, required: NEEDED })
  return withHomeOf(options, async (home) => (await listed(home, options)).runs)
}

/** The result of a recorded run so far, and all of its events. */
export interface ReadRun {
  readonly status: ShownStatus
  readonly result: RunResult
  readonly events: readonly RunEvent[]
}

/**
 * Reads a recorded run without changing it; another process may be driving it.
 * @throws RUN_NOT_FOUND, RECORD_DAMAGED
 */
export async function readRun(runId: string, options: StoredRunsOptions): Promise<ReadRun> {
  assertOptions('readRun', options, { names: SHARED, required: NEEDED })
  return withHomeOf(options, async (home) => {
    const run = await home.runs.read(await findRun(home, runId))
    return {
      status: await statusOf(home, run),
      result: withOptionHint(resultOf(run.plan, run.state, run.header.replay)),
      events: await home.runs.events(run.header.run_id),
    }
  })
}

/**
 * Lists the calls that wait for a person, of all runs or of one.
 * @throws RUN_NOT_FOUND
 */
export async function listApprovals(
  options: StoredRunsOptions & { readonly runId?: string },
): Promise<readonly WaitingApproval[]> {
  assertOptions('listApprovals', options, { names: { ...SHARED, runId: true }, required: NEEDED })
  const { runId } = options
  return withHomeOf(options, async (home) => {
    const calls =
      runId === undefined
        ? (await allWaitingCalls(home)).calls
        : await waitingCallsOf(home, await home.runs.read(await findRun(home, runId)))
    return calls.map(waitingCallObject)
  })
}

/**
 * Stores a person's decision for a waiting call; it takes effect when the run is resumed. There is one decision for
 * each question: a second one is refused with APPROVAL_DECIDED.
 * @throws RUN_NOT_FOUND, APPROVAL_NOT_FOUND, APPROVAL_DECIDED, APPROVAL_VERDICT_INVALID
 */
export async function decideApproval(
  runId: string,
  callId: string,
  decision: PersonsDecision,
  options: StoredRunsOptions,
): Promise<LeftDecision> {
  assertOptions('decideApproval', options, { names: SHARED, required: NEEDED })
  assertMembers('the decision', decision, DECISION)
  return withHomeOf(
    options,
    async (home) => (await leaveDecision(home, await findRun(home, runId), callId, decision)).decision,
  )
}
