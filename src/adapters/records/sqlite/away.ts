import type { MovedTo } from '../../../run/record/moved-to.ts'
import { runAway } from '../../../run/record/record-errors.ts'
import type { Queries } from './queries.ts'

/** Returns where a run moves or was moved. @param id of its row */
export function movedTo(q: Queries, id: number): MovedTo | undefined {
  const sql = `SELECT phase, target, target_run_id FROM away JOIN moves USING (jti) WHERE run = ?`
  const row = q.get<{ phase: string; target: string; target_run_id: string | null }>(sql, id)
  if (row === undefined) return undefined
  const { phase, target: owner, target_run_id: run_id } = row
  return { phase: phase === 'moved' ? 'moved' : 'moving', owner, run_id }
}

/** @throws RUN_MOVING, RUN_MOVED if only its move may change the run */
export function assertHere(q: Queries, id: number, runId: string): void {
  const moved = movedTo(q, id)
  if (moved !== undefined)
    throw runAway(runId, moved, '`waybill migrate` with the same target continues the move')
}
