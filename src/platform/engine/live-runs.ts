import type pg from 'pg'

/** A run that this process drives. */
export interface LiveRun {
  readonly org: string
  readonly run_id: string
  /** The last value of `wakes` that this process has seen. */
  seen: number
  /** Something arrived for the run: a decision, a command or a message. */
  readonly onWake: () => Promise<void>
  /** A stop covers the run. Called once for each. */
  readonly onStop: (stop: string) => void
  /** The last stop that was reported. */
  stop: string | null
  /** Stops the drive at once: the run may belong to another worker. */
  readonly fence: () => void
}

interface Arrived {
  readonly org: string
  readonly run_id: string
  readonly wakes: number
  /** The stop that covers the run. */
  readonly stop: string | null
}

/**
 * The runs that this process drives, and the one query that asks what has arrived for any of them. A request in the
 * same process need not wait for the next query: see {@link notify}.
 */
export class LiveRuns {
  readonly #pool: pg.Pool
  readonly #everyMs: number
  readonly #runs = new Map<string, LiveRun>()
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> | undefined
  #stopped = false

  constructor(pool: pg.Pool, everyMs: number) {
    this.#pool = pool
    this.#everyMs = everyMs
  }

  get size(): number {
    return this.#runs.size
  }

  all(): Iterable<LiveRun> {
    return this.#runs.values()
  }

  add(run: LiveRun): void {
    this.#runs.set(keyOf(run), run)
    this.#lookLater()
  }

  remove(run: LiveRun): void {
    if (this.#runs.get(keyOf(run)) === run) this.#runs.delete(keyOf(run))
  }

  /** Looks now if this process drives the run. */
  notify(org: string, run_id: string): void {
    if (this.#runs.has(keyOf({ org, run_id }))) void this.look()
  }

  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
  }

  /** Errors are ignored: the next look may succeed. */
  look(): Promise<void> {
    this.#looking ??= this.#look()
      .catch(() => {})
      .finally(() => {
        this.#looking = undefined
      })
    return this.#looking
  }

  #lookLater(): void {
    if (this.#timer !== undefined || this.#stopped || this.#runs.size === 0) return
    this.#timer = setTimeout(async () => {
      this.#timer = undefined
      await this.look()
      this.#lookLater()
    }, this.#everyMs)
  }

  async #look(): Promise<void> {
    const runs = [...this.#runs.values()]
    if (runs.length === 0) return
    const { rows } = await this.#pool.query<Arrived>({
      name: 'look-for-wakes',
      // The first condition about stops is evaluated once: usually no stop is active.
      text: `SELECT p.org, p.run_id, p.wakes, waybill.stop_of(p.org, p.run_id) AS stop
        FROM unnest($1::text[], $2::text[], $3::int[]) AS live (org, run_id, seen)
        JOIN waybill.progress AS p ON p.org = live.org AND p.run_id = live.run_id
        WHERE p.wakes > live.seen OR (
          EXISTS (SELECT FROM waybill.stops WHERE lifted_at IS NULL) AND waybill.stop_of(p.org, p.run_id) IS NOT NULL)`,
      values: [runs.map(({ org }) => org), runs.map(({ run_id }) => run_id), runs.map(({ seen }) => seen)],
    })
    for (const row of rows) {
      const run = this.#runs.get(keyOf(row))
      if (run === undefined) continue
      if (row.stop !== null && row.stop !== run.stop) {
        run.stop = row.stop
        run.onStop(row.stop)
      }
      if (run.seen >= row.wakes) continue
      run.seen = row.wakes
      run.onWake().catch(() => {})
    }
  }
}

function keyOf({ org, run_id }: Pick<LiveRun, 'org' | 'run_id'>): string {
  return `${org}/${run_id}`
}
