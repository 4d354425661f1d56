import type { Sql } from '../database/tenant.ts'
import { storedText } from '../records/stored-text.ts'

interface Row {
  readonly starter: string | null
  /** As JSON: it is read from a header, which may contain what PostgreSQL cannot decode. */
  readonly member: string | null
}

/**
 * Returns the users who have caused what a run asks, as they are stored: the member who has started its root run, on whose
 * behalf it runs, and who has sent messages to its conversation. Messages are kept for a day after their delivery; the
 * row of a question keeps what was found when it opened.
 */
export async function startersOf(sql: Sql, org: string, storedRunId: string): Promise<readonly string[]> {
  const { rows } = await sql.query<Row>(
    `WITH root AS (
       SELECT t.run_id, t.user_id, (t.header::json -> 'on_behalf_of')::text AS member FROM waybill.runs AS r
       JOIN waybill.runs AS t ON t.org = r.org AND t.run_id = coalesce(r.root, r.run_id) WHERE r.org = $1 AND r.run_id = $2)
     SELECT user_id AS starter, member FROM root
     UNION ALL
     SELECT m.by, NULL FROM root JOIN waybill.conversations AS c ON c.org = $1 AND c.run_id = root.run_id
       JOIN waybill.messages AS m ON m.org = $1 AND m.session = c.session`,
    [org, storedRunId],
  )
  const found = rows.flatMap(({ starter, member }) => [
    ...(starter === null ? [] : [starter]),
    ...(member === null ? [] : [storedText(JSON.parse(member) as string)]),
  ])
  return [...new Set(found)].sort()
}
