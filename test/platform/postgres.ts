import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import pg from 'pg'
import { isRunning } from '../../src/platform/database/embedded/postmaster.ts'
import { startEmbedded } from '../../src/platform/database/embedded/start-embedded.ts'
import {
  type Database,
  type DatabaseUrls,
  openDatabase,
  prepareDatabase,
  roleUrls,
} from '../../src/platform/database/open-database.ts'
import { TABLES } from '../../src/platform/features.ts'
import { endWithProcess } from './end-with-process.ts'

const TEMPLATE = 'waybill_template'

/** A prepared database that no other test uses. */
export interface TestDatabase {
  readonly ownerUrl: string
  readonly urls: DatabaseUrls
  /** Connections of the roles, closed after the test. */
  readonly database: Database
  /** Opens further connections, like another process. */
  open(): Promise<Database>
}

let server: Promise<string> | undefined

/** Creates a database for a test, as a copy of a migrated one. */
export async function testDatabase(t: TestContext): Promise<TestDatabase> {
  server ??= testServer()
  const base = await server
  const name = `test_${randomBytes(6).toString('hex')}`
  // Without fsync, copying the files is faster than writing the log of every page.
  await onServer(base, `CREATE DATABASE ${name} TEMPLATE ${TEMPLATE} STRATEGY FILE_COPY`)
  const ownerUrl = named(base, name)
  const urls = roleUrls(ownerUrl)
  const opened: Database[] = []
  const open = async () => {
    const database = await openDatabase(urls)
    opened.push(database)
    return database
  }
  t.after(async () => {
    for (const database of opened) await database.close()
    await drop(base, name)
  })
  return { ownerUrl, urls, database: await open(), open }
}

/** Creates a database without tables for a test. @returns its owner's URL */
export async function emptyDatabase(t: TestContext): Promise<string> {
  server ??= testServer()
  const base = await server
  const name = `test_${randomBytes(6).toString('hex')}`
  await onServer(base, `CREATE DATABASE ${name}`)
  t.after(() => drop(base, name))
  return named(base, name)
}

/**
 * Returns the server of this test run: the runner starts one for all files and names it in the environment; a file
 * that is run alone starts its own.
 * @returns the owner's URL of its first database
 */
async function testServer(): Promise<string> {
  const { WAYBILL_TEST_POSTGRES: shared } = process.env
  return shared === undefined ? (await startTestServer()).url : shared
}

/** Starts a server with a migrated template. @param fsync default `off`, for tests that do not test durability */
export async function startTestServer(
  fsync: 'on' | 'off' = 'off',
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-postgres-'))
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  const settings = { fsync, max_connections: '300', shared_buffers: '64MB' }
  endWithProcess(join(folder, 'data'), folder)
  const server = await startEmbedded(folder, { settings })
  const endAtOnce = () => {
    process.kill(server.pid, 'SIGQUIT')
    // An `exit` listener cannot await. Until the server has ended, it writes files in the folder.
    const pause = new Int32Array(new SharedArrayBuffer(4))
    for (let n = 0; n < 1000 && isRunning(server.pid, server.data); n++) Atomics.wait(pause, 0, 0, 10)
    remove()
  }
  process.once('exit', endAtOnce)
  const { url } = server
  await onServer(url, `CREATE DATABASE ${TEMPLATE}`)
  await prepareDatabase(named(url, TEMPLATE), TABLES.steps)
  await onServer(url, `ALTER DATABASE ${TEMPLATE} IS_TEMPLATE true`)
  return {
    url,
    stop: async () => {
      process.off('exit', endAtOnce)
      await server.stop()
      remove()
    },
  }
}

/** Runs statements as the role and in the database of a URL. */
export async function onServer(url: string, ...statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

export async function rowsOf<T extends pg.QueryResultRow>(url: string, sql: string): Promise<readonly T[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<T>(sql)).rows
  } finally {
    await client.end()
  }
}

/** As the superuser, who may end the connections of all roles. */
async function drop(url: string, database: string): Promise<void> {
  const admin = new URL(named(url, 'postgres'))
  admin.username = 'postgres'
  await onServer(admin.href, `DROP DATABASE ${database} WITH (FORCE)`)
}

function named(url: string, database: string): string {
  const other = new URL(url)
  other.pathname = `/${database}`
  return other.href
}
