import { generateKeyPairSync } from 'node:crypto'
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
import { keyIdOf } from '../../src/trust/ed25519.ts'
import { hold } from './hold.ts'

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const signAudit = () => privateKey
const keys: RecordsSubject['keys'] = (id) => (id === keyIdOf(publicKey) ? publicKey : undefined)

async function inMemory(): Promise<RecordsSubject> {
  const place = new MemoryPlace(signAudit)
  return {
    keys,
    open: async () => memoryRecords({ place }),
    crash: async (records) => (records as InMemoryRecords).abandon(),
  }
}

async function inSqlite(t: TestContext): Promise<RecordsSubject> {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-records-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return {
    keys,
    open: async () => openSqliteRecords(join(folder, 'home'), { signAudit }),
    crash: async (records) => (records as SqliteRecords).abandon(),
  }
}

describe('records in memory', () => hold(recordsContract, inMemory))
describe('records in SQLite', () => hold(recordsContract, inSqlite))
