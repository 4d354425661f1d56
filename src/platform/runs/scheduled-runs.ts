import type pg from 'pg'
import { inOrganisation } from '../database/tenant.ts'

/** The columns of a run that belong to the queue, beside those of its record. */
export interface Scheduled {
  readonly phase: string
  /** Milliseconds since the epoch. */
  readonly due_at: number | null
  readonly why: string | null
  readonly version: string | null
}

/** A run that no queue knows, such as an imported one. */
export const NOT_SCHEDULED: Scheduled = { phase: 'held', due_at: null, why: null, version: null }

/** Returns the place of runs in the queue, by run id. */
export async function scheduledRuns(
  app: pg.Pool,
  org: string,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, Scheduled>> {
  if (runIds.length === 0) return new Map()
  const { rows } = await inOrganisation(app, org, (sql) =>
    sql.query<Scheduled & { readonly run_id: string }>(
      `SELECT p.run_id, p.phase, p.due_at, p.why, r.version FROM waybill.progress AS p
       JOIN waybill.runs AS r ON r.org = p.org AND r.run_id = p.run_id
       WHERE p.org = $1 AND p.run_id = ANY ($2)`,
      [org, runIds],
    ),
  )
  return new Map(rows.map(({ run_id, ...scheduled }) => [run_id, scheduled]))
}
