import { generateKeyPairSync, randomUUID } from 'node:crypto'
import type { TestContext } from 'node:test'
import type { Database } from '../../../src/platform/database/open-database.ts'
import type { GroupCommit } from '../../../src/platform/records/group-commit.ts'
import {
  openPostgresRecords,
  type PostgresRecords,
} from '../../../src/platform/records/open-postgres-records.ts'
import { keyIdOf } from '../../../src/trust/ed25519.ts'
import type { AuditKeys } from '../../../src/trust/verify-audit-chain.ts'
import { testDatabase } from '../postgres.ts'

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const signAudit = () => privateKey

/** The public key of all audit logs of these tests. */
export const auditKeys: AuditKeys = (id) => (id === keyIdOf(publicKey) ? publicKey : undefined)

export async function addOrganisations(database: Database, ...names: readonly string[]): Promise<void> {
  for (const name of names)
    await database.engine.query('INSERT INTO waybill.organisations (org, name) VALUES ($1, $1)', [name])
}

/** Adds a worker that lives for this many seconds, or changes how long it lives. */
export async function addWorker(
  database: Database,
  worker: string = randomUUID(),
  seconds = 600,
): Promise<string> {
  await database.engine.query(
    `INSERT INTO waybill.workers (worker, until, queues) VALUES ($1, now() + $2 * interval '1 second', '{}')
     ON CONFLICT (worker) DO UPDATE SET until = excluded.until`,
    [worker, seconds],
  )
  return worker
}

/** Opens the records of an organisation for a request. */
export function asRequest(database: Database, org: string): PostgresRecords {
  return openPostgresRecords(database, org, { worker: null, signAudit })
}

/** Opens the records of an organisation for a worker, until the test ends. */
export function asWorker(
  t: TestContext,
  database: Database,
  org: string,
  worker: string,
  group?: GroupCommit,
): PostgresRecords {
  const records = openPostgresRecords(database, org, { worker, signAudit, ...(group && { group }) })
  t.after(() => records.close().catch(() => {}))
  return records
}

/** Returns a new database with the organisation `a`, two workers, and the records of each and of a request. */
export async function twoWorkers(t: TestContext) {
  const { database } = await testDatabase(t)
  await addOrganisations(database, 'a')
  const ids = [await addWorker(database), await addWorker(database)] as const
  const [one, two] = [asWorker(t, database, 'a', ids[0]), asWorker(t, database, 'a', ids[1])]
  return { database, requests: asRequest(database, 'a'), one, two, ids }
}
