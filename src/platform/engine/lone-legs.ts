import { messageOf } from '../../document/message-of.ts'
import type { PostgresRecords } from '../records/open-postgres-records.ts'
import { WorkerLease } from './lease.ts'
import { performLeg } from './leg.ts'
import { LiveRuns } from './live-runs.ts'
import type { WorkerOptions } from './worker.ts'

type LoneOptions = Pick<WorkerOptions, 'database' | 'recordsOf' | 'sessionsOf' | 'follow' | 'log'>

/** The lease of one leg, in milliseconds. */
const LEASE_MS = 5000

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

  /** Performs the queued leg of a run in the background, if there is one and no worker lives. */
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
    const { rows } = await database.engine.query<{ leg: number }>(
      `SELECT leg FROM waybill.progress WHERE org = $1 AND run_id = $2 AND phase = 'queued'
         AND NOT EXISTS (SELECT 1 FROM waybill.workers WHERE until > clock_timestamp())`,
      [org, run_id],
    )
    const [queued] = rows
    if (queued === undefined) return
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
          stopping: this.#stopping.signal,
          log,
        },
        { org, run_id, n: queued.leg },
      )
    } finally {
      live.stop()
      for (const records of opened.values()) await records.close()
      await lease.stop()
    }
  }
}
