import type pg from 'pg'
import { WaybillError } from '../../document/issue.ts'
import type { ConfigRetention } from '../../settings/config-schema.ts'
import { originalText } from '../database/stored-text.ts'
import { inOrganisation } from '../database/tenant.ts'
import { PLATFORM } from '../engine/leg.ts'
import type { RemovalParts } from './perform-erasure.ts'
import { removeRootRun } from './remove-root-run.ts'

/** Runs or items that one call removes. */
const BATCH = 200

const DAY_MS = 86_400_000

/** Removes what an organisation no longer keeps, at most {@link BATCH} of each kind. @returns whether there may be more */
export async function removeExpired(
  parts: RemovalParts,
  org: string,
  { runs_days, memory_days }: ConfigRetention,
  now = Date.now(),
): Promise<boolean> {
  const runs = runs_days === undefined ? 0 : await removeRuns(parts, org, now - runs_days * DAY_MS)
  const items =
    memory_days === undefined ? 0 : await removeItems(parts.engine, org, now - memory_days * DAY_MS)
  return runs === BATCH || items === BATCH
}

async function removeRuns(
  { engine, nextEntry, removeKey }: RemovalParts,
  org: string,
  before: number,
): Promise<number> {
  const { rows } = await engine.query<{ run_id: string }>(
    `SELECT r.run_id FROM waybill.runs AS r JOIN waybill.progress AS p USING (org, run_id)
     WHERE r.org = $1 AND r.parent IS NULL AND r.created_at < $2 AND p.phase IN ('over', 'moved') AND p.updated_at < $2
     ORDER BY r.created_at LIMIT ${BATCH}`,
    [org, before],
  )
  let roots = 0
  for (const { run_id } of rows) {
    const removal = { org, nextEntry, by: PLATFORM, why: 'retention' as const, endedBefore: before }
    const removed = await inOrganisation(engine, org, (sql) =>
      removeRootRun(sql, originalText(run_id), removal),
    ).catch(alreadyGone)
    for (const run of removed) removeKey(run)
    if (removed.length > 0) roots++
  }
  return roots
}

/** Another worker was faster, or a worker has opened the run again. */
function alreadyGone(error: unknown): readonly string[] {
  if (error instanceof WaybillError && ['RUN_NOT_FOUND', 'RUN_LOCKED'].includes(error.code)) return []
  throw error
}

async function removeItems(engine: pg.Pool, org: string, before: number): Promise<number> {
  const { rowCount } = await engine.query(
    `DELETE FROM waybill.items WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM waybill.items WHERE org = $1 AND saved_at < $2 LIMIT ${BATCH})) AND saved_at < $2`,
    [org, before],
  )
  return rowCount ?? 0
}
