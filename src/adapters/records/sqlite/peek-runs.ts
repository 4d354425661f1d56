import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { RunState } from '../../../run/state.ts'
import { openForReading } from './open-database.ts'

/** The database of a home (see `openSqliteRecords`). */
const DATABASE = 'waybill.db'

/** What the rows of a run say, without a check of their checksums or of its process. */
export interface PeekedRun {
  readonly run_id: string
  readonly agent_name: string | null
  /** Unix time in milliseconds. */
  readonly created_at: number
  readonly status: RunState['status'] | null
  /** How many calls wait for a person. */
  readonly questions: number
  /** The run of a sub-agent. */
  readonly inner: boolean
  /** It was imported, moves or was moved, so that it cannot be continued here. */
  readonly away: boolean
}

export interface Peeked {
  /** The newest first. */
  readonly runs: readonly PeekedRun[]
  /** The ids of all runs. */
  readonly ids: readonly string[]
  /** The bodies of the newest plans, as JSON. */
  readonly plans: readonly string[]
}

const RUNS = `
  SELECT run_id, json_extract(header, '$.agent_name') AS agent_name, created_at, status,
    coalesce(questions, 0) AS questions, root IS NOT NULL AS inner,
    imported <> 0 OR EXISTS (SELECT 1 FROM away WHERE away.run = runs.id) AS away
  FROM runs LEFT JOIN progress ON progress.run = runs.id
  ORDER BY runs.created_at DESC, runs.run_id DESC LIMIT ?`

/**
 * Reads what a completion of the shell offers, quickly and without opening the records: takes no lock, starts no process
 * lease and writes nothing.
 * @throws SQLITE_BUSY and the codes of the home
 */
export function peekRuns(folder: string, limit: number): Peeked {
  const file = join(folder, DATABASE)
  const db = hasOrphanedLog(file) ? null : openForReading(file)
  if (db === null) return { runs: [], ids: [], plans: [] }
  try {
    const rows = db.prepare(RUNS).all(limit) as unknown as readonly (PeekedRun & {
      readonly inner: unknown
      readonly away: unknown
    })[]
    const ids = db.prepare('SELECT run_id FROM runs').all() as unknown as readonly { run_id: string }[]
    const plans = db
      .prepare('SELECT body FROM plans ORDER BY rowid DESC LIMIT 20')
      .all() as unknown as readonly { body: string }[]
    return {
      runs: rows.map((row) => ({ ...row, inner: Boolean(row.inner), away: Boolean(row.away) })),
      ids: ids.map(({ run_id }) => run_id),
      plans: plans.map(({ body }) => body),
    }
  } finally {
    db.close()
  }
}

/** A log without its index, as in a copy of files in use: to read it, SQLite would have to write the index. */
function hasOrphanedLog(file: string): boolean {
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false })
  return (log?.size ?? 0) > 0 && statSync(`${file}-shm`, { throwIfNoEntry: false }) === undefined
}
