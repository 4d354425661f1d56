import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '../../document/message-of.ts'
import { foldEvents } from '../../run/record/fold-events.ts'
import { OutlineFold } from '../../run/record/outline-fold.ts'
import { countRun, uncountedRuns } from '../budgets/spending.ts'
import type { Database } from '../database/open-database.ts'
import type { PostgresRecords } from '../records/open-postgres-records.ts'
import { FairTurns } from './fair-turns.ts'
import { WorkerLease } from './lease.ts'
import { type LegHost, performLeg } from './leg.ts'
import { type Leg, LegQueue } from './leg-queue.ts'
import { LiveRuns } from './live-runs.ts'
import { PollGate } from './poll-gate.ts'
import {
  advanceVirtualTime,
  lookForWork,
  recoverLegs,
  recoverLost,
  recoverMessages,
  recoverRuns,
  recoverUnreceived,
  releaseEnded,
  releaseLeftSlots,
  releaseUndriven,
  wakeDue,
} from './reconcile.ts'
import { retire } from './retention.ts'
import type { OpenWork, Work } from './work.ts'

export interface WorkerOptions extends Pick<LegHost, 'sessionsOf' | 'follow' | 'log'> {
  readonly database: Database
  /** Opens the records of an organisation for a worker. @param identity the holder of the runs that it opens */
  readonly recordsOf: (org: string, identity: string) => ReturnType<LegHost['recordsOf']>
  /** Statements that remove rows which are no longer needed; see `Tables`. Default: none. */
  readonly sweeps?: readonly string[]
  /** Further work that this worker does; default: none. */
  readonly works?: readonly OpenWork[]
  /** Called while the database was put back, or its server was promoted, and the generation has not risen. */
  readonly onCopied?: () => Promise<void>
  /** Default: all. */
  readonly queues?: readonly string[]
  /** Legs at a time, of each queue. Default 100. */
  readonly concurrency?: number
  /** Default 5 s: a dead worker's runs continue elsewhere after at most this time and a second. */
  readonly leaseMs?: number
  /** How often the queue is asked for legs. Default 50 ms. */
  readonly pollMs?: number
}

/** How long legs in progress may take to pause when the worker stops, in milliseconds. */
const STOP_MS = 20_000

/** How often finished legs are removed from the queue, in milliseconds. */
const SWEEP_MS = 15_000

/** Runs that are opened at a time. */
const OPENINGS = 8

/** How often the tables are asked for what is due, with work and without, in milliseconds; at most 1.25 times this. */
const WORK_LOOK_MS = 500
const QUIET_LOOK_MS = 750

/** How often lost legs and slots are searched, in milliseconds. */
const SEARCH_MS = 2000

/** How often a driven run is asked for decisions and commands, in milliseconds. */
const LOOK_MS = 200

/** A worker: performs legs, wakes runs whose time has come, and continues the runs of workers that have died. */
export class Worker {
  readonly #options: WorkerOptions
  readonly #lease: WorkerLease
  readonly #live: LiveRuns
  readonly #queue: LegQueue
  readonly #works: readonly Work[]
  readonly #gate = new PollGate()
  /** Names this process in the queue. */
  readonly #executor = `${process.pid}-${crypto.randomUUID()}`
  readonly #stopping = new AbortController()
  /** By organisation and identity. */
  readonly #records = new Map<string, PostgresRecords>()
  /** In progress, from before their lease is taken. */
  readonly #legs = new Set<Leg>()
  #reconciling: Promise<void> | undefined

