import type { Principal } from '../../session/principal.ts'
import { originalText, storedText } from '../database/stored-text.ts'
import type { Sql } from '../database/tenant.ts'

/**
 * Returns the members who cause what a principal asks for. A service account has no will of its own: who has made its
 * token acts through it.
 */
export function causersIn({ user, kind, token }: Principal): readonly string[] {
  return kind === 'service' ? [user, ...(token?.makers?.slice(-1) ?? [])] : [user]
}

/** Adds members to those who have caused a run; those of a sub-agent's run are those of its root. */
export async function addCausers(
  sql: Sql,
  org: string,
  runId: string,
  members: readonly string[],
): Promise<void> {
  await sql.query(
    `INSERT INTO waybill.causers (org, run_id, member)
     SELECT DISTINCT $1, coalesce(r.root, r.run_id), m FROM waybill.runs AS r, unnest($3::text[]) AS m
     WHERE r.org = $1 AND r.run_id = $2 ON CONFLICT DO NOTHING`,
    [org, storedText(runId), members.map(storedText)],
  )
}

/** Returns the members who have caused some runs, in alphabetical order. Runs that are not here have none. */
export async function causersOf(
  sql: Sql,
  org: string,
  runIds: readonly string[],
): Promise<readonly string[]> {
  if (runIds.length === 0) return []
  const { rows } = await sql.query<{ member: string }>(
    `SELECT DISTINCT c.member FROM waybill.runs AS r
     JOIN waybill.causers AS c ON c.org = r.org AND c.run_id = coalesce(r.root, r.run_id)
     WHERE r.org = $1 AND r.run_id = ANY ($2)`,
    [org, runIds.map(storedText)],
  )
  return rows.map(({ member }) => originalText(member)).sort()
}
