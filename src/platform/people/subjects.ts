import { WaybillError } from '../../document/issue.ts'
import { originalText, storedText } from '../database/stored-text.ts'
import type { Sql } from '../database/tenant.ts'

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

/**
 * Refuses new data of a user that is being erased, in the transaction that stores it: the erasure waits for all
 * transactions that began before it. Call it after the first write of the transaction.
 * @throws USER_BEING_ERASED
 */
export async function assertNotErasing(
  sql: Sql,
  org: string,
  user: string | null | undefined,
): Promise<void> {
  if (user === undefined || user === null) return
  const { rowCount } = await sql.query(
    'SELECT 1 FROM waybill.erasures WHERE org = $1 AND user_id = $2 AND removed_at IS NULL',
    [org, storedText(user)],
  )
  if (rowCount === 0) return
  throw new WaybillError('USER_BEING_ERASED', {
    fault: 'refused',
    message: 'the data of this user is being erased',
    hint: 'wait until GET /v1/erasures no longer shows the erasure as pending, usually some seconds',
  })
}
