import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '../../document/message-of.ts'
import { inOrganisation } from '../database/tenant.ts'
import { type Work, workOf } from '../engine/work.ts'
import { claimFirings, fireSchedules } from './claim-firings.ts'
import { type FiringParts, performFiring } from './perform-firing.ts'
import { type FiringRow, findFiring } from './trigger-rows.ts'

export interface TriggerEngineOptions extends FiringParts {
  readonly log: (level: 'warn', message: string) => void
  /** How long no other process looks at a firing that this one has claimed, in milliseconds. Default 30 s. */
  readonly claimMs?: number
}

/** Firings that one process performs at a time. */
const MOST = 16

const CLAIM_MS = 30_000

/** Performs the firings that are due. Several processes share the work: each firing is claimed before it is performed. */
export class TriggerEngine {
  readonly #options: TriggerEngineOptions
  /** How long no other process looks at a claimed firing, in milliseconds. */
  readonly claimMs: number
  readonly #performing = new Set<Promise<void>>()
  #looking: Promise<void> | undefined
  #again = false
  #stopped = false

  constructor(options: TriggerEngineOptions) {
    this.#options = options
    this.claimMs = options.claimMs ?? CLAIM_MS
  }

  /** Begins to perform what is due. Returns at once. */
  fire(): void {
    if (this.#stopped) return
    this.#again = true
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined
    })
  }

  /**
   * Performs a firing that was stored with a claim of this process, and waits for it at most this long (milliseconds).
   * One that fails for now is performed again when its claim ends.
   */
  async performNow(org: string, trigger: string, slot: string, withinMs: number): Promise<void> {
    const { engine } = this.#options
    const row = await inOrganisation(engine, org, (sql) => findFiring(sql, org, trigger, slot))
    if (row === undefined) return
    await Promise.race([this.#begin(row), sleep(withinMs, undefined, { ref: false })])
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await this.#looking
    await Promise.all(this.#performing)
  }

  async #look(): Promise<void> {
    const { engine, log } = this.#options
    try {
      while (this.#again && !this.#stopped) {
        this.#again = false
        const schedules = await fireSchedules(engine, (id, error) =>
          log('warn', `the schedule of trigger ${id} does not fire: ${messageOf(error)}`),
        )
        const free = MOST - this.#performing.size
        const claimed = free > 0 ? await claimFirings(engine, this.claimMs, free) : []
        for (const firing of claimed) void this.#begin(firing)
        // There may be more than one search returns.
        if (schedules > 0 || claimed.length > 0) this.#again = true
        if (claimed.length === free) await Promise.race(this.#performing)
      }
    } catch (error) {
      log('warn', `triggers are delayed: ${messageOf(error)}`)
    }
  }

  #begin(firing: FiringRow): Promise<void> {
    const one = performFiring(this.#options, firing)
      .catch((error) => this.#options.log('warn', `a firing is tried again: ${messageOf(error)}`))
      .finally(() => this.#performing.delete(one))
    this.#performing.add(one)
    return one
  }
}

/** Returns the work of a worker that performs firings. The engine is stopped by its owner: requests use it too. */
export function firingWork(firings: Pick<TriggerEngine, 'fire'>): Work {
  const due = `coalesce(least(
    (SELECT next_at FROM waybill.triggers WHERE enabled AND next_at IS NOT NULL ORDER BY next_at LIMIT 1),
    (SELECT due_at FROM waybill.firings WHERE due_at IS NOT NULL ORDER BY due_at LIMIT 1)
  ) <= clock_timestamp(), false)`
  return workOf('triggers', due, () => firings.fire())
}
