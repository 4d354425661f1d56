import { generateKeyPairSync } from 'node:crypto'
import { MemoryPlace } from '../../src/adapters/records/memory/memory-place.ts'
import { memoryRecords } from '../../src/adapters/records/memory/memory-records.ts'
import { openSqliteRecords } from '../../src/adapters/records/sqlite/open-sqlite-records.ts'
import type { Records } from '../../src/run/record/records.ts'

const { privateKey } = generateKeyPairSync('ed25519')
const signAudit = () => privateKey

/** Opens the records of a folder; opened again, it has the records that were stored before. */
export type OpenRecords = (folder: string) => Records

/** Every store of records, by its name. */
export function recordStores(): Readonly<Record<'in memory' | 'in SQLite', OpenRecords>> {
  const places = new Map<string, MemoryPlace>()
  return {
    'in memory': (folder) => {
      const place = places.get(folder) ?? new MemoryPlace(signAudit)
      places.set(folder, place)
      return memoryRecords({ place })
    },
    'in SQLite': (folder) => openSqliteRecords(folder, { signAudit }),
  }
}
