import { WaybillError } from '../../document/issue.ts'
import type { MoveFailure, MovePhase, StoredState } from '../../run/record/move-records.ts'
import { runNotFound } from '../../run/record/record-errors.ts'
import { MOVER } from '../../session/moves/mover.ts'
import { storedText } from '../database/stored-text.ts'
import type { Sql } from '../database/tenant.ts'
import { giveCommand } from '../engine/commands.ts'
import type { MoveMethod } from './move.ts'

/** A move as it is stored. */
export interface MoveRow {
  readonly jti: string
  readonly run_id: string
  readonly peer: string
  /** The own organisation, as the URI of its place. */
  readonly source: string
  /** The receiver, as the URI of its place. */
  readonly target: string
  /** The receiver fetches the state itself. */
  readonly pull: boolean
  readonly method: MoveMethod
  readonly phase: MovePhase
  readonly by: string
  /** Only the move has paused the run. */
  readonly paused: boolean
  /** Values of personal data are sent with the run: the peer allows it, and can use them. */
  readonly personal_data: boolean
  /** How many were sent. */
  readonly values_sent: number
  readonly document: string | null
  /** The conversation is not in the document, but in the record. */
  readonly apart: boolean
  /** It is streamed over a WebSocket. */
  readonly socket: boolean
  readonly state_id: string | null
  readonly checksum: string | null
  readonly expires_at: Date | null
  readonly target_run_id: string | null
  readonly why: string | null
  readonly code: string | null
  readonly attempts: number
  /** What the receiver has reported since the move; null: that it knows the run, or nothing. */
  readonly receiver: 'unknown' | null
  /** Since it was started, by the clock of the database. */
  readonly age_ms: number
}

const COLUMNS = `jti, run_id, method, peer, source, target, pull, phase, by, paused, document, apart, socket, state_id, checksum,
  expires_at, target_run_id, why, code, attempts, personal_data, values_sent, receiver,
  (extract(epoch FROM clock_timestamp() - created_at) * 1000)::float8 AS age_ms`

export async function moveRow(sql: Sql, org: string, jti: string): Promise<MoveRow | undefined> {
  const { rows } = await sql.query<MoveRow>(
    `SELECT ${COLUMNS} FROM waybill.moves WHERE org = $1 AND jti = $2`,
    [org, storedText(jti)],
  )
  return rows[0]
}

/** As `moveRow`, and no other transaction changes it. */
export async function lockMove(sql: Sql, org: string, jti: string): Promise<MoveRow | undefined> {
  await sql.query('SELECT FROM waybill.moves WHERE org = $1 AND jti = $2 FOR UPDATE', [org, storedText(jti)])
  return moveRow(sql, org, jti)
}

/** Stores that a state is fetched, before it is. */
export async function handOut(sql: Sql, org: string, { jti }: MoveRow): Promise<void> {
  await sql.query(
    `UPDATE waybill.moves SET phase = 'sending' WHERE org = $1 AND jti = $2 AND phase = 'offered'`,
    [org, jti],
  )
}

/** Returns the move of a run that is under way. */
export async function moveOfRun(sql: Sql, org: string, runId: string): Promise<MoveRow | undefined> {
  const { rows } = await sql.query<MoveRow>(
    `SELECT ${COLUMNS} FROM waybill.moves WHERE org = $1 AND run_id = $2 AND ended_at IS NULL`,
    [org, storedText(runId)],
  )
  return rows[0]
}

/** Returns the move by which a run was given away. */
export async function lastMove(sql: Sql, org: string, runId: string): Promise<MoveRow | undefined> {
  const { rows } = await sql.query<MoveRow>(
    `SELECT ${COLUMNS} FROM waybill.moves WHERE org = $1 AND run_id = $2 AND phase = 'moved'`,
    [org, storedText(runId)],
  )
  return rows[0]
}

/** Pauses a run that is to be moved, unless it waits or is paused. */
export async function pauseForMove(sql: Sql, org: string, runId: string): Promise<void> {
  const { rowCount } = await sql.query(
    `SELECT 1 FROM waybill.commands WHERE org = $1 AND run_id = $2 AND body->>'type' = 'pause'`,
    [org, storedText(runId)],
  )
  if (rowCount === 0) await giveCommand(sql, org, storedText(runId), { type: 'pause' }, MOVER)
}

/**
 * Takes a run out of the hands of all workers, if it waits and nothing has arrived for it. From then on only its move
 * changes it. @returns false if it must be tried again
 */
