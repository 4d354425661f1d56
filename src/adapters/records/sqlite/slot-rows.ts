import { defined } from '../../../document/defined.ts'
import type { SlotHolder, SlotRequest } from '../../../run/record/records.ts'
import type { SlotTicket } from '../../../run/record/slot-circle.ts'
import { type DrawnTicket, placeTicket } from '../../../run/record/slot-queue.ts'
import { grantNext } from './grant-slots.ts'
import type { ProcessLocks } from './process-locks.ts'
import type { Queries } from './queries.ts'

interface SlotRow {
  readonly agent: string
  readonly agent_name: string
  readonly most: number
  readonly run_id: string
  readonly above: string
  readonly holder: string
  readonly granted: number
}

interface HeldTicket extends SlotTicket {
  /** The lock of its process. */
  readonly holder: string
}

/** Draws a ticket, and checks for a deadlock in the same transaction. */
export function drawTicket(
  q: Queries,
  request: SlotRequest,
  wait: boolean,
  locks: ProcessLocks,
): DrawnTicket {
  const holder = locks.own(q)
  sweepDeadHolders(q, locks)
  const tickets = q.all<SlotRow>('SELECT * FROM slots ORDER BY ticket').map(ticketOf)
  const placed = placeTicket(request, tickets, wait, (ticket) => holderOf(q, ticket, locks))
  if (placed.outcome === 'refused') return placed
  return { ...placed, ticket: insertTicket(q, request, holder, placed.outcome === 'granted') }
}

/** Releases tickets, and grants the free slots to those that wait. */
export function releaseTickets(q: Queries, tickets: readonly number[]): void {
  for (const ticket of tickets) {
    const freed = q.get<{ agent: string }>('DELETE FROM slots WHERE ticket = ? RETURNING agent', ticket)
    if (freed !== undefined) grantNext(q, freed.agent)
  }
}

/** Releases slots and tickets of dead processes. */
export function sweepDeadHolders(q: Queries, locks: ProcessLocks): void {
  for (const holder of deadHolders(q, locks)) locks.sweep(q, holder)
}

export function deadHolders(q: Queries, locks: ProcessLocks): readonly string[] {
  return q
    .all<{ holder: string }>('SELECT DISTINCT holder FROM slots')
    .map(({ holder }) => holder)
    .filter((holder) => !locks.isLive(holder))
}

function insertTicket(
  q: Queries,
  { agent, agent_name, limit, run_id, above }: SlotRequest,
  holder: string,
  granted: boolean,
): number {
  q.run(
    'INSERT INTO slots (agent, agent_name, most, run_id, above, holder, granted) VALUES (?, ?, ?, ?, ?, ?, ?)',
    agent,
    agent_name,
    limit,
    run_id,
    JSON.stringify(above),
    holder,
    granted ? 1 : 0,
  )
  return q.get<{ ticket: number }>('SELECT last_insert_rowid() AS ticket')?.ticket ?? 0
}

function holderOf(q: Queries, { run_id, holder }: HeldTicket, locks: ProcessLocks): SlotHolder {
  const pid = locks.pidOf(q, holder)
  return { run_id, ...defined({ pid }) }
}

function ticketOf({ most, above, granted, ...row }: SlotRow): HeldTicket {
  return { ...row, limit: most, above: JSON.parse(above), granted: granted === 1 }
}
