import { describe, test } from 'node:test'
import { memoryStoreContract } from 'waybill/testing'
import { jsonFile } from '../../examples/extending/json-file.ts'
import type { MemoryStore } from '../../src/run/extension.ts'
import type { Records } from '../../src/run/record/records.ts'
import { recordStores } from './record-stores.ts'

const records = recordStores()

const STORES: Readonly<Record<string, (folder: string) => MemoryStore | Promise<MemoryStore>>> = {
  'records in memory': (folder) => memoryOf(records['in memory'](folder)),
  'records in SQLite': (folder) => memoryOf(records['in SQLite'](folder)),
  'the JSON file of the example': (folder) => jsonFile.open({ folder }),
}

/** Returns the memory of these records as a memory store. */
function memoryOf(records: Records): MemoryStore {
  const { memory } = records
  return {
    seed: (...args) => memory.seed(...args),
    save: (...args) => memory.save(...args),
    items: (...args) => memory.items(...args),
    ...(memory.vectors !== undefined && {
      vectors: async (owner) => (await memory.vectors?.(owner)) ?? new Map(),
    }),
    ...(memory.keepVector !== undefined && { keepVector: (...args) => memory.keepVector?.(...args) }),
    close: () => records.close(),
  }
}

for (const [name, open] of Object.entries(STORES)) {
  describe(`a memory store: ${name}`, () => {
    for (const { name: promise, check } of memoryStoreContract(open)) test(promise, check)
  })
}
