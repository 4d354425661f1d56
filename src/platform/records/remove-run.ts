import { runLocked, runNotFound } from '../../run/record/record-errors.ts'
import { originalText, storedText } from '../database/stored-text.ts'
import type { Sql } from '../database/tenant.ts'

/** Locks the progress of all of them, so that none can be opened until the transaction ends. */
const WITH_AGENTS = `
  WITH RECURSIVE below (run_id) AS (
    SELECT run_id FROM waybill.runs WHERE org = $1 AND (run_id = $2 OR root = $2)
    UNION
    SELECT r.run_id FROM waybill.runs AS r JOIN below AS b ON r.org = $1 AND r.parent = b.run_id
  )
  SELECT r.run_id FROM below JOIN waybill.runs AS r ON r.org = $1 AND r.run_id = below.run_id
  ORDER BY r.created_at, r.run_id`

/** Tables with rows of a run that have no foreign key to it. */
const PARTS = ['events', 'decisions', 'commands', 'texts'] as const

/**
 * Removes a run and the runs of its sub-agents, with all their data.
 * @returns their ids
 * @throws RUN_NOT_FOUND, RUN_LOCKED
 */
export async function removeRun(sql: Sql, org: string, runId: string): Promise<readonly string[]> {
  const found = await sql.query<{ run_id: string }>(WITH_AGENTS, [org, storedText(runId)])
  const ids = found.rows.map(({ run_id }) => run_id)
  if (ids.length === 0) throw runNotFound(runId)
  const { rows } = await sql.query<{ run_id: string; holder: string | null; phase: string }>(
    'SELECT run_id, holder, phase FROM waybill.progress WHERE org = $1 AND run_id = ANY($2) ORDER BY run_id FOR UPDATE',
    [org, ids],
  )
  const live = await sql.query<{ holder: string }>(
    'SELECT h AS holder FROM unnest($1::text[]) AS h WHERE waybill.is_live(h)',
    [[...new Set(rows.flatMap(({ holder }) => (holder === null ? [] : [holder])))]],
  )
  const holders = new Set(live.rows.map(({ holder }) => holder))
  // Before its move has ended, it is unknown whether the run is still here.
  for (const { run_id, holder, phase } of rows)
    if (phase === 'moving' || (holder !== null && holders.has(holder))) throw runLocked(originalText(run_id))
  for (const table of PARTS)
    await sql.query(`DELETE FROM waybill.${table} WHERE org = $1 AND run_id = ANY($2)`, [org, ids])
  await sql.query('DELETE FROM waybill.sealed WHERE org = $1 AND root = ANY($2)', [org, ids])
  // The progress is removed with its run.
  await sql.query('DELETE FROM waybill.runs WHERE org = $1 AND run_id = ANY($2)', [org, ids])
  return ids.map(originalText)
}
