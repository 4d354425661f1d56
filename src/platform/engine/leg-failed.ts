import type pg from 'pg'
import type { Leg } from './leg-queue.ts'

/** A leg that fails so often in a row is set aside. */
const FAILURES = 5

/** Pauses before a leg is tried again, in milliseconds; the last one is repeated. */
const PAUSES_MS = [1000, 5000, 30_000, 120_000]

/**
 * Parks a run whose leg could not be performed, for example because a secret is missing, until its next try; after the
 * last try it is set aside with the reason. The run itself is not changed.
 * @param options counts: false for a failure that is not the run's, after which it is always tried again
 */
export async function legFailed(
  engine: pg.Pool,
  { org, run_id, n }: Leg,
  why: string,
  { counts = true }: { readonly counts?: boolean } = {},
): Promise<void> {
  await engine.query(
    `UPDATE waybill.progress SET failures = failures + $6, why = $4, holder = NULL,
       phase = CASE WHEN failures + $6 >= ${FAILURES} THEN 'set_aside' ELSE 'parked' END,
       due_at = CASE WHEN failures + $6 < ${FAILURES}
         THEN (extract(epoch FROM clock_timestamp()) * 1000)::bigint + ($5::bigint[])[least(failures + 1, ${PAUSES_MS.length})] END
     WHERE org = $1 AND run_id = $2 AND leg = $3 AND phase = 'queued'`,
    [org, run_id, n, why.slice(0, 2000), PAUSES_MS, counts ? 1 : 0],
  )
}
