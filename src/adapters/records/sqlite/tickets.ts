import type { TicketTable } from '../../../run/record/ticket-slots.ts'
import { deadHolders, drawTicket, releaseTickets, sweepDeadHolders } from './slot-rows.ts'
import type { StoreParts } from './store-parts.ts'

export function sqliteTickets({ home, group, locks }: StoreParts): TicketTable {
  return {
    draw: (request, wait) => group.write(({ q }) => drawTicket(q, request, wait, locks), { durable: false }),
    release: (tickets) => group.write(({ q }) => releaseTickets(q, tickets), { durable: false }),
    async releaseDead() {
      const dead = await home.read(
        (q) => deadHolders(q, locks),
        () => [],
      )
      if (dead.length > 0) await group.write(({ q }) => sweepDeadHolders(q, locks), { durable: false })
    },
    async granted() {
      const rows = await home.read(
        (q) => q.all<{ ticket: number }>('SELECT ticket FROM slots WHERE granted = 1 ORDER BY ticket'),
        () => [],
      )
      return rows.map(({ ticket }) => ticket)
    },
  }
}
