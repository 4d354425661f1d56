import { recordsClosed } from './record-errors.ts'
import type { SlotOptions, SlotRecords, SlotRequest } from './records.ts'
import type { DrawnTicket } from './slot-queue.ts'

/** Average polling interval for slots that other processes release, in milliseconds. */
const LOOK_MS = 100

/** The table of tickets in a database that several processes share. Each function is one transaction. */
export interface TicketTable {
  draw(request: SlotRequest, wait: boolean): Promise<DrawnTicket>
  /** Deletes tickets, and grants the slots that become free to the next tickets. */
  release(tickets: readonly number[]): Promise<void>
  /** Deletes the tickets of dead processes, and grants their slots. Writes nothing if there are none. */
  releaseDead(): Promise<void>
  /** Returns which of these tickets are granted, in the order of the requests. */
  granted(tickets: readonly number[]): Promise<readonly number[]>
}

type Release = () => Promise<void>

interface Waiting {
  readonly granted: () => void
  readonly closed: () => void
}

/** A queue of tickets in a database: a process that releases a slot grants it to the next ticket. */
export class TicketSlots implements SlotRecords {
  readonly #table: TicketTable
  readonly #tickets = new Set<number>()
  /** Waiting tickets of this process, with the callbacks that end their wait. */
  readonly #waiting = new Map<number, Waiting>()
  #timer: NodeJS.Timeout | undefined
  #closed = false

  constructor(table: TicketTable) {
    this.#table = table
  }

  async take(request: SlotRequest, { signal, wait = true, onWait }: SlotOptions = {}): Promise<Release> {
    signal?.throwIfAborted()
    const drawn = await this.#table.draw(request, wait)
    if (drawn.outcome === 'refused') throw drawn.error
    const { ticket } = drawn
    this.#tickets.add(ticket)
    const release = this.#releaseOf(ticket)
    try {
      if (drawn.outcome === 'waiting') {
        onWait?.(drawn.holders)
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

  /** Ends all waits, and releases the tickets of this process. */
  async close(): Promise<void> {
    this.stop()
    const tickets = [...this.#tickets]
    this.#tickets.clear()
    if (tickets.length > 0) await this.#table.release(tickets)
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
    await this.#table.release([ticket])
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
    if (this.#closed) return
    await this.#table.releaseDead()
    await this.#look()
  }

  async #look(): Promise<void> {
    if (this.#waiting.size === 0 || this.#closed) return
    for (const ticket of await this.#table.granted([...this.#waiting.keys()])) {
      this.#waiting.get(ticket)?.granted()
      this.#waiting.delete(ticket)
    }
  }
}
