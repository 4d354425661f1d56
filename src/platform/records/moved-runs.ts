import type { MovedTo } from '../../run/record/moved-to.ts'
import { runAway } from '../../run/record/record-errors.ts'
import { originalText, storedText } from '../database/stored-text.ts'
import type { Sql } from '../database/tenant.ts'

/** @throws RUN_MOVING, RUN_MOVED if the run, or the root of a sub-agent's run, is not here any more */
export async function assertHere(sql: Sql, org: string, runId: string): Promise<void> {
  const moved = (await movedTo(sql, org, [runId])).get(runId)
  if (moved !== undefined) throw runAway(runId, moved)
}

/** Returns where runs move or have moved to, by the ids of those that are not here. */
export async function movedTo(
  sql: Sql,
  org: string,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, MovedTo>> {
  const { rows } = await sql.query<{ run_id: string; moved: StoredAway | null }>(
    'SELECT run_id, waybill.moved_to($1, run_id) AS moved FROM unnest($2::text[]) AS run_id',
    [org, runIds.map(storedText)],
  )
  return new Map(
    rows.flatMap(({ run_id, moved }) => (moved === null ? [] : [[originalText(run_id), readAway(moved)]])),
  )
}

export function readAway({ phase, target, run_id, receiver }: StoredAway): MovedTo {
  return {
    phase,
    owner: target ?? 'another platform',
    run_id: run_id === null ? null : originalText(run_id),
    ...(phase === 'moved' && receiver !== null && { receiver }),
  }
}

export interface StoredAway {
  readonly phase: MovedTo['phase']
  readonly target: string | null
  readonly run_id: string | null
  readonly receiver: 'unknown' | null
}
