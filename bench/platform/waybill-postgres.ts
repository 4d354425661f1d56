import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openHome } from '../../src/index.ts'
import { type DatabaseUrls, openDatabase } from '../../src/platform/database/open-database.ts'
import { openPostgresRecords } from '../../src/platform/records/open-postgres-records.ts'
import type { Subject } from '../loop/subject.ts'
import { ENV, waybillSubject } from '../loop/waybill.ts'
import { auditKey } from './agent.ts'

/** A tool that writes: the intent of each call is flushed to the disk of the database before the call is sent. */
export async function openSubject(urls: DatabaseUrls): Promise<Subject> {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-bench-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const database = await openDatabase(urls)
  const { runs, slots, grants, memory, audit, routes } = openPostgresRecords(database, 'a', {
    worker: `bench-${process.pid}`,
    signAudit: () => auditKey,
  })
  const home = { ...(await openHome(folder, ENV)), runs, slots, grants, memory, audit, routes }
  return waybillSubject({
    name: 'Waybill, PostgreSQL',
    readOnly: false,
    options: () => ({ home }),
  })
}
