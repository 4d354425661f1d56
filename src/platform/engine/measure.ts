import type pg from 'pg'

/** Counts the runs that are not over, and the live workers. Indexes serve both, so it is cheap with many runs. */
export async function measure(engine: pg.Pool): Promise<PlatformNumbers> {
  const { rows } = await engine.query<{ phase: string; count: number }>(`
    SELECT phase, count(*) AS count
    FROM waybill.progress WHERE phase IN ('queued', 'slot', 'set_aside') GROUP BY phase
    UNION ALL SELECT 'parked', count(*) FROM waybill.progress WHERE phase = 'parked'`)
  const workers = await engine.query<{ count: number; oldest_due: number | null }>(`
    SELECT (SELECT count(*) FROM waybill.workers WHERE until > clock_timestamp()) AS count,
      (SELECT extract(epoch FROM clock_timestamp()) * 1000 - min(due_at) FROM waybill.progress
       WHERE phase = 'parked' AND due_at <= extract(epoch FROM clock_timestamp()) * 1000) AS oldest_due`)
  return {
    runs: rows.map(({ phase, count }) => ({ phase, count })),
    workers: workers.rows[0]?.count ?? 0,
    oldest_due_seconds: Math.max(0, Number(workers.rows[0]?.oldest_due ?? 0) / 1000),
  }
}

/** Numbers for `/metrics`, of the whole installation. */
export interface PlatformNumbers {
  readonly runs: readonly { readonly phase: string; readonly count: number }[]
  readonly workers: number
  /** Age of the oldest leg that is due and has not begun, in seconds. */
  readonly oldest_due_seconds: number
}
