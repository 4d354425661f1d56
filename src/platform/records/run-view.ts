import { defined } from '../../document/defined.ts'
import type { StoredRun } from '../../run/record/records.ts'
import { listedSummary, summaryOf } from '../../run/record/run-summary.ts'
import { type RunResult, resultOf } from '../../run/result.ts'
import { type ShownStatus, shownStatus, stopReason } from '../../session/run-status.ts'
import type { PlatformRecord } from './run-row.ts'

/** Returns the status of a run: that of its record, and of the queue before it begins or continues. */
export function platformStatus(
  record: Pick<PlatformRecord, 'status' | 'live' | 'damaged' | 'seq' | 'phase' | 'due_at'>,
): PlatformStatus {
  const { phase, due_at } = record
  if (phase === 'set_aside' || phase === 'moving' || phase === 'moved') return phase
  const status = shownStatus(record)
  if (status !== 'interrupted') return status
  if (record.seq === 0 && phase === 'parked' && due_at !== null) return 'scheduled'
  // Its leg is queued, or waits for a slot or a time.
  return phase === 'held' ? 'interrupted' : record.seq === 0 ? 'queued' : 'running'
}

/** Returns a run as lists show it. */
export function listedView(record: PlatformRecord): RunView {
  const { run_id, header, version, why } = record
  const stop_reason = stopReason(record)
  return {
    run_id,
    status: platformStatus(record),
    agent_id: header?.agent_id ?? '',
    agent_name: header?.agent_name ?? '',
    ...defined({ user: header?.user, session: header?.session, on_behalf_of: header?.on_behalf_of }),
    ...(version !== null && { version }),
    created_at: new Date(record.created_at).toISOString(),
    updated_at: new Date(record.updated_at).toISOString(),
    ...(stop_reason !== undefined && { stop_reason: stop_reason as NonNullable<RunView['stop_reason']> }),
    ...(why !== null && { why }),
    ...defined({ rehearsal: header?.rehearsal, replay: header?.replay }),
  }
}

/**
 * Returns a run with its result, or with what is known of it so far.
 * @param record read before the run itself: the status is that of the state, so that both agree
 */
export function wholeView(record: PlatformRecord, { plan, state }: StoredRun): RunView {
  const { status: _status, stop_reason, ...result } = resultOf(plan, state)
  const { stop_reason: _before, ...rest } = record
  const known = listedView({ ...rest, ...listedSummary(summaryOf(state), record.created_at) })
  const isSettled = state.end !== null || state.status === 'waiting' || state.status === 'paused'
  return { ...known, ...result, ...(isSettled && { stop_reason }) }
}

/** Statuses of a run on the platform: those of `waybill run`, those before it begins, and those of a move. */
export type PlatformStatus = ShownStatus | 'queued' | 'scheduled' | 'set_aside'

/** The list entry of a run, and what is known of it. After its end, or while it waits: with the object of `run`. */
export interface RunView extends Partial<Omit<RunResult, 'status' | 'run_id'>> {
  readonly run_id: string
  readonly status: PlatformStatus
  readonly agent_id: string
  readonly agent_name: string
  readonly version?: string
  readonly user?: string
  readonly session?: string
  /** The member in whose name the agent acts. */
  readonly on_behalf_of?: string
  /** RFC 3339. */
  readonly created_at: string
  readonly updated_at: string
  /** Why a run was set aside. */
  readonly why?: string
  /** Of a run that moves or was moved to another platform. */
  readonly moved_to?: {
    /** The new owner, as the URI of its place. */
    readonly owner: string
    readonly run_id: string | null
    /** It does not know the run any more, so the run can be taken back. */
    readonly receiver?: 'unknown'
  }
}
