import { defined } from '../../document/defined.ts'
import { WaybillError } from '../../document/issue.ts'
import type { LeftDecision } from './left-decision.ts'
import type { MovedTo } from './moved-to.ts'
import type { SlotHolder, SlotRequest } from './records.ts'

/** The errors that every store of runs can return; a store adds errors of its own medium. */

export function recordsClosed(): WaybillError {
  return new WaybillError('RECORDS_CLOSED', {
    fault: 'failed',
    message: 'the records are closed already',
    hint: 'open them again',
  })
}

export function runNotFound(runId: string): WaybillError {
  return new WaybillError('RUN_NOT_FOUND', {
    fault: 'usage',
    message: `there is no run ${runId}`,
    hint: '`waybill runs list` shows all runs',
  })
}

export function runExists(runId: string): WaybillError {
  return new WaybillError('RUN_EXISTS', {
    fault: 'usage',
    message: `there is already a run ${runId}`,
    hint: 'remove that run first, or keep it: `waybill runs show` shows what it is',
  })
}

/** @param pid of the process that holds the lease; absent when it is not on this machine */
export function runLocked(runId: string, pid?: number): WaybillError {
  return new WaybillError('RUN_LOCKED', {
    fault: 'failed',
    message: `run ${runId} is being driven by ${pid === undefined ? 'another process' : `process ${pid}`}`,
    hint: 'wait for that process, or stop it; its work is saved',
  })
}

export function runTakenOver(runId: string): WaybillError {
  return new WaybillError('RUN_TAKEN_OVER', {
    fault: 'failed',
    message: `run ${runId} was taken over by another process`,
    hint: 'this process has stopped driving the run; `waybill runs show` shows the progress of the other one',
  })
}

export function runImported(runId: string): WaybillError {
  return new WaybillError('RUN_IMPORTED', {
    fault: 'refused',
    message: `run ${runId} was read from a file and cannot be resumed`,
    hint: 'resume it where it was exported, or start a new run of the same definition',
  })
}

/** @param next what to do while the run is being moved */
export function runAway(
  runId: string,
  { phase, owner, run_id }: MovedTo,
  next = 'wait until the move has ended, then use the run there, or here if the move was refused',
): WaybillError {
  if (phase === 'moving')
    return new WaybillError('RUN_MOVING', {
      fault: 'refused',
      message: `run ${runId} is being moved to ${owner}`,
      hint: next,
    })
  return new WaybillError('RUN_MOVED', {
    fault: 'refused',
    message: `run ${runId} was moved to ${owner}${run_id === null ? '' : `, where it is run ${run_id}`}`,
    hint: 'use the run there',
  })
}

/** @param recorded the run that answered in the replay */
export function replayRefused(runId: string, recorded: string): WaybillError {
  return new WaybillError('REPLAY_REFUSED', {
    fault: 'refused',
    message: `run ${runId} is a replay of run ${recorded}, so it can be neither continued, captured nor replayed`,
    hint: `use run ${recorded}`,
  })
}

export interface DamagePlace {
  readonly file?: string
  /** Of the event concerned. */
  readonly seq?: number
  readonly cause?: unknown
}

export function recordDamaged(
  runId: string,
  why: string,
  { file, seq, cause }: DamagePlace = {},
): WaybillError {
  const at = seq === undefined ? '' : ` at event ${seq}`
  return new WaybillError('RECORD_DAMAGED', {
    fault: 'failed',
    message: `the record of run ${runId} is damaged${at}: ${why}`,
    hint: 'restore the database from a backup, or remove the run with `waybill runs rm`',
    ...defined({ file, cause }),
  })
}

/** @param root the run that started this one, in the end */
export function rootMissing(runId: string, root: string): WaybillError {
  return recordDamaged(runId, `it is a sub-agent's, and the run that started it is missing: ${root}`)
}

export function recordNewer(runId: string, what: string): WaybillError {
  return new WaybillError('RECORD_NEWER', {
    fault: 'failed',
    message: `run ${runId} was written by a later version of Waybill: ${what}`,
    hint: 'resume it with that version; `waybill runs show` and `waybill runs events` work with this one',
  })
}

export function auditDamaged(why: string, file?: string): WaybillError {
  return new WaybillError('AUDIT_DAMAGED', {
    fault: 'refused',
    message: `the audit log cannot be continued: ${why}`,
    hint: '`waybill audit verify` says where; keep the database as evidence, and begin with a new home',
    rule: 'AAIF-4.9-08',
    ...defined({ file }),
  })
}

/** @param holders of the slots, as far as they are known */
export function concurrencyExceeded(
  { agent_name, limit }: Pick<SlotRequest, 'agent_name' | 'limit'>,
  holders: readonly SlotHolder[] = [],
): WaybillError {
  const pids = [...new Set(holders.flatMap(({ pid }) => (pid === undefined ? [] : [pid])))]
  const by = pids.length === 0 ? '' : ` (process ${pids.join(', ')})`
  return new WaybillError('CONCURRENCY_EXCEEDED', {
    at: '/agent/runtime/concurrency',
    message: `${agent_name} may run ${limit} at a time, and ${limit === 1 ? 'one is' : 'as many are'} running${by}`,
    hint: 'wait until one has ended, start it without --no-wait, or raise runtime.concurrency',
    rule: 'AAIF-4.6-03',
  })
}

/** @param other a run that waits for a slot above the newcomer, and holds what the newcomer asks for */
export function concurrencyDeadlock(
  { agent_name, limit }: SlotRequest,
  other: { readonly agent_name: string },
): WaybillError {
  return new WaybillError('CONCURRENCY_DEADLOCK', {
    at: '/agent/runtime/concurrency',
    message: `deadlock: ${agent_name} may run ${limit} at a time, and each of these runs waits for ${other.agent_name}, which waits for this run`,
    hint: 'raise runtime.concurrency of one of the agents that call one another, or run them one after the other',
    rule: 'AAIF-4.6-03',
  })
}

/** The answer of `decide` if another person decided first. */
export function taken(by: LeftDecision): { readonly outcome: 'taken'; readonly by: LeftDecision } {
  return { outcome: 'taken', by }
}
