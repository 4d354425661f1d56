import type { RunEvent } from '../../../run/event.ts'
import type { LeftDecision } from '../../../run/record/left-decision.ts'
import {
  recordNewer,
  rootMissing,
  runImported,
  runLocked,
  runNotFound,
  runTakenOver,
  taken,
} from '../../../run/record/record-errors.ts'
import { RECORD_VERSION, unknownIn } from '../../../run/record/record-version.ts'
import type {
  AppendOptions,
  CopiedRecord,
  Decided,
  ImportedRun,
  ListedRecord,
  NewRun,
  OpenRun,
  Page,
  Question,
  RestoredRecord,
  RunFilter,
  RunPage,
  RunRecords,
  StoredRun,
} from '../../../run/record/records.ts'
import { rootRunId } from '../../../run/record/run-header.ts'
import {
  assertInOrder,
  foldRun,
  hasOnceInFlight,
  seqBefore,
  summaryOf,
} from '../../../run/record/run-summary.ts'
import type { AuditFact } from '../../../trust/audit-chain.ts'
import { assertHere, movedTo } from './away.ts'
import type { Group } from './group-commit.ts'
import { listRuns } from './list-runs.ts'
import { batchCopied, copiedIn, countWrite } from './notice-copy.ts'
import { PlanRows } from './plan-rows.ts'
import type { Queries } from './queries.ts'
import { readLeftDecisions, readSealed } from './read-left.ts'
import { familyOfRoot, readEvents, readRun, runRow } from './read-run.ts'
import { removeRun } from './remove-run.ts'
import { assertIntact, lineChecksum, listedRow, newerRun, type RunRow, summaryChecksum } from './run-row.ts'
import type { StoreParts } from './store-parts.ts'
import { encoded, insertEvents, insertRun, insertSealed } from './write-run.ts'

/** A lease: an append requires that it is unchanged. */
interface Lease {
  /** Id of the row. */
  readonly id: number
  readonly run_id: string
  readonly root: string
  readonly epoch: number
  /** See `OpenRun.copied`. */
  readonly copied: number | undefined
}

export class SqliteRuns implements RunRecords {
  readonly #parts: StoreParts
  readonly #plans = new PlanRows()

  constructor(parts: StoreParts) {
    this.#parts = parts
  }

