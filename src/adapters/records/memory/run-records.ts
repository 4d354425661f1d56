import type { RunEvent } from '../../../run/event.ts'
import type { LeftDecision } from '../../../run/record/left-decision.ts'
import { comparePlaces, PAGE_LIMIT, readCursor, writeCursor } from '../../../run/record/page-cursor.ts'
import {
  rootMissing,
  runExists,
  runImported,
  runLocked,
  runNotFound,
  runTakenOver,
  taken,
} from '../../../run/record/record-errors.ts'
import type {
  AppendOptions,
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
  listedSummary,
  seqBefore,
  summaryOf,
} from '../../../run/record/run-summary.ts'
import type { RunState } from '../../../run/state.ts'
import type { AuditFact } from '../../../trust/audit-chain.ts'
import { type MemoryPlace, type PlacedRun, placedRun } from './memory-place.ts'

/** Runs in memory. Every method returns its result at once. */
export class MemoryRuns implements RunRecords {
  readonly #place: MemoryPlace
  /** Identifies this view, like a process of a database. */
  readonly #view: object

  readonly #keepEnded: number
  /** Runs that have ended and were closed, oldest first. */
  readonly #ended = new Set<string>()

  /** @param keepEnded maximum number of ended runs to keep; older runs are removed when another is closed */
  constructor(place: MemoryPlace, view: object, keepEnded = Number.POSITIVE_INFINITY) {
    this.#place = place
    this.#view = view
    this.#keepEnded = keepEnded
  }

