import type { Sql } from '../database/tenant.ts'
import { originalText, storedText } from '../records/stored-text.ts'

/** Returns the users whose data is in some runs: those that the runs serve, and those of the runs that led to them. */
export async function subjectsOf(
  sql: Sql,
  org: string,
  runIds: readonly string[],
): Promise<readonly string[]> {
  if (runIds.length === 0) return []
  const { rows } = await sql.query<{ user_id: string }>(
    `SELECT user_id FROM waybill.runs WHERE org = $1 AND run_id = ANY ($2) AND user_id IS NOT NULL
     UNION SELECT s.user_id FROM waybill.runs AS r
       JOIN waybill.subjects AS s ON s.org = r.org AND s.run_id = coalesce(r.root, r.run_id)
       WHERE r.org = $1 AND r.run_id = ANY ($2)`,
    [org, runIds.map(storedText)],
  )
  return rows.map(({ user_id }) => originalText(user_id))
}

/** Notes that a root run contains data of these users, so that it is removed with them. */
export async function addSubjects(
  sql: Sql,
  org: string,
  runId: string,
  users: readonly string[],
): Promise<void> {
  if (users.length === 0) return
  await sql.query(
    `INSERT INTO waybill.subjects (org, run_id, user_id) SELECT DISTINCT $1, $2, u FROM unnest($3::text[]) AS u
     ON CONFLICT DO NOTHING`,
    [org, storedText(runId), users.map(storedText)],
  )
}
