import { nextGranted } from '../../../run/record/slot-queue.ts'
import type { Queries } from './queries.ts'

interface TicketRow {
  readonly ticket: number
  readonly most: number
  readonly granted: number
}

/** Grants the free slots of an agent in the order of the requests, across processes. */
export function grantNext(q: Queries, agent: string): void {
  const rows = q.all<TicketRow>(
    'SELECT ticket, most, granted FROM slots WHERE agent = ? ORDER BY ticket',
    agent,
  )
  const mine = rows.map(({ ticket, most, granted }) => ({ ticket, limit: most, granted: granted === 1 }))
  for (const { ticket } of nextGranted(mine)) q.run('UPDATE slots SET granted = 1 WHERE ticket = ?', ticket)
}
