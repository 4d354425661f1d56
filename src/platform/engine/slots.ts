import type pg from 'pg'
import { concurrencyOf } from '../../plan/concurrency-of.ts'
import type { Plan } from '../../plan/plan.ts'

/** A run that needs a slot of its agent. */
export interface SlotRun {
  readonly org: string
  readonly run_id: string
  readonly plan: Plan
  /** A batch or a trigger starts it: the default limit of the format applies to an agent that declares none. */
  readonly unattended: boolean
}

/**
 * Takes a slot of an agent for a run, or queues the run for one (AAIF §4.6 runtime.concurrency). A run that waits for
 * its slot holds no process: the release that grants the slot queues its next leg.
 * @returns false: the run must park in phase `slot`
 */
export async function takeSlot(engine: pg.Pool, run: SlotRun, holder: string): Promise<boolean> {
  const limit = limitOf(run)
  if (limit === undefined) return true
  const { org, run_id, plan } = run
  const { rows } = await engine.query<{ granted: boolean }>(
    'SELECT waybill.take_slot($1, $2, $3, $4, $5, $6) AS granted',
    [org, plan.agent_id, plan.agent_name, limit, run_id, holder],
  )
  return rows[0]?.granted === true
}

/**
 * Gives the slot or the ticket back, and queues the run that gets a slot. A repeated call changes nothing, and neither does one of a
 * worker whose run has been taken over with its slot.
 */
export async function releaseSlot(engine: pg.Pool, run: SlotRun, holder: string): Promise<void> {
  if (limitOf(run) === undefined) return
  await engine.query('SELECT waybill.release_slot($1, $2, $3, $4)', [
    run.org,
    run.plan.agent_id,
    run.run_id,
    holder,
  ])
}

function limitOf({ plan, unattended }: SlotRun): number | undefined {
  return plan.rehearsal ? undefined : concurrencyOf(plan.limits, unattended)
}
