import type { RunEvent } from '../../run/event.ts'
import { encodeEvent } from '../../run/record/event-line.ts'
import {
  recordNewer,
  rootMissing,
  runImported,
  runLocked,
  runTakenOver,
} from '../../run/record/record-errors.ts'
import { RECORD_VERSION, unknownIn } from '../../run/record/record-version.ts'
import type { AppendOptions, CopiedRecord, OpenRun, StoredRun } from '../../run/record/records.ts'
import { hasOnceInFlight, seqBefore, summaryOf } from '../../run/record/run-summary.ts'
import { originalText, storedText } from '../database/stored-text.ts'
import type { Sql } from '../database/tenant.ts'
import { readRun, runRow } from './read-run.ts'
import { assertWhole, newerRun } from './run-row.ts'
import type { StoreParts } from './store-parts.ts'

/** A lease: an append requires that it is unchanged. */
interface Lease {
  /** Of this run: another run may have the same run id after this one was removed. */
  readonly id: number
  readonly run_id: string
  readonly root: string
  readonly epoch: number
}

/** A run that a worker has opened for one leg. */
export interface OpenLeg extends OpenRun {
  readonly leg: number
  /** How many workers in a row have died while they held this run and it made no progress. */
  readonly deaths: number
  /** How often something arrived for the run before it was opened. */
  readonly wakes: number
  /** The stop that covered the run when it was opened. */
  readonly stop: string | null
}

interface TakenRow {
  readonly id: number
  readonly epoch: number
  readonly root: string | null
  readonly leg: number
  readonly deaths: number
  readonly wakes: number
  readonly stop: string | null
  readonly copied: { readonly generation: number; readonly announced: boolean } | null
}

/** A run that has stored events for so long after it was taken did not kill its worker, in milliseconds. */
const PROGRESS_MS = 60_000

/** When a run or one of its sub-agents last stored events. A run stores none while a sub-agent of it is driven. */
const FAMILY_AT = `greatest(p.updated_at, (
      SELECT max(c.updated_at) FROM waybill.runs AS s JOIN waybill.progress AS c USING (org, run_id)
      WHERE s.org = $1 AND s.root = $2))`

/**
 * One compare-and-swap: of several workers, one gets the next epoch. A holder that is not live counts as dead, because one
 * that ends releases its leases, and one that was only cut off reports when it returns. If the run made progress before,
 * the list of deaths begins again, because these were not in a row. Both times are of the worker that died, and the
 * clock of an earlier worker may have been ahead.
 */
const TAKE = `
  UPDATE waybill.progress AS p
  SET epoch = p.epoch + 1, holder = $3, opened = p.leg, taken_at = greatest($6::bigint, p.updated_at),
    died = CASE WHEN p.holder IS NULL THEN p.died
      WHEN ${FAMILY_AT} - p.taken_at >= ${PROGRESS_MS} THEN '{}' ELSE p.died || p.holder END
  FROM waybill.runs AS r
  WHERE p.org = $1 AND p.run_id = $2 AND r.org = $1 AND r.run_id = $2 AND NOT r.imported AND r.v <= $4
    AND ($5::int IS NULL OR (p.phase = 'queued' AND p.leg = $5))
    AND (r.root IS NULL OR EXISTS (SELECT 1 FROM waybill.runs AS o WHERE o.org = $1 AND o.run_id = r.root))
    AND (p.holder IS NULL OR NOT waybill.is_live(p.holder)) AND waybill.is_current()
  RETURNING p.id, p.epoch, r.root, p.leg, cardinality(p.died) AS deaths, p.wakes, waybill.stop_of($1, $2) AS stop,
    (SELECT json_build_object('generation', c.generation, 'announced', c.announced) FROM waybill.copied_runs AS c
      WHERE c.org = $1 AND c.run_id = $2) AS copied`

/** Attempts to take a lease that is free each time it is looked at. */
const TRIES = 5

/** The leases of one worker on the runs of one organisation. */
export class Leases {
  readonly #parts: StoreParts
  readonly #held = new Map<string, Lease>()

  constructor(parts: StoreParts) {
    this.#parts = parts
  }

