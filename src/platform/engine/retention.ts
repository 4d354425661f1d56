import type pg from 'pg'
import { QUEUE_SCHEMA } from '../database/migrate.ts'
import { SWEPT_ROWS } from '../database/tables.ts'
import { inOrganisation } from '../database/tenant.ts'

/** How long the queue keeps the legs that are done, in milliseconds. */
const LEGS_KEPT_MS = 60_000

/** Plans that one transaction removes. */
const PLANS = 500

/**
 * Removes what is no longer needed, at most {@link SWEPT_ROWS} rows of each kind (docs/guides/platform.md names the times),
 * and refreshes the statistics of the planner.
 * @param sweeps the statements of all tables
 */
export async function retire(engine: pg.Pool, sweeps: readonly string[]): Promise<void> {
  await retireLegs(engine)
  for (const statement of sweeps) await engine.query(statement)
  await retirePlans(engine)
  await engine.query('SELECT waybill.refresh_statistics()')
}

/**
 * Removes legs that are done, and what the queue has stored of them in other tables. Which tables these are is read from
 * the catalogue: the queue's own package may add one. What a process stores after its leg was removed goes with the next.
 */
async function retireLegs(engine: pg.Pool): Promise<void> {
  const { rows } = await engine.query<{ name: string }>({
    name: 'tables-of-legs',
    text: `SELECT quote_ident(c.relname) AS name FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
      WHERE c.relnamespace = '${QUEUE_SCHEMA}'::regnamespace AND c.relkind = 'r' AND c.relname <> 'workflow_status'
        AND a.attname = 'workflow_uuid' ORDER BY 1`,
  })
  const parts = rows.map(({ name }) => `${QUEUE_SCHEMA}.${name}`)
  const also = parts.map(
    (part, n) =>
      `, part${n} AS (DELETE FROM ${part} AS t USING gone WHERE t.workflow_uuid = gone.workflow_uuid)`,
  )
  await engine.query(
    `WITH gone AS (
       DELETE FROM ${QUEUE_SCHEMA}.workflow_status WHERE workflow_uuid IN (
         SELECT workflow_uuid FROM ${QUEUE_SCHEMA}.workflow_status
         WHERE completed_at IS NOT NULL AND completed_at < $1 ORDER BY completed_at LIMIT ${SWEPT_ROWS})
       RETURNING workflow_uuid)${also.join('')}
     SELECT count(*) FROM gone`,
    [Date.now() - LEGS_KEPT_MS],
  )
  for (const part of parts)
    await engine.query(
      `DELETE FROM ${part} WHERE ctid = ANY (ARRAY(
         SELECT t.ctid FROM ${part} AS t LEFT JOIN ${QUEUE_SCHEMA}.workflow_status AS s USING (workflow_uuid)
         WHERE s.workflow_uuid IS NULL LIMIT ${SWEPT_ROWS}))`,
    )
}

/** Plans that no run names. */
const UNUSED = `SELECT p.org, p.hash FROM waybill.plans AS p
  WHERE p.created_at < clock_timestamp() - interval '24 hours'
    AND NOT EXISTS (SELECT 1 FROM waybill.runs AS r WHERE r.org = p.org AND r.plans @> ARRAY[p.hash])`

/**
 * Removes plans that no run names. A run that is stored at the same time may find its plan stored already, so the table
 * is locked against it, for at most half a second and only if there is something to remove.
 */
async function retirePlans(engine: pg.Pool): Promise<void> {
  const { rows } = await engine.query<{ org: string; hash: string }>(`${UNUSED} LIMIT ${PLANS}`)
  const [first] = rows
  if (first === undefined) return
  await inOrganisation(engine, first.org, async (sql) => {
    await sql.query(`SET LOCAL lock_timeout = '500ms'; LOCK TABLE waybill.plans IN SHARE ROW EXCLUSIVE MODE`)
    await sql.query(
      `DELETE FROM waybill.plans AS d USING (
         ${UNUSED} AND (p.org, p.hash) IN (SELECT * FROM unnest($1::text[], $2::text[]))) AS gone
       WHERE d.org = gone.org AND d.hash = gone.hash`,
      [rows.map(({ org }) => org), rows.map(({ hash }) => hash)],
    )
  }).catch((error: unknown) => {
    // Runs are being stored; the next tick tries again.
    if ((error as { readonly code?: string }).code !== LOCK_NOT_AVAILABLE) throw error
  })
}

const LOCK_NOT_AVAILABLE = '55P03'
