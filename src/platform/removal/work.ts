import { messageOf } from '../../document/message-of.ts'
import type { ConfigRetention } from '../../settings/config-schema.ts'
import type { Work, WorkHost } from '../engine/work.ts'
import { removeExpired } from './expired.ts'
import {
  type PendingErasure,
  pendingErasures,
  performErasure,
  type RemovalParts,
  transactionsUntilNow,
} from './perform-erasure.ts'

export interface RemovalOptions extends Pick<RemovalParts, 'nextEntry' | 'erase' | 'removeKey'> {
  /** What an organisation keeps. */
  readonly retentionOf: (org: string) => ConfigRetention
  /** How often what has expired is searched. Default 5 minutes. */
  readonly everyMs?: number
}

const EVERY_MS = 300_000

/** Does what a worker does to remove data: erasures of users, and what organisations no longer keep. */
export class RemovalWorker implements Work {
  readonly name = 'erasures'
  readonly due = 'EXISTS (SELECT 1 FROM waybill.erasures WHERE removed_at IS NULL)'
  readonly #parts: RemovalParts
  readonly #options: RemovalOptions
  readonly #log: (level: 'warn', message: string) => void
  /** By erasure: the transactions that it waits for. */
  readonly #fences = new Map<string, bigint>()
  #working: Promise<void> | undefined
  #isStopped = false
  #expiredAt = Number.NEGATIVE_INFINITY

  constructor({ engine, log }: Pick<WorkHost, 'engine' | 'log'>, options: RemovalOptions) {
    const { nextEntry, erase, removeKey } = options
    this.#parts = { engine, nextEntry, erase, removeKey }
    this.#options = options
    this.#log = log
  }

  look(isDue: boolean): void {
    const { everyMs = EVERY_MS } = this.#options
    const isTime = performance.now() - this.#expiredAt > everyMs
    if (this.#isStopped || !(isDue || isTime)) return
    this.#working ??= this.#perform(isTime).finally(() => {
      this.#working = undefined
    })
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#working
  }

  async #perform(isTime: boolean): Promise<void> {
    try {
      const pending = await pendingErasures(this.#parts.engine)
      for (const erasure of pending) await this.#erase(erasure)
      for (const id of this.#fences.keys()) if (!pending.some((one) => one.id === id)) this.#fences.delete(id)
      if (!isTime) return
      this.#expiredAt = performance.now()
      for (const org of await this.#organisations()) await this.#expire(org)
    } catch (error) {
      this.#log('warn', `the removal of data is delayed: ${messageOf(error)}`)
    }
  }

  async #erase(erasure: PendingErasure): Promise<void> {
    const { engine } = this.#parts
    const fence = this.#fences.get(erasure.id) ?? (await transactionsUntilNow(engine))
    this.#fences.set(erasure.id, fence)
    try {
      let step = 'more'
      while (step === 'more' && !this.#isStopped) step = await performErasure(this.#parts, erasure, fence)
    } catch (error) {
      this.#log('warn', `the erasure ${erasure.id} of ${erasure.org} is delayed: ${messageOf(error)}`)
    }
  }

  async #expire(org: string): Promise<void> {
    try {
      const retention = this.#options.retentionOf(org)
      let hasMore = true
      while (hasMore && !this.#isStopped) hasMore = await removeExpired(this.#parts, org, retention)
    } catch (error) {
      this.#log('warn', `old data of ${org} was not removed: ${messageOf(error)}`)
    }
  }

  async #organisations(): Promise<readonly string[]> {
    const { rows } = await this.#parts.engine.query<{ org: string }>('SELECT org FROM waybill.organisations')
    return rows.map(({ org }) => org)
  }
}
