import type pg from 'pg'
import { readCron } from '../../schema/cron-schedule.ts'
import { inOrganisation, type Sql } from '../database/tenant.ts'
import { dueSlots } from './due-slots.ts'
import type { TriggerSettings } from './trigger.ts'
import { FIRING, type FiringRow, insertFiring, settingsIn } from './trigger-rows.ts'

/** Schedules, and firings, that one search returns. */
const BATCH = 100

const DAY_SECONDS = 86_400

/**
 * Stores the firings of all schedules whose time has come. A slot is a row, so it fires once, whatever number of workers
 * look at the same time, and with it the time of the next slot changes.
 * One that cannot be read must not hold up the others.
 * @param failed receives the error of such a schedule
 * @returns how many schedules have fired
 */
export async function fireSchedules(
  engine: pg.Pool,
  failed: (trigger: string, error: unknown) => void,
): Promise<number> {
  const { rows } = await engine.query<{ org: string; id: string }>({
    name: 'due-schedules',
    text: `SELECT org, id FROM waybill.triggers WHERE enabled AND next_at <= clock_timestamp()
      ORDER BY next_at LIMIT ${BATCH}`,
  })
  let fired = 0
  for (const { org, id } of rows) {
    try {
      if (await inOrganisation(engine, org, (sql) => fireSchedule(sql, org, id))) fired++
    } catch (error) {
      failed(id, error)
    }
  }
  return fired
}

/** @returns false if another worker was faster */
async function fireSchedule(sql: Sql, org: string, id: string): Promise<boolean> {
  const { rows } = await sql.query<{ settings: string; next_at: Date; now: Date }>(
    `SELECT settings, next_at, clock_timestamp() AS now FROM waybill.triggers
     WHERE org = $1 AND id = $2 AND enabled AND next_at <= clock_timestamp() FOR NO KEY UPDATE SKIP LOCKED`,
    [org, id],
  )
  const [row] = rows
  if (row === undefined) return false
  const { schedule = '', timezone, missed = 'latest', catch_up_seconds = DAY_SECONDS } = settingsIn(row)
  const read = readCron(schedule, timezone)
  if (!read.ok) {
    await disableTrigger(sql, org, id, `its schedule ${read.reason}`)
    return true
  }
  const due = dueSlots(read.next, row.next_at, row.now, { missed, catchUpMs: catch_up_seconds * 1000 })
  if (due.missed !== null) {
    const many = due.missedCount === undefined ? 'more than 100' : String(due.missedCount)
    await insertFiring(sql, org, id, {
      slot: due.missed.toISOString(),
      payload: schedulePayload(settingsIn(row), due.missed),
      state: 'missed',
      why: `${many} of its times passed while no worker ran; this is the last of them`,
    })
  }
  for (const slot of due.fire)
    await insertFiring(sql, org, id, {
      slot: slot.toISOString(),
      payload: schedulePayload(settingsIn(row), slot),
    })
  await sql.query('UPDATE waybill.triggers SET next_at = $3 WHERE org = $1 AND id = $2', [org, id, due.next])
  return true
}

/** Returns the payload of a slot: the same as in `waybill watch`. */
export function schedulePayload({ schedule = '', timezone }: TriggerSettings, at: Date) {
  return {
    type: 'schedule',
    schedule,
    ...(timezone !== undefined && { timezone }),
    at: at.toISOString(),
  }
}

/** Returns the first slot of a schedule after now; null for other settings. */
export function nextSlot({ schedule, timezone }: TriggerSettings, now: Date): Date | null {
  if (schedule === undefined) return null
  const read = readCron(schedule, timezone)
  return read.ok ? read.next(now) : null
}

export async function disableTrigger(sql: Sql, org: string, id: string, why: string): Promise<void> {
  await sql.query(
    `UPDATE waybill.triggers SET enabled = false, why = $3, next_at = NULL WHERE org = $1 AND id = $2`,
    [org, id, why],
  )
}

/** Claims firings that are due, oldest first. A process that dies leaves a claim that ends by itself. */
export async function claimFirings(
  engine: pg.Pool,
  claimMs: number,
  most: number,
): Promise<readonly FiringRow[]> {
  const { rows } = await engine.query<FiringRow>({
    name: 'claim-firings',
    text: `UPDATE waybill.firings SET due_at = clock_timestamp() + $1 * interval '1 ms', attempts = attempts + 1
      WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM waybill.firings WHERE due_at <= clock_timestamp() ORDER BY due_at, n LIMIT $2
        FOR UPDATE SKIP LOCKED)) RETURNING ${FIRING}`,
    values: [claimMs, most],
  })
  return rows.toSorted((a, b) => a.n - b.n)
}
