import { concurrencyDeadlock, concurrencyExceeded } from './record-errors.ts'
import type { SlotHolder, SlotRequest } from './records.ts'
import { closesCircle, type SlotTicket } from './slot-circle.ts'

/** The rules of the queue for slots, which every store applies. Tickets are in the order of the requests. */

export type Placed =
  | { readonly outcome: 'granted' }
  | { readonly outcome: 'waiting'; readonly holders: readonly SlotHolder[] }
  /** CONCURRENCY_EXCEEDED or CONCURRENCY_DEADLOCK. */
  | { readonly outcome: 'refused'; readonly error: Error }

/** A request with its ticket, unless it is refused. */
export type DrawnTicket =
  | Extract<Placed, { readonly outcome: 'refused' }>
  | (Exclude<Placed, { readonly outcome: 'refused' }> & { readonly ticket: number })

/**
 * Decides about a request that is the last in the queue.
 * @param tickets all others whose process is alive, of all agents
 * @param wait false: refuse instead of waiting
 */
export function placeTicket<Ticket extends SlotTicket>(
  request: SlotRequest,
  tickets: readonly Ticket[],
  wait: boolean,
  holderOf: (ticket: Ticket) => SlotHolder,
): Placed {
  const mine = tickets.filter(({ agent }) => agent === request.agent)
  const held = mine.filter(({ granted }) => granted)
  // A free slot belongs to the tickets that wait already.
  if (held.length < request.limit && held.length === mine.length) return { outcome: 'granted' }
  const holders = held.map(holderOf)
  if (!wait) return { outcome: 'refused', error: concurrencyExceeded(request, holders) }
  const circle = closesCircle({ ...request, granted: false }, tickets)
  if (circle !== undefined) return { outcome: 'refused', error: concurrencyDeadlock(request, circle) }
  return { outcome: 'waiting', holders }
}

/**
 * Finds the waiting tickets of one agent that can be granted now. The first that cannot be granted blocks those
 * behind it: otherwise a ticket with a low limit would wait for as long as others arrive.
 * @param mine all tickets of the agent
 */
export function nextGranted<Ticket extends Pick<SlotTicket, 'limit' | 'granted'>>(
  mine: readonly Ticket[],
): readonly Ticket[] {
  let held = mine.filter(({ granted }) => granted).length
  const next: Ticket[] = []
  for (const ticket of mine) {
    if (ticket.granted) continue
    if (held >= ticket.limit) break
    held++
    next.push(ticket)
  }
  return next
}
