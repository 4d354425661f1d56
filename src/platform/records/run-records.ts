import type { RunEvent } from '../../run/event.ts'
import type { LeftDecision } from '../../run/record/left-decision.ts'
import { runExists, runNotFound, taken } from '../../run/record/record-errors.ts'
import type {
  CopiedRecord,
  Decided,
  ImportedRun,
  NewRun,
  OpenRun,
  Page,
  Question,
  RestoredRecord,
  RunRecords,
  StoredRun,
} from '../../run/record/records.ts'
import { rootRunId } from '../../run/record/run-header.ts'
import { assertInOrder, foldRun, summaryOf } from '../../run/record/run-summary.ts'
import type { AuditFact } from '../../trust/audit-chain.ts'
import { BEHIND } from '../database/flushed.ts'
import { originalText, storedText } from '../database/stored-text.ts'
import type { Sql } from '../database/tenant.ts'
import { appendAudit } from './audit-chain-rows.ts'
import { copiedRecord } from './copied-record.ts'
import { Leases, type OpenLeg } from './leases.ts'
import { findRuns, listRuns, type PlatformFilter, type PlatformPage } from './list-runs.ts'
import { assertHere } from './moved-runs.ts'
import {
  familyOfRoot,
  readDecisions,
  readEvents,
  readFrame,
  readRun,
  readSizedEvents,
  runRow,
} from './read-run.ts'
import { removeRun } from './remove-run.ts'
import { assertWhole, listedRow, type PlatformRecord } from './run-row.ts'
import type { Store } from './store.ts'
import type { StoreParts } from './store-parts.ts'
import { insertEvents, insertRun, type RunPlace } from './write-run.ts'

/** Events of the first part of a record, at most of a later one, and about the characters of a part. */
const FIRST_PART = 16
const MOST_IN_PART = 1000
const PART_CHARACTERS = 256 * 1024

/** When and where a run is driven. */
export interface Schedule {
  readonly queue?: string
  /** From -2 to 2. */
  readonly priority?: number
  /** Not before this moment: milliseconds since the epoch. */
  readonly dueAt?: number
  /** The version of its agent. */
  readonly version?: string
  /** The conversation that it belongs to. */
  readonly session?: string
}

interface RestoreOptions {
  readonly version?: string
  /** Further statements of the same transaction. */
  readonly also?: (sql: Sql) => Promise<void>
  /** The same, after the audit entries: what may start the run. */
  readonly last?: (sql: Sql) => Promise<void>
}

/** The runs of one organisation. Only a worker can open and append; see {@link OpenLeg} for its legs. */
export class PostgresRuns implements RunRecords {
  readonly #parts: StoreParts
  readonly #leases: Leases

  constructor(parts: StoreParts) {
    this.#parts = parts
    this.#leases = new Leases(parts)
  }

