import { runAway } from '../run/record/record-errors.ts'
import type { Records } from '../run/record/records.ts'

/** @throws RUN_MOVING, RUN_MOVED if the run is being moved, or was moved; RUN_NOT_FOUND */
export async function assertHere({ runs }: Pick<Records, 'runs'>, runId: string): Promise<void> {
  const { moved } = await runs.listed(runId)
  if (moved !== undefined) throw runAway(runId, moved)
}
