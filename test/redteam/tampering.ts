import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { lineChecksum, summaryChecksum } from '../../src/adapters/records/sqlite/run-row.ts'
import type { RunEvent } from '../../src/run/event.ts'
import { decodeEvent } from '../../src/run/record/event-line.ts'
import type { RunHeader } from '../../src/run/record/run-header.ts'
import { foldRun, summaryOf } from '../../src/run/record/run-summary.ts'
import type { Place } from '../cli/fixture.ts'

/** Changes the database of a home directly, as any user with write access to the file can. No other process has it open. */
export function tamper<T>({ home }: Place, act: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(join(home, 'waybill.db'))
  try {
    return act(database)
  } finally {
    database.close()
  }
}

export interface DecisionRow {
  readonly key: string
  /** Number of the event by which the call came to ask. */
  readonly asked: number
  readonly line: string
}

/** The decisions that people left for a run, in their order. */
export function decisionsOf(place: Place, run: string): readonly DecisionRow[] {
  return tamper(place, (database) =>
    database
      .prepare(
        'SELECT key, asked, line FROM decisions WHERE run = (SELECT id FROM runs WHERE run_id = ?) ORDER BY n',
      )
      .all(run),
  ) as unknown as readonly DecisionRow[]
}

/** Puts decisions in place of those that were left, with the checksums that they need, which need no secret. */
export function writeDecisions(place: Place, run: string, rows: readonly DecisionRow[]): void {
  tamper(place, (database) => {
    database.prepare('DELETE FROM decisions WHERE run = (SELECT id FROM runs WHERE run_id = ?)').run(run)
    const insert = database.prepare(
      `INSERT INTO decisions (run, key, asked, line, checksum)
       VALUES ((SELECT id FROM runs WHERE run_id = ?), ?, ?, ?, ?)`,
    )
    for (const { key, asked, line } of rows)
      insert.run(run, key, asked, line, lineChecksum(run, `${key} ${asked}`, line))
  })
}

/** Leaves the record as a crash does that came before the first of these events was on record. */
export function cutRecord(place: Place, run: string, before: (event: RunEvent) => boolean): void {
  tamper(place, (database) => {
    const { id, header } = database.prepare('SELECT id, header FROM runs WHERE run_id = ?').get(run) as {
      readonly id: number
      readonly header: string
    }
    const rows = database.prepare('SELECT line FROM events WHERE run = ? ORDER BY seq').all(id)
    const events = rows.map(({ line }) => decodeEvent(String(line)))
    const kept = events.slice(0, events.findIndex(before))
    const summary = summaryOf(foldRun(JSON.parse(header) as RunHeader, kept))
    const { status, stop_reason, questions, seq, at } = summary
    database.prepare('DELETE FROM events WHERE run = ? AND seq > ?').run(id, seq)
    database
      .prepare(
        `UPDATE progress SET status = ?, stop_reason = ?, questions = ?, seq = ?, updated_at = ?, checksum = ?
         WHERE run = ?`,
      )
      .run(status, stop_reason, questions, seq, at, summaryChecksum(run, summary), id)
  })
}

/** The audit log of a home as it is in the database. */
export interface AuditRows {
  readonly lines: readonly string[]
  readonly head: string | null
}

export function auditOf(place: Place): AuditRows {
  return tamper(place, (database) => {
    const lines = database.prepare('SELECT line FROM audit ORDER BY n').all()
    const head = database.prepare('SELECT line FROM audit_head').get()
    return {
      lines: lines.map(({ line }) => String(line)),
      head: head === undefined ? null : String(head.line),
    }
  })
}

export function writeAudit(place: Place, { lines, head }: AuditRows): void {
  tamper(place, (database) => {
    database.exec('DELETE FROM audit; DELETE FROM audit_head')
    const insert = database.prepare('INSERT INTO audit VALUES (?, ?)')
    for (const [index, line] of lines.entries()) insert.run(index + 1, line)
    if (head !== null) database.prepare('INSERT INTO audit_head VALUES (1, ?)').run(head)
  })
}