  /** @throws RUN_NOT_FOUND, RUN_LOCKED, RUN_IMPORTED, RECORD_NEWER, RECORD_DAMAGED */
  async open(runId: string): Promise<OpenRun> {
    const opened = await this.#open(runId, null)
    // Without a leg, a run is opened or refused.
    if (opened === null) throw runLocked(runId)
    return opened
  }

  openLeg(runId: string, leg: number): Promise<OpenLeg | null> {
    return this.#open(runId, leg)
  }

  async park(
    { header: { run_id }, epoch, wakes: opened }: OpenLeg,
    { dueAt, phase, wakes = opened }: { dueAt?: number; phase: 'parked' | 'slot' | 'over'; wakes?: number },
    also: (sql: Sql) => Promise<void> = async () => {},
  ): Promise<boolean> {
    const { store } = this.#parts
    const worker = store.assertWorker()
    const parked = await store.write(async (sql) => {
      const { rowCount } = await sql.query(
        `UPDATE waybill.progress SET phase = $6, due_at = $7, holder = NULL, died = '{}', failures = 0, why = NULL
         WHERE org = $1 AND run_id = $2 AND epoch = $3 AND holder = $4 AND wakes = $5 AND ($6 <> 'parked' OR phase <> 'over')`,
        [store.org, storedText(run_id), epoch, worker, wakes, phase, dueAt ?? null],
      )
      if (rowCount === 1) {
        await also(sql)
        return true
      }
      const { rows } = await sql.query<{ epoch: number; holder: string | null }>(
        'SELECT epoch, holder FROM waybill.progress WHERE org = $1 AND run_id = $2',
        [store.org, storedText(run_id)],
      )
      if (rows[0]?.epoch !== epoch || rows[0].holder !== worker) throw runTakenOver(run_id)
      return false
    })
    if (parked) this.#forget({ run_id, epoch })
    return parked
  }

  setAside(runId: string, why: string): Promise<boolean> {
    const { store } = this.#parts
    return store.write(async (sql) => {
      const { rowCount } = await sql.query(
        `UPDATE waybill.progress SET phase = 'set_aside', why = $3, holder = NULL, due_at = NULL
         WHERE org = $1 AND run_id = $2 AND phase <> 'over'
           AND (holder IS NULL OR holder = $4 OR NOT waybill.is_live(holder))`,
        [store.org, storedText(runId), storedText(why), store.worker],
      )
      return rowCount === 1
    })
  }

  /** Returns a run whose lease was taken. A request holds none, and its appends are refused. */
  opened(lease: Lease, stored: StoredRun): OpenRun {
    if (this.#parts.store.worker !== null) this.#held.set(keyOf(lease), lease)
    let closed: Promise<void> | undefined
    return {
      ...stored,
      epoch: lease.epoch,
      append: (events, options) => this.#append(lease, events, options),
      close: () => {
        closed ??= this.#release([lease])
        return closed
      },
    }
  }

  releaseAll(): Promise<void> {
    return this.#release([...this.#held.values()])
  }

  async #open(runId: string, leg: number | null): Promise<OpenLeg | null> {
    const taken = await this.#take(runId, leg)
    if (taken === null) return null
    const { id, root, epoch, copied, ...counts } = taken
    const lease = { id, run_id: runId, root: root === null ? runId : originalText(root), epoch }
    this.#held.set(keyOf(lease), lease)
    try {
      const { events, ...stored } = await this.#parts.store.read((sql) =>
        readRun(sql, this.#parts.store.org, runId),
      )
      for (const event of events) {
        const unknown = unknownIn(event)
        if (unknown !== undefined) throw recordNewer(runId, unknown)
      }
      return {
        ...this.opened(lease, stored),
        ...counts,
        ...(copied !== null && { copied: copiedRecord(copied) }),
      }
    } catch (error) {
      // The first error is the reason why the run cannot be opened.
      await this.#release([lease]).catch(() => {})
      throw error
    }
  }

