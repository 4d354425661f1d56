import { sql } from '../database/sql.ts'
import type { Sql } from '../database/tenant.ts'
import type { FiringState } from './trigger.ts'
import type { FiringRow } from './trigger-rows.ts'

/** How often a firing that waits for a run looks at it, if nothing wakes it, in seconds. */
const LOOK_SECONDS = 30

/** Firings of one trigger that wait; the next one is skipped. */
const MOST_QUEUED = 100

/** Records what became of a firing that is not settled. */
export async function setState(
  on: Sql,
  { org, trigger, slot }: FiringRow,
  state: FiringState,
  why: string,
): Promise<void> {
  const waits = state === 'queued'
  await on.query(
    sql`UPDATE waybill.firings SET state = ${state}, why = ${why},
       due_at = CASE WHEN ${waits} THEN clock_timestamp() + ${LOOK_SECONDS} * interval '1 second' END,
       attempts = CASE WHEN ${waits} THEN 0 ELSE attempts END
     WHERE org = ${org} AND trigger = ${trigger} AND slot = ${slot} AND state IN ('pending', 'queued')`,
  )
}

export interface Behind {
  /** Whether a run of an earlier firing is active, or will be. */
  readonly waits: boolean
  /** Too many firings wait already. */
  readonly full: boolean
  /** The runs that are to be cancelled. */
  readonly cancels: readonly string[]
}

/**
 * Returns what a firing is behind, of the earlier ones of its trigger. The trigger must be locked.
 * @param replaces it replaces them: those that have not started are skipped
 */
export async function isBehind(
  on: Sql,
  { org, trigger, n, state }: FiringRow,
  replaces: boolean,
): Promise<Behind> {
  if (replaces)
    await on.query(
      `UPDATE waybill.firings SET state = 'skipped', why = 'a later firing has replaced it', due_at = NULL
       WHERE org = $1 AND trigger = $2 AND n < $3 AND state IN ('pending', 'queued')`,
      [org, trigger, n],
    )
  const { rows } = await on.query<{ open: string; active: readonly string[] }>(
    `SELECT (SELECT count(*) FROM waybill.firings WHERE org = $1 AND trigger = $2 AND n < $3
         AND state IN ('pending', 'queued')) AS open,
       ARRAY(SELECT f.run_id FROM waybill.firings AS f JOIN waybill.progress AS p ON p.org = f.org AND p.run_id = f.run_id
         WHERE f.org = $1 AND f.trigger = $2 AND f.n < $3 AND f.active
           AND p.status IN ('running', 'waiting', 'paused') AND p.phase NOT IN ('over', 'moved', 'set_aside')) AS active`,
    [org, trigger, n],
  )
  const { open = '0', active = [] } = rows[0] ?? {}
  const waits = Number(open) > 0 || active.length > 0
  // Its runs were cancelled when it was queued.
  const cancels = replaces && state === 'pending' ? active : []
  return { waits, full: Number(open) >= MOST_QUEUED, cancels }
}
