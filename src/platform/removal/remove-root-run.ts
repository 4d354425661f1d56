import type { EntryMaker } from '../../trust/audit-chain.ts'
import { originalText, storedText } from '../database/stored-text.ts'
import type { Sql } from '../database/tenant.ts'
import { appendAudit } from '../records/audit-chain-rows.ts'
import { removeRun } from '../records/remove-run.ts'

export interface Removal {
  readonly org: string
  readonly nextEntry: EntryMaker
  /** For the audit log. */
  readonly by: string
  readonly why: 'retention' | 'erasure' | 'request'
  /** Only a run that has ended, and has not changed since this moment (milliseconds); else nothing is removed. */
  readonly endedBefore?: number
}

/** The sender of a message has named its slot `f` of the trigger `t`, which stays, so that it does not fire again. */
export const NAMED_BY_SENDER = `t.org = f.org AND t.id = f.trigger AND t.kind IN ('message', 'webhook')
  AND f.slot NOT LIKE 'sha256:%'`
export const ERASED_SLOT = `'sha256:' || encode(sha256(convert_to(f.slot, 'UTF8')), 'hex')`

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
  if (why === 'erasure') {
    // Also what all users of an agent share, if a run of this user has written it.
    await sql.query('DELETE FROM waybill.items WHERE org = $1 AND run_id = ANY($2)', [org, stored])
    await sql.query(
      `UPDATE waybill.firings AS f SET slot = ${ERASED_SLOT} FROM waybill.triggers AS t
       WHERE f.org = $1 AND f.run_id = ANY($2) AND ${NAMED_BY_SENDER}`,
      [org, stored],
    )
  }
  const names = sessions.map(({ session }) => session)
  await sql.query('DELETE FROM waybill.conversations WHERE org = $1 AND session = ANY($2)', [org, names])
  await sql.query(
    'DELETE FROM waybill.idempotency WHERE org = $1 AND (resource = ANY($2) OR mentions && $3)',
    [org, [...stored, ...names.map(originalText)], [...stored, ...names]],
  )
  // What a peer has answered; the rows say who owns the run.
  await sql.query('UPDATE waybill.moves SET why = NULL WHERE org = $1 AND run_id = ANY($2)', [org, stored])
  await sql.query('SELECT waybill.forget_legs($1, $2)', [org, stored])
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
