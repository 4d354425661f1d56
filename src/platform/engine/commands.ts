import type pg from 'pg'
import type { Control } from '../../run/drive/drive-ports.ts'
import type { Sql } from '../database/tenant.ts'

/** What a client asks of a run. It is a row until the run has taken it in. */
export type Command = { readonly type: 'pause' } | { readonly type: 'resume' } | { readonly type: 'cancel' }

export interface StoredCommand {
  readonly n: number
  readonly by: string
  readonly body: Command
}

/**
 * Stores a command, and wakes the run if it is parked; both in the transaction of the caller. A command replaces an
 * opposite one that the run has not taken in.
 */
export async function giveCommand(
  sql: Sql,
  org: string,
  runId: string,
  body: Command,
  by: string,
): Promise<void> {
  if (body.type !== 'cancel')
    await sql.query(
      `DELETE FROM waybill.commands WHERE org = $1 AND run_id = $2 AND body->>'type' IN ('pause', 'resume')`,
      [org, runId],
    )
  await sql.query('INSERT INTO waybill.commands (org, run_id, body, by) VALUES ($1, $2, $3, $4)', [
    org,
    runId,
    JSON.stringify(body),
    by,
  ])
  await sql.query('SELECT waybill.wake($1, $2)', [org, runId])
}

/** Returns the commands that a run has not taken in, oldest first. */
export async function commandsOf(
  engine: pg.Pool,
  org: string,
  runId: string,
): Promise<readonly StoredCommand[]> {
  const { rows } = await engine.query<StoredCommand>({
    name: 'commands-of',
    text: 'SELECT n, by, body FROM waybill.commands WHERE org = $1 AND run_id = $2 ORDER BY n',
    values: [org, runId],
  })
  return rows
}

/** Removes commands whose effect is on record. */
export async function commandsTaken(
  engine: pg.Pool,
  org: string,
  runId: string,
  upTo: number,
): Promise<void> {
  await engine.query('DELETE FROM waybill.commands WHERE org = $1 AND run_id = $2 AND n <= $3', [
    org,
    runId,
    upTo,
  ])
}

/** Stores that a run is to be resumed by its next leg, in the transaction that parks it: a later pause replaces this. */
export async function resumeLater(sql: Sql, org: string, runId: string, by: string): Promise<void> {
  await sql.query('INSERT INTO waybill.commands (org, run_id, body, by) VALUES ($1, $2, $3, $4)', [
    org,
    runId,
    JSON.stringify({ type: 'resume' } satisfies Command),
    by,
  ])
}

/** Gives a command to a run that is being driven. A run that is driven needs no `resume`. */
export function steer(control: Control | undefined, { by, body }: StoredCommand): void {
  if (body.type === 'pause') control?.pause(by)
  else if (body.type === 'cancel') control?.cancel(by)
}
