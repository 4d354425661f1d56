import type pg from 'pg'
import { QUEUE_SCHEMA } from '../database/migrate.ts'
import type { Sql } from '../database/tenant.ts'
import type { Leg } from './leg-queue.ts'
import type { Work } from './work.ts'

/** How many rows one query handles, so that no transaction is long. */
const BATCH = 500

/** How long a leg may take from the queue to the code that performs it, in milliseconds. */
const HANDED_OUT_MS = 5000

const LIVE = 'SELECT w.worker FROM waybill.workers AS w WHERE w.until > clock_timestamp()'

/** Computed once, as an integer: compared as it is, every parked run would be read to find the due ones. */
const NOW_MS = '(SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint)'

/** Runs that are over, and whose next message waits for its turn. From the messages, of which few wait. */
const LEFT = `waybill.messages AS m JOIN waybill.conversations AS c ON c.org = m.org AND c.session = m.session
            JOIN waybill.progress AS p ON p.org = c.org AND p.run_id = c.run_id
          WHERE m.state = 'queued' AND p.phase = 'over' AND (p.status <> 'refused' OR EXISTS (
            SELECT FROM waybill.events AS e WHERE e.org = p.org AND e.run_id = p.run_id AND e.seq > p.seq - 4
              AND e.line LIKE '%"code":"PII_REJECTED"%'))`

/** Of a leg `s`: the process that has received it has no lease. */
const WITHOUT_WORKER = `NOT EXISTS (
            SELECT 1 FROM waybill.workers AS w
            WHERE w.until > clock_timestamp() AND w.about->>'executor' = s.executor_id)`

/** What the tables ask of the reconciler. */
export interface Due {
  /** Runs whose time has come. */
  readonly runs: boolean
  /** Runs whose worker has died. */
  readonly lost: boolean
  /** Legs that a process has received and that has no lease any more. */
  readonly legs: boolean
  /** Legs in the queue. */
  readonly queued: boolean
  /** Runs that wait for a worker: their legs are in the queue, or were lost. */
  readonly unheld: boolean
  /** Runs that are over although messages wait for them. */
  readonly messages: boolean
  /** Slots that are taken or waited for. */
  readonly slots: boolean
  /** The names of the works that have something to do. */
  readonly works: readonly string[]
  /** The database was put back, or its server was promoted. */
  readonly copied: boolean
  /** The virtual time is not at its beginning. */
  readonly advanced: boolean
  /** The names of the queues that runs have named. */
  readonly queues: readonly string[]
}

/**
 * Finds out what there is to do, in one statement: an installation in which all runs wait asks nothing else.
 * @param works the same ones with each call, because the statement is prepared
 */
export async function lookForWork(
  engine: pg.Pool,
  works: readonly Pick<Work, 'name' | 'due'>[] = [],
): Promise<Due> {
  const { rows } = await engine.query<Due>({
    name: 'look-for-work',
    text: `SELECT
        -- Not EXISTS, for which the planner expects a third of all parked runs to be due, and reads them.
        coalesce((SELECT due_at FROM waybill.progress WHERE phase = 'parked' AND due_at IS NOT NULL
          ORDER BY due_at LIMIT 1) <= ${NOW_MS}, false) AS runs,
        EXISTS (SELECT 1 FROM waybill.progress AS p
          WHERE p.phase = 'queued' AND p.holder IS NOT NULL AND p.holder NOT IN (${LIVE})) AS lost,
        EXISTS (SELECT 1 FROM ${QUEUE_SCHEMA}.workflow_status AS s
          WHERE s.status = 'PENDING' AND s.queue_name IS NOT NULL AND ${WITHOUT_WORKER}) AS legs,
        EXISTS (SELECT 1 FROM waybill.queues AS q WHERE EXISTS (
          SELECT 1 FROM ${QUEUE_SCHEMA}.workflow_status WHERE queue_name = q.queue AND status = 'ENQUEUED')) AS queued,
        EXISTS (SELECT 1 FROM waybill.progress WHERE phase = 'queued' AND holder IS NULL AND leg > 0) AS unheld,
        EXISTS (SELECT 1 FROM ${LEFT}) AS messages,
        EXISTS (SELECT 1 FROM waybill.slots) AS slots,
        ${dueWorks(works)} AS works,
        NOT waybill.is_current() AS copied,
        EXISTS (SELECT 1 FROM waybill.virtual_time WHERE now <> 0)
          OR EXISTS (SELECT 1 FROM waybill.flows) AS advanced,
        ARRAY(SELECT queue FROM waybill.queues) AS queues`,
  })
  const [due] = rows
  if (due === undefined) throw new TypeError('a statement without a table returns one row')
  return due
}

function dueWorks(works: readonly Pick<Work, 'name' | 'due'>[]): string {
  const named = works.map(({ name, due }) => `CASE WHEN ${due} THEN '${name}' END`)
  return `array_remove(ARRAY[${named.join(', ')}]::text[], NULL)`
}

/** Queues the next leg of runs whose time has come. @returns how many */
export async function wakeDue(engine: pg.Pool): Promise<number> {
  const { rowCount } = await engine.query({
    name: 'wake-due',
    text: `SELECT waybill.enqueue_leg(due.org, due.run_id) FROM (
        SELECT org, run_id FROM waybill.progress
        WHERE phase = 'parked' AND due_at <= ${NOW_MS}
        ORDER BY due_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) AS due`,
  })
  return rowCount ?? 0
}

/**
 * Queues the next leg of runs whose worker has died, unless it is in the queue already: while all places are taken, this
 * is asked again and again. The list is a hint only: the next worker owns a run when its compare-and-swap on the epoch
 * succeeds. @returns how many
 */
