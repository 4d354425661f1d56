import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext } from 'node:test'
import { type RecordsSubject, recordsContract } from 'waybill/testing'
import { MemoryPlace } from '../../src/adapters/records/memory/memory-place.ts'
import { type InMemoryRecords, memoryRecords } from '../../src/adapters/records/memory/memory-records.ts'
import {
  openSqliteRecords,
  type SqliteRecords,
} from '../../src/adapters/records/sqlite/open-sqlite-records.ts'
import {
  openPostgresRecords,
  type PostgresRecords,
} from '../../src/platform/records/open-postgres-records.ts'
import type { Records } from '../../src/run/record/records.ts'
import { keyIdOf } from '../../src/trust/ed25519.ts'
import { testDatabase } from '../platform/postgres.ts'
import { hold } from './hold.ts'

const pairs = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')] as const
const pairOf = (id: string) => pairs.find(({ publicKey }) => keyIdOf(publicKey) === id)
const signAudit = (id?: string) => (pairOf(id ?? '') ?? pairs[0]).privateKey
const keys: RecordsSubject['keys'] = (id) => pairOf(id)?.publicKey
const nextKey = keyIdOf(pairs[1].publicKey)

async function inMemory(): Promise<RecordsSubject> {
  const place = new MemoryPlace(signAudit)
  return {
    keys,
    nextKey,
    open: async () => memoryRecords({ place }),
    crash: async (records) => (records as InMemoryRecords).abandon(),
  }
}

async function inSqlite(t: TestContext): Promise<RecordsSubject> {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-records-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return {
    keys,
    nextKey,
    open: async () => openSqliteRecords(join(folder, 'home'), { signAudit }),
    crash: async (records) => (records as SqliteRecords).abandon(),
  }
}

/** Each store is a worker of its own. A worker that has crashed does not renew its row. */
async function inPostgres(t: TestContext): Promise<RecordsSubject> {
  const { database } = await testDatabase(t)
  const workers = new Map<Records, string>()
  const live = (worker: string, seconds: number) =>
    database.engine.query(
      `INSERT INTO waybill.workers (worker, until, queues) VALUES ($1, now() + $2 * interval '1 second', '{}')
       ON CONFLICT (worker) DO UPDATE SET until = excluded.until`,
      [worker, seconds],
    )
  return {
    keys,
    nextKey,
    open: async () => {
      const worker = randomUUID()
      await live(worker, 600)
      const records = openPostgresRecords(database, 'acme', { worker, signAudit })
      workers.set(records, worker)
      return records
    },
    crash: async (records) => {
      ;(records as PostgresRecords).abandon()
      await live(workers.get(records) ?? '', -1)
    },
  }
}

describe('records in memory', () => hold(recordsContract, inMemory))
describe('records in SQLite', () => hold(recordsContract, inSqlite))
describe('records in PostgreSQL', () => hold(recordsContract, inPostgres))
