import pg from 'pg'
import { WaybillError } from '../../document/issue.ts'
import { messageOf } from '../../document/message-of.ts'
import { type MigrateOptions, migrate } from './migrate.ts'
import { APP_ROLE, assertSafeAppRole, ENGINE_ROLE, ensureRoles, rolePasswords } from './roles.ts'
import type { Step } from './tables.ts'

/** 64-bit integers of the database are times and counts, far below 2^53. */
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

export interface DatabaseUrls {
  /** For HTTP requests. */
  readonly app: string
  /** For workers, timers and appends. */
  readonly engine: string
}

export interface DatabaseOptions {
  /** Connections for requests; default 10. */
  readonly appConnections?: number
  /** Connections for the engine; default 10. */
  readonly engineConnections?: number
}

/** The connections of one process, by role. */
export interface Database {
  readonly urls: DatabaseUrls
  readonly app: pg.Pool
  readonly engine: pg.Pool
  close(): Promise<void>
}

/**
 * Prepares a database as its owner: creates the roles and migrates the schema. A database that is prepared is only read.
 * @param steps all steps of the schema, in order
 * @param given - URLs of roles with passwords of their own, or members of the roles
 * @param options upgrades: false for a command beside a running platform, which must not change its schema
 * @returns the URLs of the two roles
 * @throws DATABASE_UNREACHABLE, DATABASE_NEWER, DATABASE_OLDER, DATABASE_DAMAGED, DATABASE_ROLE_UNSAFE
 */
export async function prepareDatabase(
  ownerUrl: string,
  steps: readonly Step[],
  given: Partial<DatabaseUrls> = {},
  options: Pick<MigrateOptions, 'upgrades'> = {},
): Promise<DatabaseUrls> {
  const urls = roleUrls(ownerUrl, given)
  if (!(await reachable(() => canLogIn(urls.app, urls.engine)))) {
    const passwords = rolePasswords(passwordOf(ownerUrl))
    await asOwner(ownerUrl, (client) =>
      ensureRoles(client, {
        ...(given.app === undefined && { app: passwords.app }),
        ...(given.engine === undefined && { engine: passwords.engine }),
      }),
    )
  }
  await reachable(() => migrate(ownerUrl, steps, options))
  return urls
}

/**
 * Returns the URLs of the two roles of a prepared database.
 * @throws DATABASE_ROLE_UNSAFE if the owner has no password
 */
export function roleUrls(ownerUrl: string, given: Partial<DatabaseUrls> = {}): DatabaseUrls {
  const { app, engine } = given
  if (app !== undefined && engine !== undefined) return { app, engine }
  const url = new URL(ownerUrl)
  if (url.password === '')
    throw new WaybillError('DATABASE_ROLE_UNSAFE', {
      fault: 'usage',
      message: 'the database URL has no password, from which the passwords of the roles are derived',
      hint: 'add a password to DATABASE_URL, or set WAYBILL_APP_DATABASE_URL and WAYBILL_ENGINE_DATABASE_URL',
    })
  const passwords = rolePasswords(passwordOf(ownerUrl))
  return {
    app: app ?? withUser(url, APP_ROLE, passwords.app),
    engine: engine ?? withUser(url, ENGINE_ROLE, passwords.engine),
  }
}

function passwordOf(url: string): string {
  return decodeURIComponent(new URL(url).password)
}

/** Returns false if a role does not exist or has another password. */
async function canLogIn(...urls: readonly string[]): Promise<boolean> {
  const found = await Promise.all(
    urls.map(async (connectionString) => {
      const client = new pg.Client({ connectionString })
      client.on('error', () => {})
      try {
        await client.connect()
        return true
      } catch (error) {
        // Class 28: invalid authorization.
        if (error instanceof pg.DatabaseError && error.code?.startsWith('28')) return false
        throw error
      } finally {
        await client.end().catch(() => {})
      }
    }),
  )
  return found.every((logged) => logged)
}

/** Opens the connections of a prepared database. @throws DATABASE_UNREACHABLE, DATABASE_ROLE_UNSAFE */
export async function openDatabase(urls: DatabaseUrls, options: DatabaseOptions = {}): Promise<Database> {
  const app = openPool(urls.app, 'waybill requests', options.appConnections ?? 10)
  const engine = openPool(urls.engine, 'waybill engine', options.engineConnections ?? 10)
  const close = async () => {
    await Promise.all([app.end(), engine.end()])
  }
  try {
    await reachable(() => assertSafeAppRole(app))
  } catch (error) {
    await close()
    throw error
  }
  return { urls, app, engine, close }
}

/** Opens a pool of connections whose loss does not end the process. */
export function openPool(connectionString: string, application_name: string, max: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    application_name,
    max,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    idle_in_transaction_session_timeout: 60_000,
  })
  // Without a listener, a lost connection would end the process. The next query opens a new one.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

async function asOwner<T>(ownerUrl: string, act: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: ownerUrl })
  client.on('error', () => {})
  await reachable(() => client.connect())
  try {
    return await act(client)
  } finally {
    await client.end()
  }
}

/** @throws DATABASE_UNREACHABLE */
async function reachable<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (cause) {
    if (cause instanceof WaybillError) throw cause
    throw new WaybillError('DATABASE_UNREACHABLE', {
      fault: 'failed',
      message: `the database cannot be used: ${messageOf(cause)}`,
      hint: 'check DATABASE_URL and that PostgreSQL is running; `waybill doctor` tests both',
      cause,
    })
  }
}

function withUser(owner: URL, user: string, password: string): string {
  const url = new URL(owner)
  url.username = user
  url.password = password
  return url.href
}
