import type pg from 'pg'
import { QUEUE_SCHEMA } from '../database/migrate.ts'
import { retire } from './retention.ts'

/** How many rows one query handles, so that no transaction is long. */
const BATCH = 500

/** How long a leg may take from the queue to the lease of its run, in milliseconds. */
const HANDED_OUT_MS = 5000

const LIVE = 'SELECT w.worker FROM waybill.workers AS w WHERE w.until > clock_timestamp()'

/** Queues the next leg of runs whose time has come. @returns how many */
export async function wakeDue(engine: pg.Pool): Promise<number> {
  // The time is computed once, as an integer: compared as it is, every parked run would be read to find the due ones.
  const { rowCount } = await engine.query({
    name: 'wake-due',
    text: `SELECT waybill.enqueue_leg(due.org, due.run_id) FROM (
        SELECT org, run_id FROM waybill.progress
        WHERE phase = 'parked' AND due_at <= (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
        ORDER BY due_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) AS due`,
  })
  return rowCount ?? 0
}

/**
 * Queues the next leg of runs whose worker has died. The list is a hint only: the next worker owns a run when its
 * compare-and-swap on the epoch succeeds. @returns how many
 */
export async function recoverRuns(engine: pg.Pool): Promise<number> {
  const { rowCount } = await engine.query({
    name: 'recover-runs',
    text: `SELECT waybill.enqueue_leg(lost.org, lost.run_id) FROM (
        SELECT p.org, p.run_id FROM waybill.progress AS p
        WHERE p.phase = 'queued' AND p.holder IS NOT NULL AND p.holder NOT IN (${LIVE})
        LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) AS lost`,
  })
  return rowCount ?? 0
}

/**
 * Queues legs again that a dead process had received and not begun, and takes all its legs out of the queue.
 * @returns how many
 */
export async function recoverLegs(engine: pg.Pool): Promise<number> {
  const { rowCount } = await engine.query({
    name: 'recover-legs',
    text: `WITH dead AS (
        UPDATE ${QUEUE_SCHEMA}.workflow_status SET status = 'CANCELLED', queue_name = NULL,
          completed_at = extract(epoch FROM clock_timestamp()) * 1000
        WHERE workflow_uuid IN (
          SELECT s.workflow_uuid FROM ${QUEUE_SCHEMA}.workflow_status AS s
          WHERE s.status = 'PENDING' AND s.queue_name IS NOT NULL AND NOT EXISTS (
            SELECT 1 FROM waybill.workers AS w
            WHERE w.until > clock_timestamp() AND w.about->>'executor' = s.executor_id)
          LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
        RETURNING regexp_match(workflow_uuid, '^([^/]+)/(.+)#([0-9]+)$') AS leg)
      SELECT waybill.enqueue_leg(p.org, p.run_id) FROM dead JOIN waybill.progress AS p
        ON p.org = dead.leg[1] AND p.run_id = dead.leg[2] AND p.leg = dead.leg[3]::int
      WHERE p.phase = 'queued' AND p.holder IS NULL`,
  })
  return rowCount ?? 0
}

/**
 * Queues legs again that the queue does not have, although no worker has opened their runs: the connection was lost when
 * a leg was handed out, or its worker gave the run back without parking it. A leg that begins after all finds that it is
 * not current any more. @returns how many
 */
export async function recoverLost(engine: pg.Pool): Promise<number> {
  const { rowCount } = await engine.query({
    name: 'recover-lost',
    text: `SELECT waybill.enqueue_leg(lost.org, lost.run_id) FROM (
        SELECT p.org, p.run_id FROM waybill.progress AS p
        WHERE p.phase = 'queued' AND p.holder IS NULL AND p.leg > 0 AND NOT EXISTS (
          SELECT 1 FROM ${QUEUE_SCHEMA}.workflow_status AS s
          WHERE s.workflow_uuid = p.org || '/' || p.run_id || '#' || p.leg AND (
            s.status IN ('ENQUEUED', 'DELAYED') OR (s.status = 'PENDING'
            AND s.started_at_epoch_ms > extract(epoch FROM clock_timestamp()) * 1000 - ${HANDED_OUT_MS})))
        LIMIT ${BATCH} FOR UPDATE OF p SKIP LOCKED) AS lost`,
  })
  return rowCount ?? 0
}

/** Releases the slots of runs that are over or set aside, and queues the runs that get them. */
export async function releaseLeftSlots(engine: pg.Pool): Promise<void> {
  await engine.query({ name: 'release-left-slots', text: 'SELECT waybill.release_left_slots()' })
}

/**
 * Advances the virtual time to the tag of the next leg, so that an organisation that has queued nothing for a while gets
 * no credit for it. Without queued legs it begins at 0 again, so that tags stay small.
 */
export async function advanceVirtualTime(engine: pg.Pool): Promise<void> {
  const { rows } = await engine.query<{ next: number | null }>({
    name: 'next-tag',
    text: `SELECT min(s.priority) AS next FROM waybill.queues AS q CROSS JOIN LATERAL (
        SELECT priority FROM ${QUEUE_SCHEMA}.workflow_status
        WHERE queue_name = q.queue AND status = 'ENQUEUED' ORDER BY priority LIMIT 1) AS s`,
  })
  const next = rows[0]?.next ?? null
  if (next === null) {
    await engine.query(`WITH idle AS (DELETE FROM waybill.flows)
      UPDATE waybill.virtual_time SET now = 0 WHERE now <> 0`)
    return
  }
  await engine.query('UPDATE waybill.virtual_time SET now = $1 WHERE now < $1', [next])
}

/** Returns the names of the queues that runs have named. */
export async function queueNames(engine: pg.Pool): Promise<readonly string[]> {
  const { rows } = await engine.query<{ queue: string }>('SELECT queue FROM waybill.queues')
  return rows.map(({ queue }) => queue)
}

/** Removes what is no longer needed, and refreshes the statistics of the planner. */
export async function sweep(engine: pg.Pool): Promise<void> {
  await retire(engine)
  await engine.query('SELECT waybill.refresh_statistics()')
}