  /** Stores a run; opened by a worker, it can be driven at once. A request stores it without lease. */
  async create(run: NewRun, { durable = false }: { readonly durable?: boolean } = {}): Promise<OpenRun> {
    const { header, plan, first } = run
    const { store } = this.#parts
    const state = foldRun(header, [])
    const place = { ...this.#place(run), holder: store.worker, epoch: 1 }
    const stored = await store.write(
      async (sql) => {
        const root = header.parent?.root_run_id
        const shared = run.family.length > 0 || root === undefined
        // Read first: if the family is unreadable, the run must not be stored.
        const family = shared ? run.family : await familyOfRoot(sql, store.org, root)
        const id = await insertRun(sql, run, place)
        if (id === undefined) throw runExists(header.run_id)
        return { id, family }
      },
      { durable },
    )
    const { id, family } = stored
    const lease = { id, run_id: header.run_id, root: rootRunId(header), epoch: 1 }
    return this.#leases.opened(lease, { header, plan, family, first, state, imported: false })
  }

  open(runId: string): Promise<OpenRun> {
    return this.#leases.open(runId)
  }

  /**
   * Opens a run for one leg, if this leg is its current one and is queued.
   * @returns null for a leg that is not current any more
   * @throws RUN_LOCKED while a live worker holds the lease; RECORD_DAMAGED; RECORD_NEWER
   */
  openLeg(runId: string, leg: number): Promise<OpenLeg | null> {
    return this.#leases.openLeg(runId, leg)
  }

  /** Returns how often something arrived for a run. Read it before what may have arrived. @throws RUN_NOT_FOUND */
  async wakes(runId: string): Promise<number> {
    const row = await this.#read((sql) => runRow(sql, this.#org, runId))
    return row.wakes
  }

  /**
   * Releases the lease of a run that waits, until it is woken or due, or of one that has ended (`over`).
   * @param options.dueAt when its next leg is due: milliseconds since the epoch
   * @param options.wakes the count that the leg has seen; default: that of its opening
   * @param also writes in the same transaction; must not change anything except the database
   * @returns false if something has arrived since: then the leg continues with it
   * @throws RUN_TAKEN_OVER
   */
  park(
    open: OpenLeg,
    options: { readonly dueAt?: number; readonly phase: 'parked' | 'slot' | 'over'; readonly wakes?: number },
    also?: (sql: Sql) => Promise<void>,
  ): Promise<boolean> {
    return this.#leases.park(open, options, also)
  }

  /**
   * Sets a run aside, so that it is not queued again by itself. @returns false if it is over or driven by another
   * live worker
   */
  setAside(runId: string, why: string): Promise<boolean> {
    return this.#leases.setAside(runId, why)
  }

  /** Queues the next leg of a run that waits, and counts what arrived. @returns the queued leg, if it was queued */
  wake(runId: string): Promise<number | null> {
    const { store } = this.#parts
    return store.write(async (sql) => {
      const { rows } = await sql.query<{ leg: number | null }>('SELECT waybill.wake($1, $2) AS leg', [
        store.org,
        storedText(runId),
      ])
      return rows[0]?.leg ?? null
    })
  }

  /**
   * Stores a run and queues its first leg, in one transaction.
   * @param also further statements of this transaction
   * @returns false if there is already a run with this id: then nothing is changed, and `also` is not called
   */
  enqueue(
    run: NewRun,
    { dueAt, ...schedule }: Schedule,
    also?: (sql: Sql) => Promise<void>,
  ): Promise<boolean> {
    const { store } = this.#parts
    return store.write(async (sql) => {
      if ((await insertRun(sql, run, { ...this.#place(run), ...schedule })) === undefined) return false
      await also?.(sql)
      const of = [store.org, storedText(run.header.run_id)]
      // Last: it locks a row on which all runs of the organisation are queued, until the transaction ends.
      if (dueAt === undefined) await sql.query('SELECT waybill.enqueue_leg($1, $2)', of)
      else
        await sql.query(
          `UPDATE waybill.progress SET phase = 'parked', due_at = $3 WHERE org = $1 AND run_id = $2`,
          [...of, dueAt],
        )
      return true
    })
  }

  has(runId: string): Promise<boolean> {
    return this.#read(async (sql) => {
      const { rowCount } = await sql.query('SELECT 1 FROM waybill.runs WHERE org = $1 AND run_id = $2', [
        this.#org,
        storedText(runId),
      ])
      return rowCount === 1
    })
  }

  async read(runId: string): Promise<StoredRun> {
    const { events: _events, ...stored } = await this.#shown(runId, (sql) => readRun(sql, this.#org, runId))
    return stored
  }

  /** As the lease of the run says; see `OpenRun.copied`. */
  copied(runId: string): Promise<CopiedRecord | undefined> {
    return this.#read((sql) => copiedRecord(sql, this.#org, runId))
  }

  /** @param limit at most this many; default: all */
  events(runId: string, after = 0, limit?: number): Promise<readonly RunEvent[]> {
    return this.#shown(runId, async (sql) => {
      const row = await runRow(sql, this.#org, runId)
      assertWhole(row)
      return readEvents(sql, this.#org, { ...row, run_id: runId }, after, limit)
    })
  }

  /** Reads a run without its events. @throws RUN_NOT_FOUND, RECORD_DAMAGED, RECORD_NEWER */
  frame(runId: string): Promise<Omit<StoredRun, 'state'>> {
    return this.#read((sql) => readFrame(sql, this.#org, runId))
  }

  /** Reads the events after a sequence number part by part, each of a similar size. */
  async *parts(runId: string, after = 0): AsyncGenerator<readonly RunEvent[]> {
    let seq = after
    for (let limit = FIRST_PART; ; ) {
      const { events, size } = await this.#shown(runId, async (sql) => {
        const row = await runRow(sql, this.#org, runId)
        assertWhole(row)
        return readSizedEvents(sql, this.#org, { ...row, run_id: runId }, seq, limit)
      })
      if (events.length > 0) yield events
      if (events.length < limit) return
      seq += events.length
      limit = Math.max(1, Math.min(MOST_IN_PART, Math.floor((limit * PART_CHARACTERS) / Math.max(1, size))))
    }
  }

  async listed(runId: string): Promise<PlatformRecord> {
    return listedRow(await this.#read((sql) => runRow(sql, this.#org, runId)))
  }

  list(filter: PlatformFilter = {}, page: Page = {}): Promise<PlatformPage> {
    return this.#read((sql) => listRuns(sql, this.#org, filter, page))
  }

  find(part: string, limit: number): Promise<readonly string[]> {
    return this.#read((sql) => findRuns(sql, this.#org, part, limit))
  }

  remove(
    runId: string,
    audit: (removed: readonly string[]) => readonly AuditFact[] = () => [],
  ): Promise<readonly string[]> {
    const { store, nextEntry } = this.#parts
    return store.write(async (sql) => {
      const ids = await removeRun(sql, store.org, runId)
      await appendAudit(sql, store.org, nextEntry, audit(ids))
      return ids
    })
  }

  import(runs: readonly ImportedRun[], audit: readonly AuditFact[] = []): Promise<void> {
    return this.#store(runs, { imported: true, phase: 'over' }, audit)
  }

  /** @param also further statements of the same transaction */
  restore(
    runs: readonly RestoredRecord[],
    audit: readonly AuditFact[] = [],
    { version, also, last }: RestoreOptions = {},
  ): Promise<void> {
    const place = { imported: false, phase: 'parked', ...(version !== undefined && { version }) } as const
    return this.#store(runs, place, audit, also, last)
  }

  async #store(
    runs: readonly RestoredRecord[],
    stored: Pick<RunPlace, 'imported' | 'phase' | 'version'>,
    audit: readonly AuditFact[],
    also: (sql: Sql) => Promise<void> = async () => {},
    last: (sql: Sql) => Promise<void> = async () => {},
  ): Promise<void> {
    const { store, nextEntry } = this.#parts
    const ready = runs.map((run) => {
      const { header, events, stored: before } = run
      assertInOrder(header.run_id, events, before)
      const summary = summaryOf(foldRun(header, events))
      return { run, place: { ...this.#place(run), ...stored, summary } }
    })
    await store.write(async (sql) => {
      for (const { run, place } of ready) {
        if ((await insertRun(sql, run, place)) === undefined) throw runExists(run.header.run_id)
        await insertEvents(sql, store.org, run.header.run_id, run.events)
      }
      await also(sql)
      await appendAudit(sql, store.org, nextEntry, audit)
      await last(sql)
    })
  }

  decisions(runId: string): Promise<readonly LeftDecision[]> {
    return this.#read(async (sql) => {
      await runRow(sql, this.#org, runId)
      return readDecisions(sql, this.#org, runId)
    })
  }

  decide(runId: string, question: Question, decision: LeftDecision): Promise<Decided> {
    const { store } = this.#parts
    const { org } = store
    const id = storedText(runId)
    return store.write(async (sql): Promise<Decided> => {
      // Locked: of two decisions, and of a decision and an append or a move of the root, one sees the other.
      await sql.query(
        `SELECT FROM waybill.progress WHERE org = $1 AND run_id = (
           SELECT root FROM waybill.runs WHERE org = $1 AND run_id = $2) FOR UPDATE`,
        [org, id],
      )
      const { rows } = await sql.query<{ seq: number; root: string | null }>(
        `SELECT p.seq, r.root FROM waybill.progress AS p JOIN waybill.runs AS r USING (org, run_id)
         WHERE p.org = $1 AND p.run_id = $2 FOR UPDATE OF p`,
        [org, id],
      )
      const [row] = rows
      if (row === undefined) throw runNotFound(runId)
      // An answer that is given here would have no effect.
      await assertHere(sql, org, runId)
      const [first] = await readDecisions(sql, org, runId, question)
      if (first !== undefined) return taken(first)
      if (row.seq > decision.seen) return { outcome: 'moved' }
      await sql.query(
        'INSERT INTO waybill.decisions (org, run_id, key, asked, line) VALUES ($1, $2, $3, $4, $5)',
        [org, id, storedText(question.key), question.asked, JSON.stringify(decision)],
      )
      // The legs of a sub-agent's run are those of its root.
      await sql.query(
        `SELECT waybill.wake($1, run_id) FROM waybill.progress
         WHERE org = $1 AND run_id = ANY($2) AND phase IN ('parked', 'queued', 'slot')`,
        [org, [id, row.root ?? id]],
      )
      return { outcome: 'kept' }
    })
  }

  sealed(rootRunId: string): Promise<readonly string[]> {
    return this.#read(async (sql) => {
      const { rows } = await sql.query<{ line: string }>(
        'SELECT line FROM waybill.sealed WHERE org = $1 AND root = $2 ORDER BY n',
        [this.#org, storedText(rootRunId)],
      )
      return rows.map(({ line }) => originalText(line))
    })
  }

  /** Releases the leases that are still held. */
  close(): Promise<void> {
    return this.#leases.releaseAll()
  }

  get #org(): string {
    return this.#parts.store.org
  }

  #read<T>(act: (sql: Sql) => Promise<T>): Promise<T> {
    const { store }: { readonly store: Store } = this.#parts
    return store.read(act)
  }

  /**
   * Reads events of a run. What a request reads may be shown to a client, so it is flushed if a crash of the database could
   * lose it. The append that ends or parks a run is flushed before it can be read.
   */
  async #shown<T>(runId: string, act: (sql: Sql) => Promise<T>): Promise<T> {
    const { store } = this.#parts
    if (store.worker !== null) return store.read(act)
    let isBehind = false
    const found = await store.read(async (sql) => {
      const read = await act(sql)
      const { rows } = await sql.query<{ behind: boolean }>({
        name: 'is-behind',
        text: `SELECT ${BEHIND} AS behind FROM waybill.progress AS p JOIN waybill.runs AS r USING (org, run_id)
          WHERE p.org = $1 AND p.run_id = $2 AND (p.status = 'running' OR r.parent IS NOT NULL)`,
        values: [this.#org, storedText(runId)],
      })
      isBehind = rows[0]?.behind === true
      return read
    })
    if (isBehind) await store.flush()
    return found
  }

  /** Of a run that has not begun and is not held. */
  #place({ header }: Pick<NewRun, 'header'>): RunPlace {
    const summary = summaryOf(foldRun(header, []))
    const { session } = header
    return {
      org: this.#org,
      holder: null,
      epoch: 0,
      imported: false,
      summary,
      phase: 'held',
      ...(session !== undefined && { session }),
    }
  }
}
