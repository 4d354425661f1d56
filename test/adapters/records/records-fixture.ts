import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { TestContext } from 'node:test'
import {
  openSqliteRecords,
  type SqliteRecords,
  type SqliteRecordsOptions,
} from '../../../src/adapters/records/sqlite/open-sqlite-records.ts'
import {
  answered,
  decided,
  drive,
  ended,
  fact,
  newRun,
  planNamed,
  QUESTION,
  started,
} from '../../../src/testing/contracts/records-fixture.ts'

/** How often cases that depend on chance are repeated, as a factor; the long form is `npm run fault:records`. */
export const TIMES = Number(process.env.WAYBILL_FAULT_TIMES ?? 1)

const { privateKey } = generateKeyPairSync('ed25519')
export const signAudit = (): KeyObject => privateKey

/** A folder that is removed after the test. */
export function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-records-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export function openIn(
  t: TestContext,
  home: string,
  options: Partial<SqliteRecordsOptions> = {},
): SqliteRecords {
  const records = openSqliteRecords(home, { signAudit, ...options })
  t.after(() => records.close().catch(() => {}))
  return records
}

/** Runs a statement on the database without the store. */
export function tamper(home: string, ...statements: readonly string[]): void {
  const db = new DatabaseSync(join(home, 'waybill.db'), { timeout: 5000, enableForeignKeyConstraints: false })
  try {
    for (const statement of statements) db.exec(statement)
  } finally {
    db.close()
  }
}

/** A store with two runs, one of them with a decision, a sealed line and a family. */
export async function filled(
  t: TestContext,
): Promise<{ readonly home: string; readonly records: SqliteRecords }> {
  const home = join(folderOf(t), 'home')
  const records = openIn(t, home)
  const run = await drive(records, newRun('r1', { family: [planNamed('agent-2')] }))
  await run.append(started('r1'), {}, { sealed: ['sealed'] })
  await run.append(...answered('asking'))
  await records.runs.decide('r1', QUESTION, decided('ann', 2))
  await run.tick(3)
  await run.run.close()
  const other = await drive(records, newRun('r2', { later: 1 }))
  await other.append(started('r2'))
  await other.append(...ended('completed'))
  await other.run.close()
  await records.audit.append([fact('one'), fact('two'), fact('three')])
  return { home, records }
}
