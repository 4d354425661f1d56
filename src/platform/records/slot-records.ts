import { recordsClosed } from '../../run/record/record-errors.ts'
import type { SlotOptions, SlotRecords, SlotRequest } from '../../run/record/records.ts'
import { deadHolders, drawTicket, releaseDeadHolders, releaseTickets } from './slot-rows.ts'
import type { StoreParts } from './store-parts.ts'

/** Average polling interval for slots that other processes release, in milliseconds. */
const LOOK_MS = 100

type Release = () => Promise<void>

interface Waiting {
  readonly granted: () => void
  readonly closed: () => void
}

/** A queue of tickets in the database: a process that releases a slot grants it to the next ticket. */
export class PostgresSlots implements SlotRecords {
  readonly #parts: StoreParts
  /** Waiting tickets of this store, with the callbacks that end their wait. */
  readonly #waiting = new Map<number, Waiting>()
  readonly #tickets = new Set<number>()
  #timer: NodeJS.Timeout | undefined
  #closed = false

  constructor(parts: StoreParts) {
    this.#parts = parts
  }

  async take(request: SlotRequest, { signal, wait = true, onWait }: SlotOptions = {}): Promise<Release> {
    signal?.throwIfAborted()
    const { store } = this.#parts
    const worker = store.assertWorker()
    const queued = await store.write((sql) => drawTicket(sql, store.org, worker, request, wait))
    if (queued.outcome === 'refused') throw queued.error
    const { ticket } = queued
    this.#tickets.add(ticket)
    const release = this.#releaseOf(ticket)
    try {
      if (queued.outcome === 'waiting') {
        onWait?.(queued.holders)
        await this.#granted(ticket, signal)
      }
      signal?.throwIfAborted()
      return release
    } catch (error) {
      this.#waiting.delete(ticket)
      // The first error is the reason.
      await release().catch(() => {})
      throw error
    }
  }

  /** Ends all waits, and releases the tickets of this store. */
  async close(): Promise<void> {
    this.stop()
    const { store } = this.#parts
    const tickets = [...this.#tickets]
    this.#tickets.clear()
    if (tickets.length > 0) await store.write((sql) => releaseTickets(sql, store.org, tickets))
  }

  /** Ends all waits without releasing tickets, like a crashed process. */
  stop(): void {
    this.#closed = true
    clearTimeout(this.#timer)
    for (const { closed } of this.#waiting.values()) closed()
    this.#waiting.clear()
  }

  #granted(ticket: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const aborted = () => reject(signal?.reason)
      signal?.addEventListener('abort', aborted, { once: true })
      const ended = () => signal?.removeEventListener('abort', aborted)
      this.#waiting.set(ticket, {
        granted: () => {
          ended()
          resolve()
        },
        closed: () => {
          ended()
          reject(recordsClosed())
        },
      })
      if (signal?.aborted) aborted()
      if (this.#closed) reject(recordsClosed())
      this.#lookLater()
    })
  }

  #releaseOf(ticket: number): Release {
    let released: Promise<void> | undefined
    return () => {
      released ??= this.#release(ticket)
      return released
    }
  }

  async #release(ticket: number): Promise<void> {
    // Closing the store has released it already, or a crash will.
    if (!this.#tickets.delete(ticket)) return
    const { store } = this.#parts
    await store.write((sql) => releaseTickets(sql, store.org, [ticket]))
    // Tickets of this process that were granted need not wait for the next poll.
    await this.#look()
  }

  #lookLater(): void {
    if (this.#timer !== undefined || this.#waiting.size === 0 || this.#closed) return
    this.#timer = setTimeout(
      async () => {
        this.#timer = undefined
        // An error does not end a wait: the next poll may succeed.
        await this.#lookForDead().catch(() => {})
        this.#lookLater()
      },
      LOOK_MS * (0.5 + Math.random()),
    )
  }

  async #lookForDead(): Promise<void> {
    const { store } = this.#parts
    const dead = await store.read((sql) => deadHolders(sql, store.org))
    if (dead.length > 0 && !this.#closed) await store.write((sql) => releaseDeadHolders(sql, store.org))
    await this.#look()
  }

  async #look(): Promise<void> {
    if (this.#waiting.size === 0 || this.#closed) return
    const { store } = this.#parts
    const granted = await store.read(async (sql) => {
      const { rows } = await sql.query<{ ticket: number }>(
        'SELECT ticket FROM waybill.slots WHERE org = $1 AND ticket = ANY($2) AND granted ORDER BY ticket',
        [store.org, [...this.#waiting.keys()]],
      )
      return rows
    })
    for (const { ticket } of granted) {
      this.#waiting.get(ticket)?.granted()
      this.#waiting.delete(ticket)
    }
  }
}
