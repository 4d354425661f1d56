import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite'
import { langGraph } from './subject.ts'

/** The part of better-sqlite3 that the saver uses, implemented with Node's SQLite to avoid native compilation. */
function betterSqlite(db: DatabaseSync) {
  return {
    pragma: (text: string) => db.exec(`PRAGMA ${text}`),
    exec: (sql: string) => db.exec(sql),
    prepare(sql: string) {
      const statement = db.prepare(sql)
      const bound = (values: readonly unknown[]) => values.map((value) => value ?? null) as never[]
      return {
        run: (...values: unknown[]) => statement.run(...bound(values)),
        get: (...values: unknown[]) => statement.get(...bound(values)),
        all: (...values: unknown[]) => statement.all(...bound(values)),
      }
    },
    transaction: (act: (rows: unknown) => void) => (rows: unknown) => {
      db.exec('BEGIN')
      act(rows)
      db.exec('COMMIT')
    },
  }
}

/** A checkpoint on disk after each step; every commit is flushed. */
export const subject = langGraph('LangGraph 1, SqliteSaver (FULL)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-bench-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const db = new DatabaseSync(join(folder, 'checkpoints.db'))
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  return new SqliteSaver(betterSqlite(db) as never)
})
