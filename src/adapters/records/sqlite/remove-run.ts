import { runAway, runLocked, runNotFound } from '../../../run/record/record-errors.ts'
import { movedTo } from './away.ts'
import type { PlanRows } from './plan-rows.ts'
import type { ProcessLocks } from './process-locks.ts'
import type { Queries } from './queries.ts'

interface Doomed {
  readonly id: number
  readonly run_id: string
  readonly holder: string | null
}

const WITH_AGENTS = `
  WITH RECURSIVE below (id, run_id) AS (
    SELECT id, run_id FROM runs WHERE run_id = ?1
    UNION SELECT id, run_id FROM runs WHERE root = ?1
    UNION SELECT r.id, r.run_id FROM runs AS r JOIN below ON r.parent = below.run_id
  )
  SELECT id, run_id, holder FROM below LEFT JOIN progress ON run = id ORDER BY id`

/**
 * Removes a run and the runs of its sub-agents, with all their data.
 * @returns their ids
 * @throws RUN_NOT_FOUND, RUN_LOCKED; RUN_MOVING
 */
export function removeRun(
  q: Queries,
  runId: string,
  plans: PlanRows,
  locks: ProcessLocks,
): readonly string[] {
  const doomed = q.all<Doomed>(WITH_AGENTS, runId)
  if (doomed.length === 0) throw runNotFound(runId)
  for (const { id, run_id, holder } of doomed) {
    const moved = movedTo(q, id)
    if (moved?.phase === 'moving') throw runAway(run_id, moved)
    if (holder !== null && locks.isLive(holder)) throw runLocked(run_id, locks.pidOf(q, holder))
  }
  for (const { id, run_id } of doomed) {
    for (const table of ['events', 'decisions', 'progress', 'pauses', 'copied_runs'])
      q.run(`DELETE FROM ${table} WHERE run = ?`, id)
    q.run('DELETE FROM sealed WHERE root = ?', run_id)
    plans.drop(q, id)
    q.run('DELETE FROM runs WHERE id = ?', id)
  }
  return doomed.map(({ run_id }) => run_id)
}
