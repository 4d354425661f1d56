import type { Queries } from './queries.ts'

interface TicketRow {
  readonly ticket: number
  readonly most: number
  readonly granted: number
}

/** Grants the free slots of an agent in the order of asking, whichever processes wait for them. */
export function grantNext(q: Queries, agent: string): void {
  const tickets = q.all<TicketRow>(
    'SELECT ticket, most, granted FROM slots WHERE agent = ? ORDER BY ticket',
    agent,
  )
  let held = tickets.filter(({ granted }) => granted === 1).length
  for (const { ticket, most, granted } of tickets) {
    if (granted === 1) continue
    if (held >= most) return
    q.run('UPDATE slots SET granted = 1 WHERE ticket = ?', ticket)
    held++
  }
}
