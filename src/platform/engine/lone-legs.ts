import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '../../document/message-of.ts'
import type { PostgresRecords } from '../records/open-postgres-records.ts'
import { FairTurns } from './fair-turns.ts'
import { WorkerLease } from './lease.ts'
import { performLeg } from './leg.ts'
import { LiveRuns } from './live-runs.ts'
import type { WorkerOptions } from './worker.ts'

type LoneOptions = Pick<WorkerOptions, 'database' | 'recordsOf' | 'sessionsOf' | 'follow' | 'log'>

/** The lease of one leg, in milliseconds. */
const LEASE_MS = 5000

/** Added to the wait for the end of a lease, in milliseconds: the time is rounded, and the query takes some. */
const LATER_MS = 50

/**
 * Performs single legs in a process without a worker, so that a cancel or a pause takes effect while no worker lives. The
 * queued leg is found to be stale by the next worker.
 */
export class LoneLegs {
  readonly #options: LoneOptions
  readonly #stopping = new AbortController()
  readonly #performing = new Set<Promise<void>>()

  constructor(options: LoneOptions) {
    this.#options = options
  }

  /**
   * Performs the queued leg of a run in the background, if there is one and no worker lives. A worker that was killed
   * seems to live until its lease lapses, so that the leg is looked for again then.
   */
  performIfAlone(org: string, runId: string): void {
    const { log } = this.#options
    const performing = this.#perform(org, runId)
      .catch((error) => log('warn', `the command for run ${runId} waits for a worker: ${messageOf(error)}`))
      .finally(() => this.#performing.delete(performing))
    this.#performing.add(performing)
  }

  async close(): Promise<void> {
    this.#stopping.abort()
    await Promise.all(this.#performing)
  }

  async #perform(org: string, run_id: string): Promise<void> {
    const { database, recordsOf, log } = this.#options
    const leg = await this.#loneLeg(org, run_id)
    if (leg === undefined) return
    const live = new LiveRuns(database.engine, LEASE_MS)
    const lease = new WorkerLease(database.engine, {
      leaseMs: LEASE_MS,
      queues: [],
      onLapsed: () => {
        for (const run of live.all()) run.fence()
      },
    })
    await lease.start()
    const opened = new Map<string, PostgresRecords>()
    try {
      await performLeg(
        {
          ...this.#options,
          lease,
          live,
          recordsOf: (one) => {
            const records = opened.get(one) ?? recordsOf(one, lease.identity)
            opened.set(one, records)
            return records
          },
          openings: new FairTurns(1),
          stopping: this.#stopping.signal,
          log,
        },
        { org, run_id, n: leg },
      )
    } finally {
      live.stop()
      for (const records of opened.values()) await records.close()
      await lease.stop()
    }
  }

  /** @returns the queued leg of a run, if no worker lives now or when all present leases have lapsed */
  async #loneLeg(org: string, run_id: string): Promise<number | undefined> {
    const { signal } = this.#stopping
    const now = await this.#queued(org, run_id)
    if (now === undefined || now.lapses_in === null) return now?.leg
    await sleep(now.lapses_in + LATER_MS, undefined, { signal }).catch(() => {})
    const later = signal.aborted ? undefined : await this.#queued(org, run_id)
    return later?.lapses_in === null ? later.leg : undefined
  }

  /** @returns the queued leg, and when the last lease of a worker lapses (in milliseconds) or null */
  async #queued(org: string, run_id: string) {
    // The lease of a single leg, here or in another process, does not count: no other leg is performed with it.
    const { rows } = await this.#options.database.engine.query<{ leg: number; lapses_in: number | null }>(
      `SELECT leg, (SELECT extract(epoch FROM max(until) - clock_timestamp()) * 1000 FROM waybill.workers
         WHERE until > clock_timestamp() AND about ? 'executor')::int AS lapses_in
       FROM waybill.progress WHERE org = $1 AND run_id = $2 AND phase = 'queued'`,
      [org, run_id],
    )
    return rows[0]
  }
}
