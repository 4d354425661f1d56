import { generateKeyPairSync } from 'node:crypto'
import { memoryRecords } from '../../src/adapters/records/memory/memory-records.ts'
import type { Home } from '../../src/session/home.ts'
import type { Principal } from '../../src/session/principal.ts'
import { signStatement } from '../../src/trust/signed-statement.ts'

/** Returns a home without secrets, whose records and signing key are in memory. */
export function memoryHome(principal: Principal): Home {
  const records = memoryRecords({ keepEnded: 100 })
  const { privateKey } = generateKeyPairSync('ed25519')
  const sign: Home['sign'] = (statement) => signStatement(statement, privateKey)
  return { ...records, principal, trust: { keys: () => [] }, sign } as unknown as Home
}