  create({ header, plan, family, first, sealed = [] }: NewRun): OpenRun {
    if (this.#place.runs.has(header.run_id)) throw runExists(header.run_id)
    const run = placedRun({ header, plan, family, first, imported: false, holder: this.#view }, [])
    this.#place.put(run)
    this.#place.runs.get(rootRunId(header))?.sealed.push(...sealed)
    return this.#opened(run)
  }

  open(runId: string): OpenRun {
    const run = this.#run(runId)
    if (run.imported) throw runImported(runId)
    if (this.#place.isLive(run.holder)) throw runLocked(runId, process.pid)
    const root = run.header.parent?.root_run_id
    if (root !== undefined && !this.#place.runs.has(root)) throw rootMissing(runId, root)
    run.epoch++
    run.holder = this.#view
    // A request was for the process that drove the run before.
    run.pause = null
    return this.#opened(run)
  }

  has(runId: string): boolean {
    return this.#place.runs.has(runId)
  }

  read(runId: string): StoredRun {
    return this.#stored(this.#run(runId))
  }

  events(runId: string, after = 0): readonly RunEvent[] {
    return this.#run(runId).events.slice(after)
  }

  listed(runId: string): ListedRecord {
    return this.#listed(this.#run(runId))
  }

  list(filter: RunFilter = {}, { limit = PAGE_LIMIT, cursor }: Page = {}): RunPage {
    const after = cursor === undefined ? undefined : readCursor(cursor)
    const found = [...this.#place.runs.values()]
      .filter((run) => this.#fits(run, filter))
      .map((run) => this.#listed(run))
      .sort(comparePlaces)
      .filter((run) => after === undefined || comparePlaces(after, run) < 0)
    const items = found.slice(0, limit)
    const last = items.at(-1)
    return { items, next: last !== undefined && found.length > limit ? writeCursor(last) : null }
  }

  find(part: string, limit: number): readonly string[] {
    return [...this.#place.runs.values()]
      .map(({ header: { run_id }, created_at }) => ({ run_id, created_at }))
      .filter(({ run_id }) => run_id.startsWith(part) || run_id.endsWith(part))
      .sort(comparePlaces)
      .slice(0, limit)
      .map(({ run_id }) => run_id)
  }

  remove(
    runId: string,
    audit: (removed: readonly string[]) => readonly AuditFact[] = () => [],
  ): readonly string[] {
    this.#run(runId)
    const removed = this.#withAgents(runId)
    for (const id of removed) {
      if (this.#place.isLive(this.#run(id).holder)) throw runLocked(id, process.pid)
    }
    this.#place.append(audit(removed))
    for (const id of removed) this.#place.runs.delete(id)
    return removed
  }

  import(runs: readonly ImportedRun[], audit: readonly AuditFact[] = []): void {
    this.#store(runs, true, audit)
  }

  restore(runs: readonly RestoredRecord[], audit: readonly AuditFact[] = []): void {
    this.#store(runs, false, audit)
  }

  #store(runs: readonly RestoredRecord[], imported: boolean, audit: readonly AuditFact[]): void {
    const ids = new Set<string>()
    const ready = runs.map(({ header, plan, family, first, events, sealed = [] }) => {
      const { run_id } = header
      if (this.#place.runs.has(run_id) || ids.has(run_id)) throw runExists(run_id)
      ids.add(run_id)
      assertInOrder(run_id, events)
      return {
        run: placedRun({ header, plan, family, first, imported, holder: null }, events),
        root: rootRunId(header),
        sealed,
      }
    })
    this.#place.append(audit)
    for (const { run } of ready) this.#place.put(run)
    for (const { root, sealed } of ready) this.#place.runs.get(root)?.sealed.push(...sealed)
  }

  askPause(runId: string, by: string): void {
    this.#run(runId).pause = by
  }

  takePause(runId: string): string | null {
    const run = this.#run(runId)
    const by = run.pause
    run.pause = null
    return by
  }

  decisions(runId: string): readonly LeftDecision[] {
    return this.#run(runId).decisions.map(({ decision }) => decision)
  }

  decide(runId: string, question: Question, decision: LeftDecision): Decided {
    const run = this.#run(runId)
    const first = run.decisions.find(
      (other) => other.question.key === question.key && other.question.asked === question.asked,
    )
    if (first !== undefined) return taken(first.decision)
    if (run.summary.seq > decision.seen) return { outcome: 'moved' }
    run.decisions.push({ question, decision })
    return { outcome: 'kept' }
  }

  sealed(rootRunId: string): readonly string[] {
    return [...(this.#place.runs.get(rootRunId)?.sealed ?? [])]
  }

  /** Releases all leases of this view. */
  releaseAll(): void {
    for (const run of this.#place.runs.values()) if (run.holder === this.#view) run.holder = null
  }

  #run(runId: string): PlacedRun {
    const run = this.#place.runs.get(runId)
    if (run === undefined) throw runNotFound(runId)
    return run
  }

  #stored(run: PlacedRun): StoredRun {
    const { header, plan, first, imported } = run
    const root = run.family.length > 0 ? undefined : this.#place.runs.get(header.parent?.root_run_id ?? '')
    const family = root === undefined ? run.family : [...root.family, root.plan]
    return { header, plan, family, first, imported, state: foldRun(header, run.events) }
  }

  #opened(run: PlacedRun): OpenRun {
    const { epoch } = run
    return {
      ...this.#stored(run),
      epoch,
      append: (events, options) => this.#append(run, epoch, events, options),
      close: () => {
        if (run.epoch !== epoch || run.holder !== this.#view) return
        run.holder = null
        this.#forget(run)
      },
    }
  }

  /** Otherwise the runs of a long-lived agent would fill the memory. */
  #forget({ header }: PlacedRun): void {
    if (this.#keepEnded === Number.POSITIVE_INFINITY) return
    const rootId = rootRunId(header)
    const root = this.#place.runs.get(rootId)
    if (root === undefined || root.holder !== null) return
    this.#ended.delete(rootId)
    if (!isOver(root.summary.status)) return
    this.#ended.add(rootId)
    for (const id of this.#ended) {
      if (this.#ended.size <= this.#keepEnded) return
      this.#ended.delete(id)
      const family = this.#withAgents(id)
      // A leased run is added when it is closed.
      if (family.every((one) => this.#place.runs.get(one)?.holder === null))
        for (const gone of family) this.#place.runs.delete(gone)
    }
  }

  #append(
    run: PlacedRun,
    epoch: number,
    events: readonly RunEvent[],
    { state, audit = [], sealed = [] }: AppendOptions,
  ): void {
    const { run_id } = run.header
    const before = seqBefore(events, state)
    // A removed run has been replaced or deleted.
    if (this.#place.runs.get(run_id) !== run || run.epoch !== epoch || run.events.length !== before)
      throw runTakenOver(run_id)
    this.#place.append(audit)
    for (const event of events) run.events.push(event)
    run.summary = summaryOf(state)
    this.#place.runs.get(rootRunId(run.header))?.sealed.push(...sealed)
  }

  #withAgents(runId: string): readonly string[] {
    const found = new Set([runId])
    for (const id of found) {
      for (const { header } of this.#place.runs.values()) {
        const { parent } = header
        if (parent !== undefined && (parent.run_id === id || parent.root_run_id === id))
          found.add(header.run_id)
      }
    }
    return [...found]
  }

  #fits({ header, summary, created_at }: PlacedRun, filter: RunFilter): boolean {
    const { parent } = header
    return (
      (filter.status === undefined || summary.status === filter.status) &&
      (filter.agent_id === undefined || header.agent_id === filter.agent_id) &&
      (filter.user === undefined || header.user === filter.user) &&
      (filter.batch === undefined || header.batch?.id === filter.batch) &&
      (filter.since === undefined || created_at >= filter.since) &&
      (filter.questions === undefined || summary.questions > 0) &&
      (filter.roots === undefined || parent === undefined || !this.#place.runs.has(parent.root_run_id)) &&
      (filter.root === undefined || header.run_id === filter.root || parent?.root_run_id === filter.root)
    )
  }

  #listed({ header, summary, created_at, imported, holder }: PlacedRun): ListedRecord {
    return {
      run_id: header.run_id,
      header,
      ...listedSummary(summary, created_at),
      live: this.#place.isLive(holder),
      imported,
    }
  }
}

function isOver(status: RunState['status']): boolean {
  return status !== 'running' && status !== 'waiting' && status !== 'paused'
}
