import { concurrencyDeadlock, concurrencyExceeded } from '../../../run/record/record-errors.ts'
import type { SlotHolder, SlotRequest } from '../../../run/record/records.ts'
import { closesCircle, type SlotTicket } from '../../../run/record/slot-circle.ts'
import type { ProcessLocks } from './process-locks.ts'
import type { Queries } from './queries.ts'

interface SlotRow {
  readonly ticket: number
  readonly agent: string
  readonly agent_name: string
  readonly most: number
  readonly run_id: string
  readonly above: string
  readonly holder: string
  readonly granted: number
}

export type Queued =
  | { readonly outcome: 'granted'; readonly ticket: number }
  | { readonly outcome: 'waiting'; readonly ticket: number; readonly holders: readonly SlotHolder[] }
  | { readonly outcome: 'refused'; readonly error: Error }

/** Draws a ticket, in one transaction with the decision whether its waiting could ever end. */
export function drawTicket(q: Queries, request: SlotRequest, wait: boolean, locks: ProcessLocks): Queued {
  const holder = locks.own(q)
  sweepDeadHolders(q, locks)
  const rows = q.all<SlotRow>('SELECT * FROM slots ORDER BY ticket')
  const mine = rows.filter(({ agent }) => agent === request.agent)
  const held = mine.filter(({ granted }) => granted === 1)
  const free = held.length < request.limit && held.length === mine.length
  if (free) return { outcome: 'granted', ticket: insertTicket(q, request, holder, true) }
  const holders = held.map((row) => holderOf(q, row, locks))
  if (!wait) return { outcome: 'refused', error: concurrencyExceeded(request, holders) }
  const circle = closesCircle({ ...request, granted: false }, rows.map(ticketOf))
  if (circle !== undefined) return { outcome: 'refused', error: concurrencyDeadlock(request, circle) }
  return { outcome: 'waiting', ticket: insertTicket(q, request, holder, false), holders }
}

/** Gives back what dead processes hold or wait for. */
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

function holderOf(q: Queries, { run_id, holder }: SlotRow, locks: ProcessLocks): SlotHolder {
  const pid = locks.pidOf(q, holder)
  return { run_id, ...(pid !== undefined && { pid }) }
}

function ticketOf({ agent, agent_name, most, run_id, above, granted }: SlotRow): SlotTicket {
  return { agent, agent_name, limit: most, run_id, above: JSON.parse(above), granted: granted === 1 }
}