export async function freezeRun(
  sql: Sql,
  org: string,
  { jti, run_id, pull }: MoveRow,
  paused: boolean,
): Promise<boolean> {
  const { rowCount } = await sql.query(
    `UPDATE waybill.progress AS p SET phase = 'moving', epoch = epoch + 1, holder = NULL, due_at = NULL
     WHERE org = $1 AND run_id = $2 AND phase = 'parked' AND (holder IS NULL OR NOT waybill.is_live(holder))
       AND status IN ('waiting', 'paused')
       AND NOT EXISTS (SELECT FROM waybill.commands AS c WHERE c.org = p.org AND c.run_id = p.run_id)
       AND NOT EXISTS (SELECT FROM waybill.stopped_runs AS s WHERE s.org = p.org AND s.run_id = p.run_id)
       AND waybill.stop_of(org, run_id) IS NULL`,
    [org, run_id],
  )
  if (rowCount === 0) return false
  await sql.query(
    `UPDATE waybill.moves SET phase = $4, paused = $3, frozen_at = clock_timestamp(), due_at = clock_timestamp()
     WHERE org = $1 AND jti = $2 AND phase = 'pausing'`,
    [org, jti, paused, pull ? 'offered' : 'sending'],
  )
  return true
}

/** Returns whether the next step of a move can be made at once: another one has ended, or its run waits. */
export async function isReady(sql: Sql, org: string, jti: string): Promise<boolean> {
  const { rowCount } = await sql.query(
    `SELECT 1 FROM waybill.moves AS m JOIN waybill.progress AS p USING (org, run_id)
     WHERE m.org = $1 AND m.jti = $2 AND m.claimed_until IS NULL
       AND (m.phase <> 'pausing' AND m.due_at <= clock_timestamp()
         OR m.phase = 'pausing' AND p.phase NOT IN ('held', 'queued', 'slot'))`,
    [org, jti],
  )
  return rowCount === 1
}

export async function storeState(
  sql: Sql,
  org: string,
  { jti }: MoveRow,
  { document, state_id, checksum, expires_at, apart }: StoredState & Pick<MoveRow, 'apart'>,
  valuesSent: number,
): Promise<void> {
  await sql.query(
    `UPDATE waybill.moves SET document = $3, state_id = $4, checksum = $5, expires_at = $6, values_sent = $7, apart = $8,
       captured_at = clock_timestamp()
     WHERE org = $1 AND jti = $2 AND phase IN ('offered', 'sending') AND document IS NULL`,
    [org, jti, document, state_id, checksum, new Date(expires_at), valuesSent, apart],
  )
}

/** Stores that a move is to be taken back. */
export async function withdrawMove(
  sql: Sql,
  org: string,
  { jti }: MoveRow,
  failure: MoveFailure,
): Promise<void> {
  await sql.query(
    `UPDATE waybill.moves SET phase = 'withdrawing', code = $3, why = $4, attempts = 0, due_at = clock_timestamp()
     WHERE org = $1 AND jti = $2 AND phase = 'sending'`,
    [org, jti, failure.code, storedText(failure.why)],
  )
}

/** Gives a run away. @returns false if the move has ended already */
export async function giveAway(
  sql: Sql,
  org: string,
  move: MoveRow,
  targetRunId: string | null,
): Promise<boolean> {
  const { run_id, jti } = move
  const { rowCount } = await sql.query(
    `UPDATE waybill.moves SET phase = 'moved', ended_at = clock_timestamp(), document = NULL, code = NULL, why = NULL, target_run_id = $3
     WHERE org = $1 AND jti = $2 AND ended_at IS NULL`,
    [org, jti, targetRunId === null ? null : storedText(targetRunId)],
  )
  if (rowCount === 0) return false
  await mayMove(sql)
  await sql.query(
    `UPDATE waybill.progress SET phase = 'moved', questions = 0, holder = NULL, due_at = NULL, epoch = epoch + 1
     WHERE org = $1 AND run_id IN (SELECT run_id FROM waybill.runs WHERE org = $1 AND (run_id = $2 OR root = $2))`,
    [org, run_id],
  )
  await sql.query(
    `UPDATE waybill.questions SET closed_at = clock_timestamp(), outcome = 'moved' WHERE org = $1 AND closed_at IS NULL
       AND run_id IN (SELECT run_id FROM waybill.runs WHERE org = $1 AND (run_id = $2 OR root = $2))`,
    [org, run_id],
  )
  await sql.query('DELETE FROM waybill.commands WHERE org = $1 AND run_id = $2', [org, run_id])
  return true
}

