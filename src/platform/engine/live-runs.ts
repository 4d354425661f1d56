import type pg from 'pg'

/** A run that this process drives. */
export interface LiveRun {
  readonly org: string
  readonly run_id: string
  /** The last value of `wakes` that this process has seen. */
  seen: number
  /** Something arrived for the run: a decision, a command or a message. */
  readonly onWake: () => Promise<void>
  /** Stops the drive at once: the run may belong to another worker. */
  readonly fence: () => void
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
    const { rows } = await this.#pool.query<{ org: string; run_id: string; wakes: number }>({
      name: 'look-for-wakes',
      text: `SELECT p.org, p.run_id, p.wakes FROM unnest($1::text[], $2::text[], $3::int[]) AS live (org, run_id, seen)
        JOIN waybill.progress AS p ON p.org = live.org AND p.run_id = live.run_id AND p.wakes > live.seen`,
      values: [runs.map(({ org }) => org), runs.map(({ run_id }) => run_id), runs.map(({ seen }) => seen)],
    })
    for (const row of rows) {
      const run = this.#runs.get(keyOf(row))
      if (run === undefined || run.seen >= row.wakes) continue
      run.seen = row.wakes
      run.onWake().catch(() => {})
    }
  }
}

function keyOf({ org, run_id }: Pick<LiveRun, 'org' | 'run_id'>): string {
  return `${org}/${run_id}`
}
