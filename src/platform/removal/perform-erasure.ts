import type pg from 'pg'
import { WaybillError } from '../../document/issue.ts'
import type { EntryMaker } from '../../trust/audit-chain.ts'
import { subjectOf } from '../backup/subject-keys.ts'
import { originalText } from '../database/stored-text.ts'
import { inOrganisation } from '../database/tenant.ts'
import { giveCommand } from '../engine/commands.ts'
import { appendAudit } from '../records/audit-chain-rows.ts'
import { ERASED_SLOT, NAMED_BY_SENDER, removeRootRun } from './remove-root-run.ts'

export interface RemovalParts {
  readonly engine: pg.Pool
  readonly nextEntry: EntryMaker
  /** The statements of all tables that remove the rows of a user which belong to no run; see `Tables`. */
  readonly erase: readonly string[]
  /** Removes the key file of a run's personal data. */
  readonly removeKey: (runId: string) => void
}

export interface PendingErasure {
  readonly org: string
  readonly id: string
  /** As stored. */
  readonly user_id: string
  readonly by: string
}

/** Runs that one step removes. */
const BATCH = 200

/** Runs that serve a user, and those that have data of the user from other runs. */
const RUNS_OF = `SELECT run_id FROM waybill.runs WHERE org = $1 AND user_id = $2 AND parent IS NULL
  UNION SELECT run_id FROM waybill.subjects WHERE org = $1 AND user_id = $2`

/** Returns the erasures that are not done. */
export async function pendingErasures(engine: pg.Pool): Promise<readonly PendingErasure[]> {
  const { rows } = await engine.query<PendingErasure>(
    'SELECT org, id, user_id, by FROM waybill.erasures WHERE removed_at IS NULL ORDER BY requested_at LIMIT 100',
  )
  return rows
}

/** Returns a number that all transactions after this moment exceed. */
export async function transactionsUntilNow(engine: pg.Pool): Promise<bigint> {
  const { rows } = await engine.query<{ at: string }>(
    'SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS at',
  )
  return BigInt(rows[0]?.at ?? 0)
}

/**
 * Removes runs of the user, and when none is left all other rows. Runs that a worker drives are cancelled first, so
 * several calls are necessary, with a pause after `waits`. Two workers may do this at once.
 * @param fence see {@link transactionsUntilNow}, taken after the request: an older transaction may store a run of the user
 * @returns `waits`: for runs that end, or for another transaction
 */
export async function performErasure(
  parts: RemovalParts,
  erasure: PendingErasure,
  fence: bigint,
): Promise<'more' | 'waits' | 'done'> {
  const { engine } = parts
  const { org, user_id } = erasure
  const { rows } = await engine.query<{ run_id: string }>(`${RUNS_OF} ORDER BY run_id LIMIT ${BATCH}`, [
    org,
    user_id,
  ])
  if (rows.length === 0) return (await removeRest(parts, erasure, fence)) ? 'done' : 'waits'
  let isRemoved = true
  for (const { run_id } of rows)
    isRemoved = (await removeOrCancel(parts, erasure, originalText(run_id))) && isRemoved
  return isRemoved ? 'more' : 'waits'
}

/** @returns false if a worker drives the run, which is cancelled */
async function removeOrCancel(
  { engine, nextEntry, removeKey }: RemovalParts,
  { org, id, by }: PendingErasure,
  runId: string,
): Promise<boolean> {
  try {
    const removed = await inOrganisation(engine, org, async (sql) => {
      const ids = await removeRootRun(sql, runId, { org, nextEntry, by, why: 'erasure' })
      await sql.query('UPDATE waybill.erasures SET runs = runs + $3 WHERE org = $1 AND id = $2', [
        org,
        id,
        ids.length,
      ])
      return ids
    })
    for (const run of removed) removeKey(run)
    return true
  } catch (error) {
    if (!(error instanceof WaybillError)) throw error
    // Another worker was faster.
    if (error.code === 'RUN_NOT_FOUND') return true
    if (error.code !== 'RUN_LOCKED') throw error
    await inOrganisation(engine, org, async (sql) => {
      const { rowCount } = await sql.query(
        `SELECT 1 FROM waybill.commands WHERE org = $1 AND run_id = $2 AND body->>'type' = 'cancel'`,
        [org, runId],
      )
      if (rowCount === 0) await giveCommand(sql, org, runId, { type: 'cancel' }, by)
    })
    return false
  }
}

async function removeRest(
  { engine, nextEntry, erase }: RemovalParts,
  { org, id, user_id, by }: PendingErasure,
  fence: bigint,
): Promise<boolean> {
  return inOrganisation(engine, org, async (sql) => {
    const pending = await sql.query<{ runs: number; is_past: boolean }>(
      `SELECT runs, pg_snapshot_xmin(pg_current_snapshot())::text::numeric >= $3::numeric AS is_past FROM waybill.erasures
       WHERE org = $1 AND id = $2 AND removed_at IS NULL FOR UPDATE SKIP LOCKED`,
      [org, id, fence.toString()],
    )
    const [row] = pending.rows
    if (row?.is_past !== true) return false
    const left = await sql.query(`${RUNS_OF} LIMIT 1`, [org, user_id])
    if (left.rowCount !== 0) return false
    const { rowCount: items } = await sql.query('DELETE FROM waybill.items WHERE org = $1 AND user_id = $2', [
      org,
      user_id,
    ])
    const asJson = JSON.stringify(originalText(user_id))
    for (const statement of erase)
      await sql.query(statement, statement.includes('$3') ? [org, user_id, asJson] : [org, user_id])
    const { rows: rules } = await sql.query<{ id: string }>(
      'DELETE FROM waybill.grants WHERE org = $1 AND user_id = $2 RETURNING id',
      [org, user_id],
    )
    const revoked = rules.map(({ id: grant }) => ({
      at: new Date().toISOString(),
      kind: 'grant.revoked',
      grant: originalText(grant),
      by,
    }))
    await appendAudit(sql, org, nextEntry, revoked)
    // Messages that started no run. A quote within a message is escaped, so only the sender matches.
    await sql.query(
      `UPDATE waybill.firings AS f SET payload = 'null', due_at = NULL, slot = ${ERASED_SLOT},
         state = CASE WHEN f.state IN ('pending', 'queued') THEN 'refused' ELSE f.state END
       FROM waybill.triggers AS t WHERE f.org = $1 AND ${NAMED_BY_SENDER} AND t.kind = 'message'
         AND (f.user_id = $3 OR strpos(f.payload, $2) > 0)`,
      [org, `"from":${JSON.stringify(originalText(user_id))}`, user_id],
    )
    await sql.query(
      `UPDATE waybill.erasures SET removed_at = clock_timestamp(), user_id = NULL, items = $3 WHERE org = $1 AND id = $2`,
      [org, id, items ?? 0],
    )
    const subject = subjectOf(org, user_id)
    const fact = { kind: 'user.erased', subject, runs: row.runs, items: items ?? 0, by }
    await appendAudit(sql, org, nextEntry, [{ at: new Date().toISOString(), ...fact }])
    return true
  })
}
