import type { Json } from '../document/issue.ts'
import type { RunEvent } from '../run/event.ts'
import type { LeftDecision } from '../run/record/left-decision.ts'
import type { ListedRecord, Records, RunFilter } from '../run/record/records.ts'
import type { RunHeader } from '../run/record/run-header.ts'
import { type RunResult, resultOf } from '../run/result.ts'
import { findRun } from '../session/find-run.ts'
import type { Home } from '../session/home.ts'
import { leaveDecision, type PersonsDecision } from '../session/leave-decision.ts'
import { type ShownStatus, shownStatus, statusOf, stopReason } from '../session/run-status.ts'
import { allWaitingCalls, type WaitingCall, waitingCallsOf } from '../session/waiting-calls.ts'
import { useHome } from './open-home.ts'

/** Where records of runs are kept. */
export interface StoredRunsOptions {
  /** The folder that the runs were given as `home`, or that of the command line (`~/.waybill`); or an open home. */
  readonly home: string | Home
}

/** A run as a list shows it. What of a damaged record cannot be read is null. */
export interface ListedRun {
  readonly run_id: string
  readonly status: ShownStatus
  readonly agent_id: string | null
  readonly agent_name: string | null
  /** RFC 3339 */
  readonly created_at: string | null
  readonly stop_reason?: string
  readonly rehearsal: boolean | null
  /** Of a sub-agent's run. */
  readonly parent?: RunHeader['parent']
  /** Read from a file: it cannot be resumed. */
  readonly imported?: true
}

export interface ListRunsOptions extends StoredRunsOptions {
  readonly status?: ShownStatus
  /** Most runs to return; default 20. */
  readonly limit?: number
  /** Those of sub-agents as well. */
  readonly all?: boolean
}

/** Does something with the home that the options name, and closes it unless the caller opened it. */
async function withHomeOf<T>(options: StoredRunsOptions, act: (home: Home) => Promise<T>): Promise<T> {
  const { home, release } = await useHome({ home: options.home })
  try {
    return await act(home)
  } finally {
    await release()
  }
}

/** The records of runs, newest first. */
export function listRuns(options: ListRunsOptions): Promise<readonly ListedRun[]> {
  return withHomeOf(options, async (home) => (await listed(home, options)).runs)
}

/** @returns what the list holds, and whether there are more */
export async function listed(
  { runs }: Pick<Records, 'runs'>,
  { status, limit = 20, all = false }: Omit<ListRunsOptions, 'home'>,
): Promise<{ readonly runs: readonly ListedRun[]; readonly more: boolean }> {
  const filter: RunFilter = { ...filterOf(status), ...(!all && { roots: true as const }) }
  const found: ListedRun[] = []
  let cursor: string | undefined
  do {
    const page = await runs.list(filter, { limit: limit + 1, ...(cursor !== undefined && { cursor }) })
    for (const record of page.items) {
      const run = listedRun(record)
      if (status !== undefined && run.status !== status) continue
      if (found.length === limit) return { runs: found, more: true }
      found.push(run)
    }
    cursor = page.next ?? undefined
  } while (cursor !== undefined)
  return { runs: found, more: false }
}

/** As much of the wanted status as the records know: whether a process is alive is asked of each. */
function filterOf(status: ShownStatus | undefined): RunFilter {
  switch (status) {
    case undefined:
    case 'damaged':
      return {}
    case 'awaiting_approval':
      return { status: 'waiting' }
    case 'interrupted':
      return { status: 'running' }
    default:
      return { status }
  }
}

function listedRun(record: ListedRecord): ListedRun {
  const { run_id, header, imported } = record
  const stop_reason = stopReason(record)
  return {
    run_id,
    status: shownStatus(record),
    agent_id: header?.agent_id ?? null,
    agent_name: header?.agent_name ?? null,
    created_at: header?.created_at ?? null,
    ...(stop_reason !== undefined && { stop_reason }),
    rehearsal: header?.rehearsal ?? null,
    ...(header?.parent !== undefined && { parent: header.parent }),
    ...(imported && { imported: true as const }),
  }
}

/** What a recorded run has come to so far, and everything that happened in it. */
export interface ReadRun {
  readonly status: ShownStatus
  readonly result: RunResult
  readonly events: readonly RunEvent[]
}

/**
 * Reads a recorded run without touching it; another process may be driving it.
 * @throws RUN_NOT_FOUND, RECORD_DAMAGED
 */
export function readRun(runId: string, options: StoredRunsOptions): Promise<ReadRun> {
  return withHomeOf(options, async (home) => {
    const run = await home.runs.read(await findRun(home, runId))
    return {
      status: await statusOf(home, run),
      result: resultOf(run.plan, run.state),
      events: await home.runs.events(run.header.run_id),
    }
  })
}

/** A call that needs a person's decision. */
export interface WaitingApproval {
  readonly run_id: string
  readonly agent_id: string
  readonly agent_name: string
  readonly call_id: string
  readonly tool: string
  readonly arguments: Json
  /** `unknown`: it may have happened already, and a person says whether. */
  readonly asks: 'approval' | 'unknown'
  readonly effect: 'read' | 'write'
  readonly endpoint?: string
  readonly method?: string
  readonly reason?: string
  readonly rule?: string
  /** What somebody has decided already; it takes effect when the run is resumed. */
  readonly decided?: Pick<PersonsDecision, 'verdict' | 'by' | 'why'>
}

/** A waiting call as data. */
export function waitingCallObject({ run, call, decided }: WaitingCall): WaitingApproval {
  const tool = run.plan.tools.find(({ name }) => name === call.tool)
  return {
    run_id: run.header.run_id,
    agent_id: run.header.agent_id,
    agent_name: run.header.agent_name,
    call_id: call.id,
    tool: call.tool,
    arguments: call.args,
    asks: call.status === 'asking' ? 'approval' : 'unknown',
    effect: tool?.effect ?? 'write',
    ...(tool?.endpoint !== undefined && { endpoint: tool.endpoint }),
    ...(tool?.method !== undefined && { method: tool.method }),
    ...(tool?.reason !== undefined && { reason: tool.reason }),
    ...(tool?.rule !== undefined && { rule: tool.rule }),
    ...(decided !== undefined && {
      decided: {
        verdict: decided.verdict,
        by: decided.by,
        ...(decided.why !== undefined && { why: decided.why }),
      },
    }),
  }
}

/**
 * The calls that wait for a person, of all runs or of one.
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
 * Leaves a person's decision for a call that waits; it takes effect when the run is resumed. There is one decision for
 * each question: who comes second gets APPROVAL_DECIDED.
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
