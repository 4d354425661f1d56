import type { SlotRequest } from '../../run/record/records.ts'
import type { SlotTicket } from '../../run/record/slot-circle.ts'
import { type DrawnTicket, nextGranted, placeTicket } from '../../run/record/slot-queue.ts'
import { originalText, storedText } from '../database/stored-text.ts'
import type { Sql } from '../database/tenant.ts'

interface SlotRow {
  readonly agent: string
  readonly agent_name: string
  readonly most: number
  readonly run_id: string
  readonly above: SlotRequest['above']
  readonly granted: boolean
}

/** Draws a ticket, and checks for a deadlock in the same transaction. */
export async function drawTicket(
  sql: Sql,
  org: string,
  worker: string,
  { agent, agent_name, limit, run_id, above }: SlotRequest,
  wait: boolean,
): Promise<DrawnTicket> {
  await lockSlots(sql, org)
  await sweepDeadHolders(sql, org)
  const { rows } = await sql.query<SlotRow>(
    'SELECT agent, agent_name, most, run_id, above, granted FROM waybill.slots WHERE org = $1 ORDER BY ticket',
    [org],
  )
  const request = { agent, agent_name, limit, run_id, above }
  const placed = placeTicket(request, rows.map(ticketOf), wait, (ticket) => ({ run_id: ticket.run_id }))
  if (placed.outcome === 'refused') return placed
  const inserted = await sql.query<{ ticket: number }>(
    `INSERT INTO waybill.slots (org, agent, agent_name, most, run_id, above, holder, granted)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING ticket`,
    [
      org,
      storedText(agent),
      storedText(agent_name),
      limit,
      storedText(run_id),
      JSON.stringify(above.map((run) => ({ agent: storedText(run.agent), run_id: storedText(run.run_id) }))),
      worker,
      placed.outcome === 'granted',
    ],
  )
  return { ...placed, ticket: inserted.rows[0]?.ticket ?? 0 }
}

/** Releases tickets, and grants the free slots to those that wait. */
export async function releaseTickets(sql: Sql, org: string, tickets: readonly number[]): Promise<void> {
  await lockSlots(sql, org)
  const { rows } = await sql.query<{ agent: string }>(
    'DELETE FROM waybill.slots WHERE org = $1 AND ticket = ANY($2) RETURNING agent',
    [org, tickets],
  )
  await grantNext(sql, org, rows)
}

/** Releases the slots and tickets of dead workers. The lock of the slots must be held. */
async function sweepDeadHolders(sql: Sql, org: string): Promise<void> {
  const { rows } = await sql.query<{ agent: string }>(
    'DELETE FROM waybill.slots WHERE org = $1 AND holder = ANY($2) RETURNING agent',
    [org, await deadHolders(sql, org)],
  )
  await grantNext(sql, org, rows)
}

export async function releaseDeadHolders(sql: Sql, org: string): Promise<void> {
  await lockSlots(sql, org)
  await sweepDeadHolders(sql, org)
}

export async function deadHolders(sql: Sql, org: string): Promise<readonly string[]> {
  const { rows } = await sql.query<{ holder: string }>(
    `SELECT holder FROM (SELECT DISTINCT holder FROM waybill.slots WHERE org = $1 AND holder IS NOT NULL) AS h
     WHERE NOT waybill.is_live(holder)`,
    [org],
  )
  return rows.map(({ holder }) => holder)
}

/** One transaction at a time changes the queue of an organisation: a deadlock is found among all its tickets. */
async function lockSlots(sql: Sql, org: string): Promise<void> {
  await sql.query(`SELECT pg_advisory_xact_lock(hashtextextended('waybill.slots ' || $1, 0))`, [org])
}

/** Grants the free slots of agents in the order of the requests. A parked run that gets one is woken. */
async function grantNext(sql: Sql, org: string, freed: readonly { readonly agent: string }[]): Promise<void> {
  for (const agent of new Set(freed.map((one) => one.agent))) {
    const { rows } = await sql.query<{ ticket: number; most: number; granted: boolean }>(
      'SELECT ticket, most, granted FROM waybill.slots WHERE org = $1 AND agent = $2 ORDER BY ticket',
      [org, agent],
    )
    const next = nextGranted(rows.map(({ most, ...row }) => ({ ...row, limit: most })))
    if (next.length === 0) continue
    await sql.query(
      `WITH given AS (
         UPDATE waybill.slots SET granted = true WHERE org = $1 AND ticket = ANY($2) RETURNING run_id, holder
       )
       SELECT waybill.wake($1, run_id) FROM given WHERE holder IS NULL`,
      [org, next.map(({ ticket }) => ticket)],
    )
  }
}

function ticketOf({ agent, agent_name, most, run_id, above, granted }: SlotRow): SlotTicket {
  return {
    agent: originalText(agent),
    agent_name: originalText(agent_name),
    limit: most,
    run_id: originalText(run_id),
    above: above.map((run) => ({ agent: originalText(run.agent), run_id: originalText(run.run_id) })),
    granted,
  }
}
