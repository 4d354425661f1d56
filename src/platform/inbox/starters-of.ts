import type { Sql } from '../database/tenant.ts'

/**
 * Returns the users who have caused what a run asks, as they are stored: who has started its root run, on whose behalf
 * it runs, and who has sent messages to its conversation. Messages are kept for a day after their delivery; the row of a
 * question keeps what was found when it opened.
 */
export async function startersOf(sql: Sql, org: string, storedRunId: string): Promise<readonly string[]> {
  const { rows } = await sql.query<{ starter: string }>(
    `WITH root AS (
       SELECT t.run_id, t.started_by, t.user_id, t.session FROM waybill.runs AS r
       JOIN waybill.runs AS t ON t.org = r.org AND t.run_id = coalesce(r.root, r.run_id) WHERE r.org = $1 AND r.run_id = $2)
     SELECT DISTINCT starter FROM (
       SELECT unnest(ARRAY[started_by, user_id]) AS starter FROM root
       UNION ALL
       SELECT m.by FROM root JOIN waybill.conversations AS c ON c.org = $1 AND c.run_id = root.run_id
         JOIN waybill.messages AS m ON m.org = $1 AND m.session = c.session) AS found
     WHERE starter IS NOT NULL ORDER BY starter`,
    [org, storedRunId],
  )
  return rows.map(({ starter }) => starter)
}
