import type { TicketTable } from '../../run/record/ticket-slots.ts'
import { deadHolders, drawTicket, releaseDeadHolders, releaseTickets } from './slot-rows.ts'
import type { StoreParts } from './store-parts.ts'

export function postgresTickets({ store }: StoreParts): TicketTable {
  return {
    draw(request, wait) {
      const worker = store.assertWorker()
      return store.write((sql) => drawTicket(sql, store.org, worker, request, wait))
    },
    release: (tickets) => store.write((sql) => releaseTickets(sql, store.org, tickets)),
    async releaseDead() {
      const dead = await store.read((sql) => deadHolders(sql, store.org))
      if (dead.length > 0) await store.write((sql) => releaseDeadHolders(sql, store.org))
    },
    granted: (tickets) =>
      store.read(async (sql) => {
        const { rows } = await sql.query<{ ticket: number }>(
          'SELECT ticket FROM waybill.slots WHERE org = $1 AND ticket = ANY($2) AND granted ORDER BY ticket',
          [store.org, tickets],
        )
        return rows.map(({ ticket }) => ticket)
      }),
  }
}
