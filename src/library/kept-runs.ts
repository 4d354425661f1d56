import { type Json, WaybillError } from '../document/issue.ts'
import type { RunEvent } from '../run/event.ts'
import type { LeftDecision } from '../run/record/left-decision.ts'
import type { RunHeader } from '../run/record/run-header.ts'
import { RunStore, type StoredRun } from '../run/record/run-store.ts'
import { type RunResult, resultOf } from '../run/result.ts'
import { runsFolder } from '../settings/home.ts'
import { leaveDecision } from './leave-decision.ts'
import type { PersonsWord } from './options.ts'
import { type ShownStatus, shownStatus, stopReason } from './run-status.ts'
import { allWaitingCalls, type WaitingCall, waitingCallsOf } from './waiting-calls.ts'

/** Where records of runs lie: one of the two must be given. */
export interface KeptRunsOptions {
  /** The folder that the runs were given as `home`, or that of the command line (`~/.waybill`). */
  readonly home?: string
  /** The folder that they were given as `runsFolder`. */
  readonly runsFolder?: string
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
}

export interface ListRunsOptions extends KeptRunsOptions {
  readonly status?: ShownStatus
  /** Most runs to give; default 20. Reading a run folds its whole record. */
  readonly limit?: number
  /** Those of sub-agents as well. */
  readonly all?: boolean
}

/**
 * The records of runs, newest first.
 * @throws HOME_MISSING
 */
export function listRuns(options: ListRunsOptions): readonly ListedRun[] {
  return listed(keptRuns(options), options).runs
}

/** @returns what the list holds, and how many runs were not looked at */
export function listed(
  store: RunStore,
  { status, limit = 20, all = false }: Omit<ListRunsOptions, keyof KeptRunsOptions>,
): { readonly runs: readonly ListedRun[]; readonly more: number } {
  const runs: ListedRun[] = []
  let more = 0
  for (const id of all ? store.list() : store.roots()) {
    if (runs.length >= limit) {
      more++
      continue
    }
    const run = listedRun(store, id)
    if (status === undefined || run.status === status) runs.push(run)
  }
  return { runs, more }
}

function listedRun(store: RunStore, id: string): ListedRun {
  try {
    const run = store.read(id)
    const reason = stopReason(run)
    const { agent_id, agent_name, created_at, rehearsal, parent } = run.header
    return {
      run_id: id,
      status: shownStatus(store, run),
      agent_id,
      agent_name,
      created_at,
      ...(reason !== undefined && { stop_reason: reason }),
      rehearsal,
      ...(parent !== undefined && { parent }),
    }
  } catch {
    // One damaged record must not hide the others.
    return {
      run_id: id,
      status: 'damaged',
      agent_id: null,
      agent_name: null,
      created_at: null,
      rehearsal: null,
    }
  }
}

/** What a recorded run has come to so far, and everything that happened in it. */
export interface ReadRun {
  readonly status: ShownStatus
  readonly result: RunResult
  readonly events: readonly RunEvent[]
}

/**
 * Reads a recorded run without touching it; it may be under way elsewhere.
 * @throws HOME_MISSING, RUN_NOT_FOUND, RUN_DAMAGED
 */
export function readRun(runId: string, options: KeptRunsOptions): ReadRun {
  const store = keptRuns(options)
  const run = store.read(store.resolve(runId))
  return {
    status: shownStatus(store, run),
    result: resultOf(run.plan, run.state),
    events: store.events(run.header.run_id),
  }
}

/** A call that needs a person's word. */
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
  /** What somebody has said already; it takes effect when the run goes on. */
  readonly decided?: Pick<PersonsWord, 'verdict' | 'by' | 'why'>
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
 * @throws HOME_MISSING, RUN_NOT_FOUND
 */
export function listApprovals(
  options: KeptRunsOptions & { readonly runId?: string },
): readonly WaitingApproval[] {
  const store = keptRuns(options)
  const { runId } = options
  const calls =
    runId === undefined ? allWaitingCalls(store) : waitingCallsOf(store, store.read(store.resolve(runId)))
  return calls.map(waitingCallObject)
}

/**
 * Leaves a person's decision for a call that waits; it takes effect when the run goes on (`resume`).
 * @throws HOME_MISSING, RUN_NOT_FOUND, APPROVAL_NOT_FOUND, APPROVAL_DECIDED, APPROVAL_VERDICT_INVALID
 */
export function decideApproval(
  runId: string,
  callId: string,
  word: PersonsWord,
  options: KeptRunsOptions,
): LeftDecision {
  const store = keptRuns(options)
  return leaveDecision(store, store.resolve(runId), callId, word).decision
}

/** @throws HOME_MISSING */
export function keptRuns(options: KeptRunsOptions): RunStore {
  const folder = runsFolderOf(options)
  if (folder !== undefined) return new RunStore(folder)
  throw new WaybillError('HOME_MISSING', {
    fault: 'usage',
    message: 'nothing says where the records of runs lie',
    hint: 'give `home`, the folder that the run was given, or its `runsFolder`',
  })
}

/** Undefined when records are kept in memory. */
export function runsFolderOf({ home, runsFolder: folder }: KeptRunsOptions): string | undefined {
  return folder ?? (home === undefined ? undefined : runsFolder({ WAYBILL_HOME: home }))
}

/** @throws RUN_NOT_STARTED */
export function assertBegun({ header, state }: StoredRun): void {
  if (state.seq > 0) return
  throw new WaybillError('RUN_NOT_STARTED', {
    fault: 'usage',
    message: `run ${header.run_id} was cut off before it began: there is nothing to go on with`,
    hint: `start it again, and remove this one: waybill runs rm ${header.run_id}`,
  })
}