/** Ends a move whose run stays here, and lets the run continue as before. @returns false if the move has ended already */
export async function takeBack(sql: Sql, org: string, move: MoveRow, failure: MoveFailure): Promise<boolean> {
  const { run_id, jti, phase, paused } = move
  const { rowCount } = await sql.query(
    `UPDATE waybill.moves SET phase = 'kept', ended_at = clock_timestamp(), document = NULL, code = $3, why = $4
     WHERE org = $1 AND jti = $2 AND ended_at IS NULL AND phase = $5`,
    [org, jti, failure.code, storedText(failure.why), phase],
  )
  if (rowCount === 0) return false
  await mayMove(sql)
  await sql.query(
    `UPDATE waybill.progress SET phase = 'parked' WHERE org = $1 AND run_id = $2 AND phase = 'moving'`,
    [org, run_id],
  )
  // Also a pause that the run has not taken in yet.
  const asked = await sql.query(
    `DELETE FROM waybill.commands WHERE org = $1 AND run_id = $2 AND body->>'type' = 'pause' AND by = $3`,
    [org, run_id, MOVER],
  )
  if (paused || (asked.rowCount ?? 0) > 0) await giveCommand(sql, org, run_id, { type: 'resume' }, MOVER)
  else await sql.query('SELECT waybill.wake($1, $2)', [org, run_id])
  return true
}

/**
 * Takes back a run that was given away to a receiver which does not know it any more. It was there in the meantime, so it
 * asks before it sends a write again. @param sql of the engine. @returns false if the run is not away, or was removed
 */
export async function regain(sql: Sql, org: string, { run_id, jti, paused }: MoveRow): Promise<boolean> {
  const { rowCount } = await sql.query(
    `UPDATE waybill.moves SET phase = 'kept', code = 'MOVE_TAKEN_BACK', why = 'the receiver does not know the run any more'
     WHERE org = $1 AND jti = $2 AND phase = 'moved'`,
    [org, jti],
  )
  if (rowCount === 0) return false
  await mayMove(sql)
  const family = 'SELECT run_id FROM waybill.runs WHERE org = $1 AND (run_id = $2 OR root = $2)'
  const regained = await sql.query(
    `UPDATE waybill.progress SET epoch = epoch + 1, phase = CASE WHEN status NOT IN ('running', 'waiting', 'paused') THEN 'over'
       WHEN run_id = $2 THEN 'parked' ELSE 'held' END
     WHERE org = $1 AND run_id IN (${family}) AND phase = 'moved'`,
    [org, run_id],
  )
  if (regained.rowCount === 0) return false
  await sql.query(
    `INSERT INTO waybill.copied_runs (org, run_id, generation)
     SELECT p.org, p.run_id, i.generation FROM waybill.progress AS p, waybill.installation AS i
     WHERE p.org = $1 AND p.run_id IN (${family}) AND p.phase <> 'over'
     ON CONFLICT (org, run_id) DO UPDATE SET announced = false`,
    [org, run_id],
  )
  if (paused) await giveCommand(sql, org, run_id, { type: 'resume' }, MOVER)
  else await sql.query('SELECT waybill.wake($1, $2)', [org, run_id])
  return true
}

async function mayMove(sql: Sql): Promise<void> {
  await sql.query(`SELECT set_config('waybill.move', 'on', true)`)
}

/** Returns what decides whether a run can be given away; no other transaction changes it. */
export async function lockRunRow(
  sql: Sql,
  org: string,
  runId: string,
): Promise<{ readonly root: string | null; readonly imported: boolean; readonly phase: string } | undefined> {
  const { rows } = await sql.query<{ root: string | null; imported: boolean; phase: string }>(
    `SELECT r.root, r.imported, p.phase FROM waybill.progress AS p JOIN waybill.runs AS r USING (org, run_id)
     WHERE p.org = $1 AND p.run_id = $2 FOR UPDATE OF p`,
    [org, storedText(runId)],
  )
  return rows[0]
}

/** @throws RUN_NOT_FOUND */
export async function lockRun(
  sql: Sql,
  org: string,
  runId: string,
): Promise<{
  readonly status: string
  readonly phase: string
  readonly seq: number
  readonly imported: boolean
  readonly root: string | null
  /** It begins at a later time. */
  readonly isScheduled: boolean
}> {
  const { rows } = await sql.query<{
    status: string
    phase: string
    seq: number
    imported: boolean
    root: string | null
    isScheduled: boolean
  }>(
    `SELECT p.status, p.phase, p.seq, r.imported, r.root,
       p.seq = 0 AND p.phase = 'parked' AND p.due_at IS NOT NULL AS "isScheduled" FROM waybill.progress AS p JOIN waybill.runs AS r USING (org, run_id)
     WHERE p.org = $1 AND p.run_id = $2 FOR UPDATE OF p`,
    [org, storedText(runId)],
  )
  const [row] = rows
  if (row === undefined) throw runNotFound(runId)
  return row
}

/** Returns the error for a token of which an organisation has no row. */
export function moveNotFound(jti: string): WaybillError {
  return new WaybillError('MOVE_NOT_FOUND', {
    fault: 'usage',
    message: `this organisation knows no migration token ${JSON.stringify(jti.slice(0, 200))}`,
    hint: 'use the `jti` of a token that was issued here, or that a state was imported with',
  })
}
