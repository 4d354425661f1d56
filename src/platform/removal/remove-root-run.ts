import type { EntryMaker } from '../../trust/audit-chain.ts'
import type { Sql } from '../database/tenant.ts'
import { appendAudit } from '../records/audit-chain-rows.ts'
import { removeRun } from '../records/remove-run.ts'
import { originalText, storedText } from '../records/stored-text.ts'

export interface Removal {
  readonly org: string
  readonly nextEntry: EntryMaker
  /** For the audit log. */
  readonly by: string
  readonly why: 'retention' | 'erasure' | 'request'
  /** Only a run that has ended, and has not changed since this moment (milliseconds); else nothing is removed. */
  readonly endedBefore?: number
}

/**
 * Removes a run and its sub-agents with what else the platform stores of it: its session, stored answers to requests, and
 * the input of a trigger. The audit log keeps its entries about the run, which contain digests, and gets one more.
 * @returns the removed run ids, whose key files are to be removed after the transaction
 * @throws RUN_NOT_FOUND, RUN_LOCKED
 */
export async function removeRootRun(
  sql: Sql,
  runId: string,
  { org, nextEntry, by, why, endedBefore }: Removal,
): Promise<readonly string[]> {
  // First the session, as a message does: otherwise each could wait for the other.
  const { rows: sessions } = await sql.query<{ session: string }>(
    'SELECT session FROM waybill.conversations WHERE org = $1 AND run_id = $2 FOR UPDATE',
    [org, storedText(runId)],
  )
  if (endedBefore !== undefined) {
    const { rowCount } = await sql.query(
      `SELECT 1 FROM waybill.progress
       WHERE org = $1 AND run_id = $2 AND phase IN ('over', 'moved') AND updated_at < $3 FOR UPDATE`,
      [org, storedText(runId), endedBefore],
    )
    if (rowCount === 0) return []
  }
  const ids = await removeRun(sql, org, runId)
  const stored = ids.map(storedText)
  const names = sessions.map(({ session }) => session)
  await sql.query('DELETE FROM waybill.conversations WHERE org = $1 AND session = ANY($2)', [org, names])
  await sql.query('DELETE FROM waybill.idempotency WHERE org = $1 AND resource = ANY($2)', [
    org,
    [...stored, ...names.map(originalText)],
  ])
  // The row stays, so that the same slot does not fire again.
  await sql.query(
    `UPDATE waybill.firings SET payload = 'null' WHERE org = $1 AND run_id = ANY($2) AND due_at IS NULL`,
    [org, stored],
  )
  const at = new Date().toISOString()
  await appendAudit(
    sql,
    org,
    nextEntry,
    ids.map((run_id) => ({ at, kind: 'run.removed', run_id, by, why })),
  )
  return ids
}
