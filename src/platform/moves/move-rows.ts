import { WaybillError } from '../../document/issue.ts'
import { runNotFound } from '../../run/record/record-errors.ts'
import type { MovePhase } from '../../state/migration-protocol.ts'
import type { Sql } from '../database/tenant.ts'
import { giveCommand } from '../engine/commands.ts'
import type { RunView } from '../platform.ts'
import { originalText, storedText } from '../records/stored-text.ts'
import type { MoveMethod } from './move.ts'
import { placeOf } from './place.ts'

/** Recorded as `by` of the pause and the end of the pause of a run that is moved. */
export const MOVER = 'a move to another platform'

/** A move as it is stored. */
export interface MoveRow {
  readonly jti: string
  readonly run_id: string
  readonly peer: string
  /** The own organisation, as the URL of its place. */
  readonly source: string
  readonly url: string
  readonly organisation: string
  readonly method: MoveMethod
  readonly phase: MovePhase
  readonly by: string
  /** Only the move has paused the run. */
  readonly paused: boolean
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
  readonly created_at: Date
}

const COLUMNS = `jti, run_id, method, peer, source, url, organisation, phase, by, paused, document, apart, socket, state_id, checksum, expires_at,
  target_run_id, why, code, attempts, created_at`

export async function moveRow(sql: Sql, org: string, jti: string): Promise<MoveRow | undefined> {
  const { rows } = await sql.query<MoveRow>(
    `SELECT ${COLUMNS} FROM waybill.moves WHERE org = $1 AND jti = $2`,
    [org, storedText(jti)],
  )
  return rows[0]
}

/** Returns the move of a run that is under way. */
export async function moveOfRun(sql: Sql, org: string, runId: string): Promise<MoveRow | undefined> {
  const { rows } = await sql.query<MoveRow>(
    `SELECT ${COLUMNS} FROM waybill.moves WHERE org = $1 AND run_id = $2 AND ended_at IS NULL`,
    [org, storedText(runId)],
  )
  return rows[0]
}

/** @throws RUN_MOVING, RUN_MOVED if the run, or the root of a sub-agent's run, is not here any more */
export async function assertHere(sql: Sql, org: string, runId: string): Promise<void> {
  const moved = await movedRow(sql, org, runId)
  if (moved !== null) throw movedError(runId, moved)
}

/** Returns where a run moves or has moved to; null: it is here. */
export async function movedTo(
  sql: Sql,
  org: string,
  runId: string,
): Promise<NonNullable<RunView['moved_to']> | null> {
  const moved = await movedRow(sql, org, runId)
  if (moved === null || moved.url === null || moved.organisation === null) return null
  return {
    owner: placeOf(moved.url, originalText(moved.organisation)),
    run_id: moved.run_id === null ? null : originalText(moved.run_id),
  }
}

async function movedRow(sql: Sql, org: string, runId: string): Promise<MovedTo | null> {
  const { rows } = await sql.query<{ moved: MovedTo | null }>('SELECT waybill.moved_to($1, $2) AS moved', [
    org,
    storedText(runId),
  ])
  return rows[0]?.moved ?? null
}

interface MovedTo {
  readonly phase: 'moving' | 'moved'
  readonly url: string | null
  readonly organisation: string | null
  readonly run_id: string | null
}

function movedError(runId: string, { phase, url, organisation, run_id }: MovedTo): WaybillError {
  const place =
    url === null || organisation === null ? 'another platform' : placeOf(url, originalText(organisation))
  if (phase === 'moving')
    return new WaybillError('RUN_MOVING', {
      fault: 'refused',
      message: `run ${runId} is being moved to ${place}`,
      hint: `wait until the move has ended, then use the run there, or here if the move was refused`,
    })
  return new WaybillError('RUN_MOVED', {
    fault: 'refused',
    message: `run ${runId} was moved to ${place}${run_id === null ? '' : `, where it is run ${originalText(run_id)}`}`,
    hint: 'use the run on that platform',
  })
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
  { jti, run_id }: MoveRow,
  paused: boolean,
): Promise<boolean> {
  const { rowCount } = await sql.query(
    `UPDATE waybill.progress AS p SET phase = 'moving', epoch = epoch + 1, holder = NULL, due_at = NULL
     WHERE org = $1 AND run_id = $2 AND phase = 'parked' AND (holder IS NULL OR NOT waybill.is_live(holder))
       AND status IN ('waiting', 'paused')
       AND NOT EXISTS (SELECT FROM waybill.commands AS c WHERE c.org = p.org AND c.run_id = p.run_id)
       AND NOT EXISTS (SELECT FROM waybill.stopped_runs AS s WHERE s.org = p.org AND s.run_id = p.run_id)`,
    [org, run_id],
  )
  if (rowCount === 0) return false
  await sql.query(
    `UPDATE waybill.moves SET phase = 'sending', paused = $3, frozen_at = clock_timestamp(), due_at = clock_timestamp() WHERE org = $1 AND jti = $2 AND phase = 'pausing'`,
    [org, jti, paused],
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
  state: {
    readonly document: string
    readonly apart: boolean
    readonly state_id: string
    readonly checksum: string
    readonly expiresAt: Date
  },
): Promise<void> {
  await sql.query(
    `UPDATE waybill.moves SET document = $3, state_id = $4, checksum = $5, expires_at = $6, apart = $7,
       captured_at = clock_timestamp()
     WHERE org = $1 AND jti = $2 AND phase = 'sending' AND document IS NULL`,
    [org, jti, state.document, state.state_id, state.checksum, state.expiresAt, state.apart],
  )
}

/** Why a move has not led to a new owner. */
export interface MoveFailure {
  readonly code: string
  readonly why: string
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
    `UPDATE waybill.moves SET phase = 'moved', ended_at = clock_timestamp(), document = NULL, target_run_id = $3
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

async function mayMove(sql: Sql): Promise<void> {
  await sql.query(`SELECT set_config('waybill.move', 'on', true)`)
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
}> {
  const { rows } = await sql.query<{
    status: string
    phase: string
    seq: number
    imported: boolean
    root: string | null
  }>(
    `SELECT p.status, p.phase, p.seq, r.imported, r.root FROM waybill.progress AS p JOIN waybill.runs AS r USING (org, run_id)
     WHERE p.org = $1 AND p.run_id = $2 FOR UPDATE OF p`,
    [org, storedText(runId)],
  )
  const [row] = rows
  if (row === undefined) throw runNotFound(runId)
  return row
}
