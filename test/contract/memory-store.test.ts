import { join } from 'node:path'
import { describe, test } from 'node:test'
import { memoryStoreContract } from 'waybill/testing'
import { jsonFile } from '../../examples/extending/json-file.ts'
import { MemoryFile } from '../../src/adapters/memory/memory-file.ts'
import type { MemoryStore } from '../../src/run/extension.ts'

const STORES: Readonly<Record<string, (folder: string) => MemoryStore | Promise<MemoryStore>>> = {
  sqlite: (folder) => new MemoryFile(join(folder, 'memory.sqlite')),
  'the JSON file of the example': (folder) => jsonFile.open({ folder }),
}

for (const [name, open] of Object.entries(STORES)) {
  describe(`a place for memory: ${name}`, () => {
    for (const { name: promise, check } of memoryStoreContract(open)) test(promise, check)
  })
}
