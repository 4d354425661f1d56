import { recordsClosed } from '../../../run/record/record-errors.ts'
import type { SlotOptions, SlotRecords, SlotRequest } from '../../../run/record/records.ts'
import { grantNext } from './grant-slots.ts'
import { deadHolders, drawTicket, sweepDeadHolders } from './slot-rows.ts'
import type { StoreParts } from './store-parts.ts'

/** Average polling interval for slots released by other processes, in milliseconds. */
const LOOK_MS = 100

type Release = () => Promise<void>

interface Waiting {
  readonly granted: () => void
  readonly closed: () => void
}

/** A queue of tickets in the database: a process that releases a slot grants it to the next ticket. */
export class SqliteSlots implements SlotRecords {
  readonly #parts: StoreParts
  /** Waiting tickets of this store, with the callbacks that end their wait. */
  readonly #waiting = new Map<number, Waiting>()
  #timer: NodeJS.Timeout | undefined
  #closed = false

  constructor(parts: StoreParts) {
    this.#parts = parts
  }

  async take(request: SlotRequest, { signal, wait = true, onWait }: SlotOptions = {}): Promise<Release> {
    signal?.throwIfAborted()
    const { group, locks } = this.#parts
    const queued = await group.write(({ q }) => drawTicket(q, request, wait, locks), { durable: false })
    if (queued.outcome === 'refused') throw queued.error
    const { ticket } = queued
    const release = this.#releaseOf(ticket, request.agent)
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

  /** Ends all waits; the tickets are released with the leases of the process. */
  close(): void {
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

  #releaseOf(ticket: number, agent: string): Release {
    let released: Promise<void> | undefined
    return () => {
      released ??= this.#release(ticket, agent)
      return released
    }
  }

  async #release(ticket: number, agent: string): Promise<void> {
    await this.#parts.group.write(
      ({ q }) => {
        q.run('DELETE FROM slots WHERE ticket = ?', ticket)
        grantNext(q, agent)
      },
      { durable: false },
    )
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
    const { home, group, locks } = this.#parts
    const dead = await home.read(
      (q) => deadHolders(q, locks),
      () => [],
    )
    if (dead.length > 0) await group.write(({ q }) => sweepDeadHolders(q, locks), { durable: false })
    await this.#look()
  }

  async #look(): Promise<void> {
    if (this.#waiting.size === 0 || this.#closed) return
    const granted = await this.#parts.home.read(
      (q) => q.all<{ ticket: number }>('SELECT ticket FROM slots WHERE granted = 1 ORDER BY ticket'),
      () => [],
    )
    for (const { ticket } of granted) {
      this.#waiting.get(ticket)?.granted()
      this.#waiting.delete(ticket)
    }
  }
}
