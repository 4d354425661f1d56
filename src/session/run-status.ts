import { defined } from '../document/defined.ts'
import type { ListedRecord, Records, StoredRun } from '../run/record/records.ts'
import type { RunState } from '../run/state.ts'

export type ShownStatus =
  | 'running'
  | 'awaiting_approval'
  | 'paused'
  /** Its process died before the run ended: `resume` continues it. */
  | 'interrupted'
  | 'completed'
  | 'failed'
  | 'refused'
  | 'cancelled'
  /** It is being moved to another platform, or was moved there. */
  | 'moving'
  | 'moved'
  /** Its record cannot be read. */
  | 'damaged'

export const STATUSES: readonly ShownStatus[] = [
  'running',
  'awaiting_approval',
  'paused',
  'interrupted',
  'completed',
  'failed',
  'refused',
  'cancelled',
  'moving',
  'moved',
  'damaged',
]

/** Returns the status of a run for lists and reports. */
export function shownStatus({
  status,
  live,
  moved,
  damaged,
}: Pick<ListedRecord, 'status' | 'live' | 'moved' | 'damaged'>): ShownStatus {
  if (damaged !== undefined) return 'damaged'
  if (moved !== undefined) return moved.phase
  switch (status) {
    case 'waiting':
      return 'awaiting_approval'
    case 'running':
      return live ? 'running' : 'interrupted'
    default:
      return status
  }
}

/** Returns the same status for a run that was read. */
export async function statusOf(
  { runs }: Pick<Records, 'runs'>,
  { header, state }: StoredRun,
): Promise<ShownStatus> {
  const { live, moved } = await runs.listed(header.run_id)
  return shownStatus({ status: state.status, live, ...defined({ moved }) })
}

/** Returns why a run stopped, or undefined while it has not. */
export function stopReason({
  status,
  stop_reason,
}: {
  readonly status: RunState['status']
  readonly stop_reason?: string | undefined
}): string | undefined {
  if (stop_reason !== undefined) return stop_reason
  if (status === 'waiting') return 'approval'
  return status === 'paused' ? 'interrupt' : undefined
}
