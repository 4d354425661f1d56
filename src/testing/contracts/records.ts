import type { MemoryStore } from '../../run/extension.ts'
import type { Records } from '../../run/record/records.ts'
import type { ContractCase } from './contract-case.ts'
import { memoryStoreContract } from './memory-store.ts'
import type { RecordsSubject } from './records-fixture.ts'
import { leaseCases } from './records-leases.ts'
import { otherCases } from './records-others.ts'
import { runCases } from './records-runs.ts'
import { slotCases } from './records-slots.ts'

/** Returns the contract of every store of runs. @param open returns an empty place for each case */
export function recordsContract(open: () => Promise<RecordsSubject>): readonly ContractCase[] {
  const cases = [...runCases, ...leaseCases, ...slotCases, ...otherCases].map(
    ([name, check]): ContractCase => ({ name, check: async () => withClosing(await open(), check) }),
  )
  return [...cases, ...memoryCases(open)]
}

/** Closes the records that a case has opened. */
async function withClosing(
  { open, crash, keys }: RecordsSubject,
  check: (subject: RecordsSubject) => Promise<void>,
): Promise<void> {
  const opened = new Set<Records>()
  try {
    await check({
      keys,
      async open() {
        const records = await open()
        opened.add(records)
        return records
      },
      async crash(records) {
        opened.delete(records)
        await crash(records)
      },
    })
  } finally {
    for (const records of opened) await records.close()
  }
}

/** Returns the contract of memory stores for the memory of these records. */
function memoryCases(open: () => Promise<RecordsSubject>): readonly ContractCase[] {
  const names = memoryStoreContract(() => Promise.reject(new Error('only the names are used')))
  return names.map(({ name }, index) => ({
    name: `memory: ${name}`,
    async check() {
      const subject = await open()
      const cases = memoryStoreContract(async () => memoryOf(await subject.open()))
      await cases[index]?.check()
    },
  }))
}

function memoryOf(records: Records): MemoryStore {
  const { memory } = records
  const { vectors, keepVector } = memory
  return {
    seed: (...asked) => memory.seed(...asked),
    save: (...asked) => memory.save(...asked),
    items: (...asked) => memory.items(...asked),
    ...(vectors !== undefined && { vectors: (owner) => vectors.call(memory, owner) }),
    ...(keepVector !== undefined && { keepVector: (...asked) => keepVector.call(memory, ...asked) }),
    close: () => records.close(),
  }
}
