import type pg from 'pg'
import { QUEUE_SCHEMA } from '../database/migrate.ts'
import { inOrganisation } from '../database/tenant.ts'

/** After this time, what a stream has left is removed: no stream takes as long. */
export const LEFT_AFTER = '1 hour'

/** Rows that one statement removes, so that no transaction is long. */
const BATCH = 5000

/** How long the queue keeps the legs that are done, in milliseconds. */
const LEGS_KEPT_MS = 60_000

/** Plans that one transaction removes. */
const PLANS = 500

/**
 * Removes what is no longer needed, at most {@link BATCH} rows of each kind (docs/guides/platform.md names the times), and
 * refreshes the statistics of the planner.
 */
export async function retire(engine: pg.Pool): Promise<void> {
  await retireLegs(engine)
  for (const statement of RETIRED) await engine.query(statement)
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
         WHERE completed_at IS NOT NULL AND completed_at < $1 ORDER BY completed_at LIMIT ${BATCH})
       RETURNING workflow_uuid)${also.join('')}
     SELECT count(*) FROM gone`,
    [Date.now() - LEGS_KEPT_MS],
  )
  for (const part of parts)
    await engine.query(
      `DELETE FROM ${part} WHERE ctid = ANY (ARRAY(
         SELECT t.ctid FROM ${part} AS t LEFT JOIN ${QUEUE_SCHEMA}.workflow_status AS s USING (workflow_uuid)
         WHERE s.workflow_uuid IS NULL LIMIT ${BATCH}))`,
    )
}

const RETIRED = [
  // A worker died after it had recorded the end and before it removed them. They are of a turn that has ended.
  `DELETE FROM waybill.commands WHERE ctid = ANY (ARRAY(
     SELECT c.ctid FROM waybill.commands AS c LEFT JOIN waybill.progress AS p USING (org, run_id)
     WHERE c.at < clock_timestamp() - interval '1 minute'
       AND (p.run_id IS NULL OR p.phase IN ('over', 'moved') AND p.holder IS NULL) LIMIT ${BATCH}))`,
  `DELETE FROM waybill.workers WHERE worker IN (
     SELECT worker FROM waybill.workers WHERE until < clock_timestamp() - interval '1 hour' LIMIT ${BATCH})`,
  `DELETE FROM waybill.idempotency WHERE ctid = ANY (ARRAY(
     SELECT ctid FROM waybill.idempotency WHERE created_at < clock_timestamp() - interval '24 hours'
     ORDER BY created_at LIMIT ${BATCH}))`,
  // Their content is in the record of the run. The row only recognises a repeated request, as long as its key is kept.
  `DELETE FROM waybill.messages WHERE ctid = ANY (ARRAY(
     SELECT ctid FROM waybill.messages WHERE state = 'delivered' AND at < clock_timestamp() - interval '24 hours'
     ORDER BY at LIMIT ${BATCH}))`,
  `DELETE FROM waybill.deliveries WHERE ctid = ANY (ARRAY(
     SELECT ctid FROM waybill.deliveries WHERE created_at < clock_timestamp() - interval '30 days'
       AND (state <> 'pending' OR due_at IS NULL) ORDER BY created_at LIMIT ${BATCH}))`,
  `DELETE FROM waybill.mails WHERE ctid = ANY (ARRAY(
     SELECT ctid FROM waybill.mails WHERE state <> 'pending' AND created_at < clock_timestamp() - interval '30 days'
     LIMIT ${BATCH}))`,
  `DELETE FROM waybill.firings WHERE ctid = ANY (ARRAY(
     SELECT ctid FROM waybill.firings WHERE at < clock_timestamp() - interval '30 days' AND due_at IS NULL AND NOT active
     ORDER BY at LIMIT ${BATCH}))`,
  // Made by a run that named a URL, and no run that is not over names it.
  `DELETE FROM waybill.webhooks WHERE ctid = ANY (ARRAY(
     SELECT w.ctid FROM waybill.webhooks AS w
     WHERE w.from_run AND w.created_at < clock_timestamp() - interval '30 days'
       AND NOT EXISTS (SELECT FROM waybill.deliveries AS d WHERE d.org = w.org AND d.webhook = w.id)
       AND NOT EXISTS (SELECT FROM waybill.run_webhooks AS n JOIN waybill.progress AS p USING (org, run_id)
         WHERE n.org = w.org AND n.webhook = w.id AND p.phase NOT IN ('over', 'moved'))
     LIMIT ${BATCH}))`,
  // A period is a day or a month. The first condition uses the index, and is also true for the month in which the time began.
  `DELETE FROM waybill.spending WHERE ctid = ANY (ARRAY(
     SELECT s.ctid FROM waybill.spending AS s, to_char(now() AT TIME ZONE 'utc' - interval '400 days', 'YYYY-MM-DD') AS day
     WHERE s.period COLLATE "C" < day AND s.period COLLATE "C" < left(day, length(s.period))
     LIMIT ${BATCH}))`,
  `DELETE FROM waybill.browser_sessions WHERE ctid = ANY (ARRAY(
     SELECT ctid FROM waybill.browser_sessions WHERE ends_at < clock_timestamp() - interval '30 days' LIMIT ${BATCH}))`,
  `DELETE FROM waybill.arriving_events WHERE ctid = ANY (ARRAY(
     SELECT ctid FROM waybill.arriving_events WHERE at < clock_timestamp() - interval '${LEFT_AFTER}' LIMIT ${BATCH}))`,
  // A draft is kept as long as a run names it: the run is continued and repeated with it.
  `DELETE FROM waybill.agent_versions WHERE ctid = ANY (ARRAY(
     SELECT v.ctid FROM waybill.agent_versions AS v
     WHERE v.status = 'draft' AND v.created_at < clock_timestamp() - interval '24 hours'
       AND NOT EXISTS (SELECT FROM waybill.runs AS r WHERE r.org = v.org AND r.agent_id = v.agent_id AND r.version = v.version)
     LIMIT ${BATCH}))`,
  // A live worker removes its own texts.
  `DELETE FROM waybill.texts WHERE ctid = ANY (ARRAY(
     SELECT t.ctid FROM waybill.texts AS t
     LEFT JOIN waybill.progress AS p ON p.org = t.org AND p.run_id = t.run_id
     WHERE p.run_id IS NULL OR p.seq > t.seq AND (p.holder IS NULL OR NOT waybill.is_live(p.holder))
     LIMIT ${BATCH}))`,
]

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
