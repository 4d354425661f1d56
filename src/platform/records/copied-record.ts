import type { CopiedRecord } from '../../run/record/records.ts'
import { storedText } from '../database/stored-text.ts'
import type { Sql } from '../database/tenant.ts'

/** Returns how the record of a run is known to be a copy, until the run has taken that in. */
export async function copiedRecord(sql: Sql, org: string, runId: string): Promise<CopiedRecord | undefined> {
  const { rows } = await sql.query<{ generation: number; announced: boolean }>(
    'SELECT generation, announced FROM waybill.copied_runs WHERE org = $1 AND run_id = $2',
    [org, storedText(runId)],
  )
  const [row] = rows
  return row && { generation: row.generation, ...(row.announced && { announced: true }) }
}
