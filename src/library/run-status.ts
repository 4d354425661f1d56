import type { RunStore, StoredRun } from '../run/record/run-store.ts'
import type { RunState } from '../run/state.ts'

export type ShownStatus =
  | 'running'
  | 'awaiting_approval'
  | 'paused'
  /** Its process died: `resume` goes on with it. */
  | 'interrupted'
  | 'completed'
  | 'failed'
  | 'refused'
  | 'cancelled'
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
  'damaged',
]

/** Where a run is, for those who look at it from outside. */
export function shownStatus(store: RunStore, { header, state }: StoredRun): ShownStatus {
  switch (state.status) {
    case 'waiting':
      return 'awaiting_approval'
    case 'running':
      return store.isLive(header.run_id) ? 'running' : 'interrupted'
    default:
      return state.status
  }
}

/** Why it stopped, or undefined while it has not. */
export function stopReason({ state }: { readonly state: RunState }): string | undefined {
  if (state.end !== null) return state.end.stop_reason
  if (state.status === 'waiting') return 'approval'
  return state.status === 'paused' ? 'interrupt' : undefined
}
