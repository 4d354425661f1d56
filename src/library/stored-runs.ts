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
import { useHome } from './open-home.ts'

/** The home that holds the records of runs. */
export interface StoredRunsOptions {
  /** The folder that was the `home` of the runs, or that of the command line (`~/.waybill`); or an open home. */
  readonly home: string | Home
}

export interface ListRunsOptions extends StoredRunsOptions, ListedOptions {}

/** Calls `act` with the home of the options, and closes it unless the caller opened it. */
async function withHomeOf<T>(options: StoredRunsOptions, act: (home: Home) => Promise<T>): Promise<T> {
  const { home, release } = await useHome({ home: options.home })
  try {
    return await act(home)
  } finally {
    await release()
  }
}

/** Lists the records of runs, newest first. */
export function listRuns(options: ListRunsOptions): Promise<readonly ListedRun[]> {
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
export function readRun(runId: string, options: StoredRunsOptions): Promise<ReadRun> {
  return withHomeOf(options, async (home) => {
    const run = await home.runs.read(await findRun(home, runId))
    return {
      status: await statusOf(home, run),
      result: resultOf(run.plan, run.state, run.header.replay),
      events: await home.runs.events(run.header.run_id),
    }
  })
}

/**
 * Lists the calls that wait for a person, of all runs or of one.
 * @throws RUN_NOT_FOUND
 */
export function listApprovals(
  options: StoredRunsOptions & { readonly runId?: string },
): Promise<readonly WaitingApproval[]> {
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
export function decideApproval(
  runId: string,
  callId: string,
  decision: PersonsDecision,
  options: StoredRunsOptions,
): Promise<LeftDecision> {
  return withHomeOf(
    options,
    async (home) => (await leaveDecision(home, await findRun(home, runId), callId, decision)).decision,
  )
}