export async function recoverRuns(engine: pg.Pool): Promise<number> {
  const { rowCount } = await engine.query({
    name: 'recover-runs',
    text: `SELECT waybill.enqueue_leg(lost.org, lost.run_id) FROM (
        SELECT p.org, p.run_id FROM waybill.progress AS p
        WHERE p.phase = 'queued' AND p.holder IS NOT NULL AND p.holder NOT IN (${LIVE}) AND NOT waybill.has_leg(p)
        LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) AS lost`,
  })
  return rowCount ?? 0
}

/**
 * Notes that a worker whose lease had lapsed has survived: the runs that it still holds continue, and those that were
 * taken from it do not count its death. May be noted twice at once: each run is queued once.
 */
export async function workerReturned(engine: Sql, holder: string): Promise<void> {
  await engine.query(
    `WITH given AS (UPDATE waybill.progress SET holder = NULL WHERE holder = $1 RETURNING org, run_id, phase)
     SELECT waybill.enqueue_leg(org, run_id) FROM given WHERE phase = 'queued'`,
    [holder],
  )
  await engine.query(
    `UPDATE waybill.progress SET died = array_remove(died, $1) WHERE died <> '{}' AND $1 = ANY (died)`,
    [holder],
  )
}

/**
 * Releases leases that a worker could not release when their legs ended, because the database was away or full. Such a
 * run looks as if the worker drove it. @param isDriven asked after the leases are read
 */
export async function releaseUndriven(
  engine: pg.Pool,
  holder: string,
  isDriven: (org: string, rootId: string) => boolean,
): Promise<void> {
  const { rows } = await engine.query<{ org: string; run_id: string; epoch: number; root: string }>({
    name: 'held-runs',
    text: `SELECT p.org, p.run_id, p.epoch, coalesce(r.root, r.run_id) AS root
      FROM waybill.progress AS p JOIN waybill.runs AS r USING (org, run_id) WHERE p.holder = $1`,
    values: [holder],
  })
  // A leg that began after the query is not among these rows, or has another epoch.
  for (const { org, run_id, epoch, root } of rows)
    if (!isDriven(org, root))
      await engine.query(
        'UPDATE waybill.progress SET holder = NULL WHERE org = $1 AND run_id = $2 AND epoch = $3 AND holder = $4',
        [org, run_id, epoch, holder],
      )
}

/** Releases runs that have ended, whose workers died between the end and the release. */
export async function releaseEnded(engine: pg.Pool): Promise<void> {
  await engine.query({
    name: 'release-ended',
    text: `UPDATE waybill.progress SET holder = NULL
      WHERE phase = 'over' AND holder IS NOT NULL AND holder NOT IN (${LIVE})`,
  })
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
          WHERE s.status = 'PENDING' AND s.queue_name IS NOT NULL AND ${WITHOUT_WORKER}
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
        WHERE p.phase = 'queued' AND p.holder IS NULL AND p.leg > 0 AND NOT waybill.has_leg(p)
        LIMIT ${BATCH} FOR UPDATE OF p SKIP LOCKED) AS lost`,
  })
  return rowCount ?? 0
}

/**
 * Queues legs again that were handed out to a live process and have not reached it, because the connection was lost. Only
 * that process can know: for all others a leg that it has received and not begun is in good hands.
 * @param executor names the process in the queue
 * @param performs asked after the legs are read
 * @returns how many
 */
export async function recoverUnreceived(
  engine: pg.Pool,
  executor: string,
  performs: (leg: Leg) => boolean,
): Promise<number> {
  const { rows } = await engine.query<{ workflow: string; org: string; run_id: string; n: number }>({
    name: 'received-legs',
    text: `SELECT s.workflow_uuid AS workflow, p.org, p.run_id, p.leg AS n FROM ${QUEUE_SCHEMA}.workflow_status AS s,
        regexp_match(s.workflow_uuid, '^([^/]+)/(.+)#([0-9]+)$') AS named
        JOIN waybill.progress AS p ON p.org = named[1] AND p.run_id = named[2] AND p.leg = named[3]::int
      WHERE s.status = 'PENDING' AND s.executor_id = $1 AND p.phase = 'queued' AND p.opened <> p.leg
        AND s.started_at_epoch_ms < extract(epoch FROM clock_timestamp()) * 1000 - ${HANDED_OUT_MS}
      LIMIT ${BATCH}`,
    values: [executor],
  })
  const lost = rows.filter((row) => !performs(row))
  for (const { workflow, org, run_id } of lost) {
    await engine.query(
      `UPDATE ${QUEUE_SCHEMA}.workflow_status SET status = 'CANCELLED', queue_name = NULL,
         completed_at = extract(epoch FROM clock_timestamp()) * 1000
       WHERE workflow_uuid = $1 AND status = 'PENDING' AND executor_id = $2`,
      [workflow, executor],
    )
    await engine.query('SELECT waybill.enqueue_leg($1, $2)', [org, run_id])
  }
  return lost.length
}

/**
 * Continues runs that are over although messages of their sessions wait: the leg that ended the turn failed before it
 * looked for the next message, or a message was stored while the end was. A run that was refused as a whole takes no
 * turns: its messages wait for the run that the next message begins. @returns how many
 */
export async function recoverMessages(engine: pg.Pool): Promise<number> {
  const { rowCount } = await engine.query({
    name: 'recover-messages',
    text: `WITH opened AS (
        UPDATE waybill.progress SET phase = 'parked', holder = NULL WHERE (org, run_id) IN (
          SELECT p.org, p.run_id FROM ${LEFT} AND (p.holder IS NULL OR p.holder NOT IN (${LIVE}))
          LIMIT ${BATCH} FOR UPDATE OF p SKIP LOCKED) AND phase = 'over'
        RETURNING org, run_id)
      SELECT waybill.enqueue_leg(org, run_id) FROM opened`,
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
