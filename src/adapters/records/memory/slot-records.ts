import { recordsClosed } from '../../../run/record/record-errors.ts'
import type { SlotOptions, SlotRecords, SlotRequest } from '../../../run/record/records.ts'
import { nextGranted, placeTicket } from '../../../run/record/slot-queue.ts'
import type { MemoryPlace, PlacedTicket } from './memory-place.ts'

type Release = () => void

/** Slots in memory: a free slot is granted immediately, otherwise a promise waits for it. */
export class MemorySlots implements SlotRecords {
  readonly #place: MemoryPlace
  readonly #view: object

  constructor(place: MemoryPlace, view: object) {
    this.#place = place
    this.#view = view
  }

  take(request: SlotRequest, { signal, wait = true, onWait }: SlotOptions = {}): Release | Promise<Release> {
    signal?.throwIfAborted()
    sweepDead(this.#place)
    const { tickets } = this.#place
    const { promise, resolve, reject } = Promise.withResolvers<Release>()
    const ticket: PlacedTicket = {
      ...request,
      holder: this.#view,
      granted: false,
      grantedNow: () => resolve(release),
      closed: () => reject(recordsClosed()),
    }
    const release = () => this.#give(ticket)
    const placed = placeTicket(request, tickets, wait, ({ run_id }) => ({ run_id, pid: process.pid }))
    if (placed.outcome === 'refused') throw placed.error
    ticket.granted = placed.outcome === 'granted'
    tickets.push(ticket)
    if (placed.outcome === 'granted') return release
    const aborted = () => {
      this.#give(ticket)
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', aborted, { once: true })
    onWait?.(placed.holders)
    return promise
      .finally(() => signal?.removeEventListener('abort', aborted))
      .then((give) => {
        // Aborted after it was granted: the slot already belongs to another run.
        if (signal?.aborted !== true) return give
        give()
        throw signal.reason
      })
  }

  /** Releases all slots of this view. */
  releaseAll(): void {
    for (const ticket of this.#place.tickets.filter(({ holder }) => holder === this.#view)) {
      if (!ticket.granted) ticket.closed()
      this.#give(ticket)
    }
  }

  #give(ticket: PlacedTicket): void {
    const { tickets } = this.#place
    const index = tickets.indexOf(ticket)
    if (index === -1) return
    tickets.splice(index, 1)
    grantNext(this.#place, ticket.agent)
  }
}

/** Removes the tickets of crashed views, and grants slots to those that waited for them. */
export function sweepDead(place: MemoryPlace): void {
  const dead = place.tickets.filter(({ holder }) => !place.live.has(holder))
  if (dead.length === 0) return
  place.tickets = place.tickets.filter(({ holder }) => place.live.has(holder))
  for (const agent of new Set(dead.map((ticket) => ticket.agent))) grantNext(place, agent)
}

function grantNext(place: MemoryPlace, agent: string): void {
  const mine = place.tickets.filter((ticket) => ticket.agent === agent)
  for (const ticket of nextGranted(mine)) {
    ticket.granted = true
    ticket.grantedNow()
  }
}