  /** @returns null if the leg is not current */
  async #take(runId: string, leg: number | null): Promise<TakenRow | null> {
    const { store } = this.#parts
    const worker = store.assertWorker()
    for (let tries = 0; tries < TRIES; tries++) {
      // Durable: if a crash of the database lost it, two workers would have the same epoch.
      const row = await store.write(async (sql) => {
        const { rows } = await sql.query<TakenRow>(TAKE, [
          store.org,
          storedText(runId),
          worker,
          RECORD_VERSION,
          leg,
          Date.now(),
        ])
        return rows[0]
      })
      if (row !== undefined) return row
      if ((await this.#refusal(runId, leg)) === 'stale') return null
    }
    throw runLocked(runId)
  }

  /**
   * Finds out why a lease could not be taken.
   * @returns 'free' if it can be taken now
   * @throws the reason
   */
  async #refusal(runId: string, leg: number | null): Promise<'stale' | 'free'> {
    const { store } = this.#parts
    if (leg !== null && !(await this.#isCurrent(runId, leg))) return 'stale'
    return store.read(async (sql) => {
      const row = await runRow(sql, store.org, runId)
      assertWhole(row)
      if (row.imported) throw runImported(runId)
      if (row.v > RECORD_VERSION) throw newerRun(row)
      if (row.live) throw runLocked(runId)
      if (row.root !== null) {
        const { rowCount } = await sql.query('SELECT 1 FROM waybill.runs WHERE org = $1 AND run_id = $2', [
          store.org,
          row.root,
        ])
        if (rowCount === 0) throw rootMissing(runId, originalText(row.root))
      }
      return 'free' as const
    })
  }

  #isCurrent(runId: string, leg: number): Promise<boolean> {
    const { store } = this.#parts
    return store.read(async (sql) => {
      const { rowCount } = await sql.query(
        `SELECT 1 FROM waybill.progress WHERE org = $1 AND run_id = $2 AND leg = $3 AND phase = 'queued'`,
        [store.org, storedText(runId), leg],
      )
      return rowCount === 1
    })
  }

  async #append(
    lease: Lease,
    events: readonly RunEvent[],
    { durable, state, audit = [], sealed = [] }: AppendOptions,
  ): Promise<void> {
    const { store, group, nextEntry, stampSent } = this.#parts
    store.assertWorker()
    const summary = summaryOf(state)
    // Clients act on what a run has ended with, or waits for. Its sub-agents' events are flushed with it.
    const settles = summary.status !== 'running' && lease.root === lease.run_id
    await group?.append({
      ...lease,
      org: store.org,
      before: seqBefore(events, state),
      lines: events.map(encodeEvent),
      sealed,
      summary,
      durable: durable || settles || audit.length > 0,
      audit,
      nextEntry,
    })
    if (durable && hasOnceInFlight(state)) await stampSent?.()
    if (events.some(({ fact }) => fact.type === 'record.copied'))
      await store.write((sql) =>
        sql.query('DELETE FROM waybill.copied_runs WHERE org = $1 AND run_id = $2', [
          store.org,
          storedText(lease.run_id),
        ]),
      )
  }

  async #release(leases: readonly Lease[]): Promise<void> {
    const { store } = this.#parts
    const held = leases.filter((lease) => this.#held.has(keyOf(lease)))
    if (held.length === 0) return
    await store.writeAgain({
      name: 'release-leases',
      text: `UPDATE waybill.progress AS p SET holder = NULL
        FROM unnest($3::text[], $4::int[]) AS l(run_id, epoch)
        WHERE p.org = $1 AND p.run_id = l.run_id AND p.epoch = l.epoch AND p.holder = $2`,
      values: [
        store.org,
        store.worker,
        held.map(({ run_id }) => storedText(run_id)),
        held.map(({ epoch }) => epoch),
      ],
    })
    for (const lease of held) this.#forget(lease)
  }

  #forget(lease: Pick<Lease, 'run_id' | 'epoch'>): void {
    this.#held.delete(keyOf(lease))
  }
}

function copiedRecord({ generation, announced }: NonNullable<TakenRow['copied']>): CopiedRecord {
  return { generation, ...(announced && { announced }) }
}

function keyOf({ run_id, epoch }: Pick<Lease, 'run_id' | 'epoch'>): string {
  return `${epoch} ${run_id}`
}
