import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbedded } from '../../src/platform/database/embedded/start-embedded.ts'
import {
  type Database,
  type DatabaseUrls,
  openDatabase,
  prepareDatabase,
  roleUrls,
} from '../../src/platform/database/open-database.ts'
import { TABLES } from '../../src/platform/features.ts'
import {
  openPostgresRecords,
  type PostgresRecords,
} from '../../src/platform/records/open-postgres-records.ts'
import { auditKey } from './agent.ts'

const TEMPLATE = 'bench_template'

/** The PostgreSQL server that all subjects share, with the settings of the product: fsync is on. */
export interface Site {
  /** Of the server's main process. */
  readonly pid: number
  /** Creates a database with the schema of the platform and the organisations `a` and `b`. */
  prepared(): Promise<Prepared>
  /** Creates a database without tables. @returns its owner's URL */
  empty(): Promise<string>
  stop(): Promise<void>
}

/** A database of one measurement. */
export interface Prepared {
  readonly ownerUrl: string
  readonly urls: DatabaseUrls
  /** Connections of this process. */
  readonly database: Database
  /** Records of an organisation, opened for requests: row-level security is on. */
  recordsOf(org: string): PostgresRecords
  /** Runs a statement as the superuser. */
  admin<T extends pg.QueryResultRow>(sql: string, values?: readonly unknown[]): Promise<readonly T[]>
  drop(): Promise<void>
}

export async function startSite(): Promise<Site> {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-bench-'))
  const server = await startEmbedded(folder, { settings: { max_connections: '300' } })
  const stop = async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
  try {
    const fsync = await asked<{ fsync: string }>(server.url, 'SHOW fsync')
    if (fsync[0]?.fsync !== 'on') throw new Error('fsync is off: nothing would be durable')
    await asked(server.url, `CREATE DATABASE ${TEMPLATE}`)
    await prepareDatabase(named(server.url, TEMPLATE), TABLES.steps)
  } catch (error) {
    await stop()
    throw error
  }
  let databases = 0
  const create = async (template: string): Promise<string> => {
    const name = `bench_${++databases}`
    await asked(server.url, `CREATE DATABASE ${name} ${template}`)
    return named(server.url, name)
  }
  return {
    pid: server.pid,
    stop,
    empty: () => create(''),
    prepared: async () => prepared(await create(`TEMPLATE ${TEMPLATE}`)),
  }
}

async function prepared(ownerUrl: string): Promise<Prepared> {
  const urls = roleUrls(ownerUrl)
  const database = await openDatabase(urls)
  await database.engine.query(`INSERT INTO waybill.organisations (org, name) VALUES ('a', 'A'), ('b', 'B')`)
  const superuser = new URL(ownerUrl)
  superuser.username = 'postgres'
  return {
    ownerUrl,
    urls,
    database,
    recordsOf: (org) => openPostgresRecords(database, org, { worker: null, signAudit: () => auditKey }),
    admin: (sql, values) => asked(superuser.href, sql, values),
    async drop() {
      await database.close()
      // As the superuser: connections of a process that was killed belong to other roles.
      await asked(
        named(superuser.href, 'postgres'),
        `DROP DATABASE ${new URL(ownerUrl).pathname.slice(1)} WITH (FORCE)`,
      )
    },
  }
}

async function asked<T extends pg.QueryResultRow>(
  url: string,
  sql: string,
  values: readonly unknown[] = [],
): Promise<readonly T[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<T>(sql, [...values])).rows
  } finally {
    await client.end()
  }
}

function named(url: string, database: string): string {
  const other = new URL(url)
  other.pathname = `/${database}`
  return other.href
}
