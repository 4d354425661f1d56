import { memoryRecords } from '../../src/adapters/records/memory/memory-records.ts'
import type { Home } from '../../src/session/home.ts'
import type { Principal } from '../../src/session/principal.ts'

/** Returns a home without keys and secrets, whose records are in memory. */
export function memoryHome(principal: Principal): Home {
  const records = memoryRecords({ keepEnded: 100 })
  const absent = () => {
    throw new TypeError('this home has no keys and no secrets')
  }
  return { ...records, principal, trust: { keys: () => [] }, sign: absent } as unknown as Home
}