  constructor(options: WorkerOptions) {
    const { database, queues, concurrency = 100, leaseMs = 5000, pollMs = 50, log } = options
    this.#options = options
    this.#live = new LiveRuns(database.engine, LOOK_MS)
    this.#lease = new WorkerLease(database.engine, {
      leaseMs,
      queues: queues ?? [],
      about: { executor: this.#executor, pid: process.pid },
      gate: this.#gate,
      onLapsed: () => {
        log(
          'warn',
          'the lease of this worker has lapsed: its runs resume on another worker, or here when this worker has a lease again',
        )
        for (const run of this.#live.all()) run.fence()
      },
    })
    const works = {
      engine: database.engine,
      log,
      recordsOf: (org: string) => this.#recordsOf(org, this.#lease.identity),
    }
    this.#works = (options.works ?? []).map((open) => open(works))
    const host: LegHost = {
      ...options,
      lease: this.#lease,
      live: this.#live,
      recordsOf: (org, identity) => this.#recordsOf(org, identity),
      openings: new FairTurns(OPENINGS),
      stopping: this.#stopping.signal,
    }
    this.#queue = new LegQueue({
      database,
      executor: this.#executor,
      ...(queues !== undefined && { queues }),
      concurrency,
      pollMs,
      gate: this.#gate,
      log,
      perform: (leg) => this.#perform(host, leg),
    })
  }

  async start(): Promise<void> {
    await this.#lease.start()
    await this.#queue.start()
    this.#reconciling = this.#reconcile()
  }

  /** Something arrived for a run, in this process. */
  notify(org: string, runId: string): void {
    this.#live.notify(org, runId)
  }

  /** Pauses the legs in progress, so that other workers continue them, and gives up the lease. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#queue.stop(STOP_MS)
    await this.#reconciling
    for (const work of this.#works) await work.stop()
    this.#live.stop()
    for (const records of this.#records.values()) await records.close()
    await this.#lease.stop()
  }

  /** Counts what ended runs have used whose worker died before it counted. */
  async #countLeft(): Promise<void> {
    const { engine } = this.#options.database
    for (const { run_id, ...payer } of await uncountedRuns(engine)) {
      const { runs } = this.#recordsOf(payer.org, this.#lease.identity)
      const outline = new OutlineFold((await runs.frame(run_id)).header)
      await foldEvents(runs, run_id, (event) => void outline.add(event))
      await countRun(engine, payer, run_id, outline.state, new Date())
    }
  }

  async #perform(host: LegHost, leg: Leg): Promise<void> {
    this.#legs.add(leg)
    await performLeg(host, leg)
    this.#legs.delete(leg)
  }

  #performs({ org, run_id, n }: Leg): boolean {
    return [...this.#legs].some((leg) => leg.org === org && leg.run_id === run_id && leg.n === n)
  }

  #drives(org: string, runId: string): boolean {
    return [...this.#legs].some((leg) => leg.org === org && leg.run_id === runId)
  }

  #recordsOf(org: string, identity: string): PostgresRecords {
    const key = `${org} ${identity}`
    const found = this.#records.get(key) ?? this.#options.recordsOf(org, identity)
    this.#records.set(key, found)
    return found
  }

  async #reconcile(): Promise<void> {
    const { database, queues, leaseMs = 5000, log } = this.#options
    const { signal } = this.#stopping
    let sweptAt = performance.now()
    let searchedAt = Number.NEGATIVE_INFINITY
    while (!signal.aborted) {
      try {
        const due = await lookForWork(database.engine, this.#works)
        // Also for legs that DBOS has received and not begun: it waits at the gate before it does.
        if (due.unheld || due.queued || due.runs) this.#gate.open()
        for (const work of this.#works) work.look(due.works.includes(work.name))
        if (due.copied) await this.#options.onCopied?.()
        if (due.runs) await wakeDue(database.engine)
        if (due.lost) await recoverRuns(database.engine)
        if (due.legs) await recoverLegs(database.engine)
        if (performance.now() - searchedAt > SEARCH_MS) {
          searchedAt = performance.now()
          await releaseUndriven(database.engine, this.#lease.identity, (...run) => this.#drives(...run))
          await releaseEnded(database.engine)
          if (due.unheld) await recoverLost(database.engine)
          if (due.unheld || due.lost)
            await recoverUnreceived(database.engine, this.#executor, (leg) => this.#performs(leg))
          if (due.messages) await recoverMessages(database.engine)
          if (due.slots) await releaseLeftSlots(database.engine)
        }
        if (due.queued || due.advanced) await advanceVirtualTime(database.engine)
        if (queues === undefined) await this.#queue.listen(due.queues)
        await this.#queue.beNotified()
        if (performance.now() - sweptAt > SWEEP_MS) {
          sweptAt = performance.now()
          await retire(database.engine, this.#options.sweeps ?? [])
          await this.#countLeft()
        }
      } catch (error) {
        // A worker that is stopped has closed what the look still used.
        if (!signal.aborted) log('warn', `timers and recovery are delayed: ${messageOf(error)}`)
      }
      // Without work, a look may come later, but early enough to take over within a second.
      const everyMs = Math.min(this.#gate.isQuiet ? QUIET_LOOK_MS : WORK_LOOK_MS, leaseMs / 4)
      await sleep(everyMs * (0.75 + 0.5 * Math.random()), undefined, { signal }).catch(() => {})
    }
  }
}
