import type { Sql } from '../database/tenant.ts'

/**
 * Returns the members who have caused what a run asks, as they are stored. The row of a question keeps what was found when
 * it opened.
 * @param storedRunId also of a sub-agent's run: its root has them
 */
export async function startersOf(sql: Sql, org: string, storedRunId: string): Promise<readonly string[]> {
  const { rows } = await sql.query<{ member: string }>(
    `SELECT c.member FROM waybill.runs AS r
     JOIN waybill.causers AS c ON c.org = r.org AND c.run_id = coalesce(r.root, r.run_id)
     WHERE r.org = $1 AND r.run_id = $2 ORDER BY c.member COLLATE "C"`,
    [org, storedRunId],
  )
  return rows.map(({ member }) => member)
}
