import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  openSqliteRecords,
  type SqliteRecords,
} from '../../src/adapters/records/sqlite/open-sqlite-records.ts'
import { openHome } from '../../src/index.ts'
import { createKey, openPrivateKey } from '../../src/trust/key-file.ts'
import type { Subject } from './subject.ts'
import { ENV, waybillSubject } from './waybill.ts'

let records: SqliteRecords | undefined
let flushed = 0

/** Creates a new home with its own store, whose commits are counted. */
async function newHome() {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-bench-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const keys = join(folder, 'keys')
  createKey(keys, 'audit')
  const own = openSqliteRecords(folder, { signAudit: () => openPrivateKey(keys, 'audit') })
  records = own
  flushed = 0
  const { runs, slots, grants, memory, audit, routes } = own
  return { ...(await openHome(folder, ENV)), runs, slots, grants, memory, audit, routes }
}

/** The store on disk with a tool that writes: the intent of each call is flushed before the call is sent. */
export const subject: Subject = {
  ...waybillSubject({
    name: 'Waybill on disk',
    readOnly: false,
    options: async () => ({ home: await newHome() }),
  }),
  flushes() {
    const now = records?.counts().flushes ?? 0
    const since = now - flushed
    flushed = now
    return since
  },
}
