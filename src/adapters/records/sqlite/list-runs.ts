import type { SQLInputValue } from 'node:sqlite'
import { PAGE_LIMIT, readCursor, writeCursor } from '../../../run/record/page-cursor.ts'
import type { ListedRecord, Page, RunFilter, RunPage } from '../../../run/record/records.ts'
import { movedTo } from './away.ts'
import { asHomeError, isCorrupt } from './home-errors.ts'
import type { ProcessLocks } from './process-locks.ts'
import type { Queries } from './queries.ts'
import { sound } from './read-run.ts'
import { damageOf, listedRow, RUN_ROWS, type RunRow } from './run-row.ts'

interface Place {
  readonly id: number
  readonly run_id: string
  /** As text: a number beyond 2^53, which only occurs in a damaged record, would abort the whole query. */
  readonly created_at: string
}

/** Lists runs from their rows, without reading events. */
export function listRuns(
  q: Queries,
  filter: RunFilter,
  { limit = PAGE_LIMIT, cursor }: Page,
  locks: ProcessLocks,
  file: string,
): RunPage {
  const conditions: string[] = []
  const values: SQLInputValue[] = []
  const add = (condition: string, ...given: SQLInputValue[]) => {
    conditions.push(condition)
    values.push(...given)
  }
  if (filter.status !== undefined) add('status = ?', filter.status)
  if (filter.agent_id !== undefined) add('agent_id = ?', filter.agent_id)
  if (filter.user !== undefined) add('user = ?', filter.user)
  if (filter.batch !== undefined) add('batch = ?', filter.batch)
  if (filter.since !== undefined) add('created_at >= ?', filter.since)
  if (filter.questions !== undefined)
    add('questions > 0 AND NOT EXISTS (SELECT 1 FROM away WHERE away.run = runs.id)')
  if (filter.roots !== undefined)
    add('(root IS NULL OR NOT EXISTS (SELECT 1 FROM runs AS r WHERE r.run_id = runs.root))')
  if (filter.root !== undefined) add('(run_id = ? OR root = ?)', filter.root, filter.root)
  if (cursor !== undefined) {
    const { created_at, run_id } = readCursor(cursor)
    add('(created_at, run_id) < (?, ?)', created_at, run_id)
  }
  // Joined only if a condition needs it: a run without progress is listed as damaged.
  const joins = filter.status !== undefined || filter.questions !== undefined
  const progress = joins ? 'JOIN progress ON progress.run = runs.id' : ''
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
  const places = q.all<Place>(
    `SELECT id, run_id, CAST(created_at AS TEXT) AS created_at FROM runs ${progress} ${where}
     ORDER BY runs.created_at DESC, runs.run_id DESC LIMIT ?`,
    ...values,
    limit + 1,
  )
  const isLive = liveness(locks)
  const shown = places.slice(0, limit)
  const last = shown.at(-1)
  return {
    items: shown.map((place) => listPlace(q, place, isLive, file)),
    next: last !== undefined && places.length > limit ? cursorAfter(last) : null,
  }
}

function cursorAfter({ created_at, run_id }: Place): string {
  return writeCursor({ created_at: BigInt(created_at), run_id })
}

/** One row at a time, so that an unreadable row does not hide others. */
function listPlace(
  q: Queries,
  place: Place,
  isLive: (holder: string) => boolean,
  file: string,
): ListedRecord {
  const { id, run_id } = place
  try {
    const row = sound(run_id, file, () => q.get<RunRow>(`${RUN_ROWS} WHERE id = ?`, id))
    if (row !== undefined) {
      const live = row.holder !== null && isLive(row.holder)
      return listedRow(row, file, { live, moved: movedTo(q, id) })
    }
    throw new Error('its row is missing')
  } catch (error) {
    if (isCorrupt(error) || !('errcode' in (error as object))) {
      const created_at = Number(place.created_at)
      return {
        run_id,
        header: null,
        status: 'failed',
        seq: 0,
        questions: 0,
        live: false,
        imported: false,
        created_at,
        updated_at: created_at,
        damaged: damageOf(asHomeError(error, file, 'read')),
      }
    }
    throw error
  }
}

/** Checks each process once. */
export function liveness(locks: ProcessLocks): (holder: string) => boolean {
  const known = new Map<string, boolean>()
  return (holder) => {
    const live = known.get(holder) ?? locks.isLive(holder)
    known.set(holder, live)
    return live
  }
}
