import { concurrencyDeadlock, concurrencyExceeded, recordsClosed } from '../../../run/record/record-errors.ts'
import type { SlotOptions, SlotRecords, SlotRequest } from '../../../run/record/records.ts'
import { closesCircle } from '../../../run/record/slot-circle.ts'
import type { MemoryPlace, PlacedTicket } from './memory-place.ts'

type Release = () => void

/** Slots in memory: a slot that is free is given at once, else a promise waits for it. */
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
    const mine = tickets.filter(({ agent }) => agent === request.agent)
    const held = mine.filter(({ granted }) => granted)
    if (held.length < request.limit && held.length === mine.length) {
      ticket.granted = true
      tickets.push(ticket)
      return release
    }
    const holders = held.map(({ run_id }) => ({ run_id, pid: process.pid }))
    if (!wait) throw concurrencyExceeded(request, holders)
    const circle = closesCircle(ticket, tickets)
    if (circle !== undefined) throw concurrencyDeadlock(request, circle)
    tickets.push(ticket)
    onWait?.(holders)
    const aborted = () => {
      this.#give(ticket)
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', aborted, { once: true })
    return promise.finally(() => signal?.removeEventListener('abort', aborted))
  }

  /** Gives all slots of this view back. */
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

/** Removes the tickets of views that died, and serves those that waited for them. */
export function sweepDead(place: MemoryPlace): void {
  const dead = place.tickets.filter(({ holder }) => !place.live.has(holder))
  if (dead.length === 0) return
  place.tickets = place.tickets.filter(({ holder }) => place.live.has(holder))
  for (const agent of new Set(dead.map((ticket) => ticket.agent))) grantNext(place, agent)
}

function grantNext(place: MemoryPlace, agent: string): void {
  const mine = place.tickets.filter((ticket) => ticket.agent === agent)
  let held = mine.filter(({ granted }) => granted).length
  for (const ticket of mine) {
    if (ticket.granted) continue
    if (held >= ticket.limit) return
    held++
    ticket.granted = true
    ticket.grantedNow()
  }
}