  async create(run: NewRun, { durable = false }: { readonly durable?: boolean } = {}): Promise<OpenRun> {
    const { header, plan, first } = run
    // Read before the run is stored: if the family is unreadable, no run leased by this process must remain.
    const family = await this.#familyOf(run)
    const state = foldRun(header, [])
    const summary = summaryOf(state)
    const { id, copied } = await this.#parts.group.write(
      ({ q }) => {
        const row = insertRun(q, this.#plans, run, {
          holder: this.#parts.locks.own(q),
          imported: false,
          summary,
          events: [],
        })
        return { id: row, copied: batchCopied(q, row, header.batch?.id) }
      },
      { durable },
    )
    return this.#opened(
      { id, run_id: header.run_id, root: rootRunId(header), epoch: 1, copied },
      { header, plan, family, first, state, imported: false },
    )
  }

  async open(runId: string): Promise<OpenRun> {
    if (!(await this.has(runId))) throw runNotFound(runId)
    const lease = await this.#parts.group.write(({ q }) => this.#take(q, runId), { durable: false })
    try {
      const { events, ...stored } = await this.#read((q) => readRun(q, runId, this.#file), runId)
      for (const event of events) {
        const unknown = unknownIn(event)
        if (unknown !== undefined) throw recordNewer(runId, unknown)
      }
      return this.#opened(lease, stored)
    } catch (error) {
      // The first error is the reason why the run cannot be opened.
      await this.#release(lease).catch(() => {})
      throw error
    }
  }

  has(runId: string): Promise<boolean> {
    return this.#parts.home.read(
      (q) => q.get('SELECT 1 FROM runs WHERE run_id = ?', runId) !== undefined,
      () => false,
    )
  }

  async read(runId: string): Promise<StoredRun> {
    const { events: _events, ...stored } = await this.#read((q) => readRun(q, runId, this.#file), runId)
    return stored
  }

  events(runId: string, after = 0): Promise<readonly RunEvent[]> {
    return this.#read((q) => {
      const row = runRow(q, runId, this.#file)
      assertIntact(row, this.#file)
      return readEvents(q, row, after, this.#file)
    }, runId)
  }

  listed(runId: string): Promise<ListedRecord> {
    return this.#read((q) => {
      const row = runRow(q, runId, this.#file)
      const live = row.holder !== null && this.#parts.locks.isLive(row.holder)
      return listedRow(row, this.#file, { live, moved: movedTo(q, row.id) })
    }, runId)
  }

  list(filter: RunFilter = {}, page: Page = {}): Promise<RunPage> {
    return this.#parts.home.read(
      (q) => listRuns(q, filter, page, this.#parts.locks, this.#file),
      () => ({ items: [], next: null }),
    )
  }

  find(part: string, limit: number): Promise<readonly string[]> {
    const sql = `SELECT run_id FROM runs WHERE substr(run_id, 1, ?) = ? OR substr(run_id, -?) = ?
      ORDER BY created_at DESC, run_id DESC LIMIT ?`
    // SQLite counts characters, and not UTF-16 units.
    const { length } = [...part]
    return this.#parts.home.read(
      (q) => q.all<{ run_id: string }>(sql, length, part, length, part, limit).map(({ run_id }) => run_id),
      () => [],
    )
  }

  async remove(
    runId: string,
    audit: (removed: readonly string[]) => readonly AuditFact[] = () => [],
  ): Promise<readonly string[]> {
    if (!(await this.has(runId))) throw runNotFound(runId)
    const { group, home, locks, chain } = this.#parts
    const removed = await group.write(
      (one) => {
        const ids = removeRun(one.q, runId, this.#plans, locks)
        chain.append(one, audit(ids))
        return ids
      },
      { durable: true },
    )
    await home.leaveNoTrace()
    return removed
  }

  import(runs: readonly ImportedRun[], audit: readonly AuditFact[] = []): Promise<void> {
    return this.#store(runs, true, audit)
  }

  restore(runs: readonly RestoredRecord[], audit: readonly AuditFact[] = []): Promise<void> {
    return this.#store(runs, false, audit)
  }

  /** Returns a function that stores restored runs in a transaction of the caller. @throws RECORD_DAMAGED */
  restoring(runs: readonly RestoredRecord[], imported = false): (group: Group) => void {
    const ready = runs.map((run) => {
      const { header, events } = run
      assertInOrder(header.run_id, events)
      const summary = summaryOf(foldRun(header, events))
      return { run, place: { holder: null, imported, summary, events: encoded(header.run_id, events) } }
    })
    return ({ q }) => {
      for (const { run, place } of ready) insertRun(q, this.#plans, run, place)
    }
  }

  async #store(
    runs: readonly RestoredRecord[],
    imported: boolean,
    audit: readonly AuditFact[],
  ): Promise<void> {
    const restore = this.restoring(runs, imported)
    await this.#parts.group.write(
      (group) => {
        restore(group)
        this.#parts.chain.append(group, audit)
      },
      { durable: !imported || audit.length > 0 },
    )
  }

  copied(runId: string): Promise<CopiedRecord | undefined> {
    return this.#read((q) => {
      const generation = copiedIn(q, runRow(q, runId, this.#file).id)
      return generation === undefined ? undefined : { generation }
    }, runId)
  }

  async askPause(runId: string, by: string): Promise<void> {
    if (!(await this.has(runId))) throw runNotFound(runId)
    await this.#parts.group.write(
      ({ q }) => {
        const { id } = runRow(q, runId, this.#file)
        assertHere(q, id, runId)
        q.run(
          'INSERT INTO pauses (run, by) VALUES (?, ?) ON CONFLICT (run) DO UPDATE SET by = excluded.by',
          id,
          by,
        )
      },
      { durable: false },
    )
  }

  async takePause(runId: string): Promise<string | null> {
    const of = 'run = (SELECT id FROM runs WHERE run_id = ?)'
    const asked = await this.#parts.home.read(
      (q) => q.get<{ by: string }>(`SELECT by FROM pauses WHERE ${of}`, runId),
      () => undefined,
    )
    if (asked === undefined) return null
    await this.#parts.group.write(({ q }) => void q.run(`DELETE FROM pauses WHERE ${of}`, runId), {
      durable: false,
    })
    return asked.by
  }

  decisions(runId: string): Promise<readonly LeftDecision[]> {
    return this.#read((q) => readLeftDecisions(q, runRow(q, runId, this.#file), this.#file), runId)
  }

  async decide(runId: string, question: Question, decision: LeftDecision): Promise<Decided> {
    if (!(await this.has(runId))) throw runNotFound(runId)
    const line = JSON.stringify(decision)
    return this.#parts.group.write(
      ({ q }): Decided => {
        const row = runRow(q, runId, this.#file)
        assertIntact(row, this.#file)
        assertHere(q, row.id, runId)
        const first = readLeftDecisions(q, row, this.#file, question)[0]
        if (first !== undefined) return taken(first)
        if (row.seq > decision.seen) return { outcome: 'moved' }
        const checksum = lineChecksum(runId, `${question.key} ${question.asked}`, line)
        q.run(
          'INSERT INTO decisions (run, key, asked, line, checksum) VALUES (?, ?, ?, ?, ?)',
          row.id,
          question.key,
          question.asked,
          line,
          checksum,
        )
        return { outcome: 'kept' }
      },
      { durable: true },
    )
  }

  sealed(rootRunId: string): Promise<readonly string[]> {
    return this.#parts.home.read(
      (q) => readSealed(q, rootRunId, this.#file),
      () => [],
    )
  }

  get #file(): string {
    return this.#parts.home.file
  }

  #read<T>(act: (q: Queries) => T, runId: string): Promise<T> {
    return this.#parts.home.read(act, () => {
      throw runNotFound(runId)
    })
  }

  async #familyOf({ header, family }: NewRun): Promise<StoredRun['family']> {
    const root = header.parent?.root_run_id
    if (family.length > 0 || root === undefined) return family
    return this.#parts.home.read(
      (q) => familyOfRoot(q, root, this.#file),
      () => [],
    )
  }

  /** Takes the lease. @throws RUN_NOT_FOUND, RUN_LOCKED, RUN_IMPORTED, RECORD_NEWER, RECORD_DAMAGED */
  #take(q: Queries, runId: string): Lease {
    const { locks } = this.#parts
    const row: RunRow = runRow(q, runId, this.#file)
    const { id, root, holder } = row
    assertHere(q, id, runId)
    if (row.imported !== 0) throw runImported(runId)
    if (row.v > RECORD_VERSION) throw newerRun(row)
    if (holder !== null && locks.isLive(holder)) throw runLocked(runId, locks.pidOf(q, holder))
    if (root !== null && q.get('SELECT 1 FROM runs WHERE run_id = ?', root) === undefined)
      throw rootMissing(runId, root)
    if (holder !== null) locks.sweep(q, holder)
    const epoch = row.epoch + 1
    // A request was for the process that drove the run before.
    q.run('DELETE FROM pauses WHERE run = ?', id)
    q.run('UPDATE progress SET epoch = ?, holder = ? WHERE run = ?', epoch, locks.own(q), id)
    return { id, run_id: runId, root: root ?? runId, epoch, copied: copiedIn(q, id) }
  }

  #opened(lease: Lease, stored: StoredRun): OpenRun {
    let closed: Promise<void> | undefined
    return {
      ...stored,
      epoch: lease.epoch,
      ...(lease.copied !== undefined && { copied: { generation: lease.copied } }),
      append: (events, options) => this.#append(lease, events, options),
      close: () => {
        closed ??= this.#release(lease)
        return closed
      },
    }
  }

  async #append(
    { id, run_id, root, epoch }: Lease,
    events: readonly RunEvent[],
    { durable, state, audit = [], sealed = [] }: AppendOptions,
  ): Promise<void> {
    const lines = encoded(run_id, events)
    const before = seqBefore(events, state)
    const summary = { ...summaryOf(state), seq: before + events.length }
    const checksum = summaryChecksum(run_id, summary)
    const { status, stop_reason, questions, seq, at } = summary
    const leaves = durable && hasOnceInFlight(state)
    const isCopyNoted = events.some(({ fact }) => fact.type === 'record.copied')
    const act = (group: Group) => {
      const { q } = group
      const sql = `UPDATE progress SET seq = ?, status = ?, stop_reason = ?, questions = ?, updated_at = ?,
        checksum = ? WHERE run = ? AND epoch = ? AND seq = ?`
      const kept = q.run(sql, seq, status, stop_reason, questions, at, checksum, id, epoch, before)
      if (kept === 0) throw runTakenOver(run_id)
      insertEvents(q, id, lines)
      insertSealed(q, root, sealed)
      if (isCopyNoted) q.run('DELETE FROM copied_runs WHERE run = ?', id)
      this.#parts.chain.append(group, audit)
      return leaves ? countWrite(q) : undefined
    }
    const stored = await this.#parts.group.write(act, { durable: durable || audit.length > 0 })
    // Before the write leaves, and after its record: a copy that lacks the record is older than the stamp.
    if (stored !== undefined) this.#parts.stamps.raise(stored.id, stored.writes)
  }

  #release({ id, epoch }: Lease): Promise<void> {
    return this.#parts.group.write(
      ({ q }) => {
        q.run('UPDATE progress SET holder = NULL WHERE run = ? AND epoch = ?', id, epoch)
      },
      { durable: false },
    )
  }
}
