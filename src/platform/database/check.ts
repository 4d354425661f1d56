import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import pg from 'pg'
import { WaybillError } from '../../document/issue.ts'
import { messageOf } from '../../document/message-of.ts'
import { dueMigrations } from './migrate.ts'
import { type DatabaseUrls, openPool, roleUrls } from './open-database.ts'
import { probeSeparation } from './probe-separation.ts'
import { assertSafeAppRole } from './roles.ts'
import type { Step } from './tables.ts'

/** The result of one check, for `waybill doctor`. */
export interface Check {
  readonly check: string
  readonly ok: boolean
  readonly detail: string
  /** What to do; present if it failed. */
  readonly fix?: string
}

export interface DatabaseToCheck {
  readonly ownerUrl: string
  /** All steps of the schema, in order. */
  readonly steps: readonly Step[]
  /** URLs of the roles that are not derived from the owner's. */
  readonly given?: Partial<DatabaseUrls>
  /** The folder of the data, if Waybill runs the server. */
  readonly data?: string
  /** Connections that all processes of the installation open; default {@link CONNECTIONS}. */
  readonly connections?: number
}

const OLDEST_VERSION = 15
const MOST_CLOCK_DIFFERENCE_MS = 1000
const LEAST_FREE_BYTES = 1_000_000_000
/** Two processes with two pools of 10, and a few of the queue and for migrations. */
const CONNECTIONS = 50

/** Checks the database. Changes nothing; the later checks are omitted if the database does not answer. */
export async function checkDatabase(target: DatabaseToCheck): Promise<readonly Check[]> {
  const client = new pg.Client({ connectionString: target.ownerUrl, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    return [
      failed(
        'database',
        messageOf(error),
        'check DATABASE_URL, and that PostgreSQL is running and can be reached',
      ),
    ]
  }
  try {
    return [
      passed('database', 'it answers'),
      await guarded('database version', () => checkVersion(client)),
      await guarded('database migrations', () => checkMigrations(client, target.steps)),
      await guarded('database roles', () => checkRoles(client, target)),
      await guarded('database clock', () => checkClock(client)),
      await guarded('database durability', () => checkDurability(client)),
      await guarded('backup', () => checkBackup(client)),
      await guarded('database connections', () =>
        checkConnections(client, target.connections ?? CONNECTIONS),
      ),
      ...(target.data === undefined ? [] : [await checkFreeSpace(target.data)]),
    ]
  } finally {
    await client.end().catch(() => {})
  }
}

function passed(check: string, detail: string): Check {
  return { check, ok: true, detail }
}

function failed(check: string, detail: string, fix: string): Check {
  return { check, ok: false, detail, fix }
}

/** A check that cannot be made has failed. */
async function guarded(check: string, act: () => Promise<Omit<Check, 'check'>>): Promise<Check> {
  try {
    return { check, ...(await act()) }
  } catch (error) {
    const hint = error instanceof WaybillError ? error.details.hint : undefined
    return failed(check, messageOf(error), hint ?? 'check the database server and its log')
  }
}

type Result = Omit<Check, 'check'>

const good = (detail: string): Result => ({ ok: true, detail })
const bad = (detail: string, fix: string): Result => ({ ok: false, detail, fix })

async function settingsOf(client: pg.Client, ...names: readonly string[]): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string; setting: string }>(
    'SELECT name, setting FROM pg_settings WHERE name = ANY ($1)',
    [names],
  )
  return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))
}

async function checkVersion(client: pg.Client): Promise<Result> {
  const { server_version = '', server_version_num } = await settingsOf(
    client,
    'server_version',
    'server_version_num',
  )
  return Number(server_version_num) >= OLDEST_VERSION * 10_000
    ? good(`PostgreSQL ${server_version}`)
    : bad(
        `PostgreSQL ${server_version} is too old`,
        `upgrade the server to PostgreSQL ${OLDEST_VERSION} or later`,
      )
}

async function checkMigrations(client: pg.Client, steps: readonly Step[]): Promise<Result> {
  const due = await dueMigrations(client, steps)
  return due.length === 0
    ? good('the schema is current')
    : bad(
        `not applied: ${due.map(({ n, name }) => `${n} (${name})`).join(', ')}`,
        'start `waybill up` or `waybill server` with the DATABASE_URL of the owner: it migrates the database',
      )
}

async function checkRoles(client: pg.Client, { ownerUrl, given }: DatabaseToCheck): Promise<Result> {
  const { rowCount } = await client.query(`SELECT FROM pg_namespace WHERE nspname = 'waybill'`)
  if (rowCount === 0) return good('the first migration creates them')
  const { app, engine } = roleUrls(ownerUrl, given)
  await connected(engine, (client) => client.query('SELECT 1 FROM waybill.workers LIMIT 1'))
  await connected(app, assertSafeAppRole)
  const pool = openPool(app, 'waybill doctor', 1)
  try {
    const { tables } = await probeSeparation(pool)
    return good(`two probe organisations could not reach one another in ${tables} tables`)
  } finally {
    await pool.end()
  }
}

async function connected(url: string, act: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await act(client)
  } finally {
    await client.end().catch(() => {})
  }
}

async function checkClock(client: pg.Client): Promise<Result> {
  const before = Date.now()
  const { rows } = await client.query<{ now: number }>(
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now',
  )
  const after = Date.now()
  const now = rows[0]?.now ?? Number.NaN
  // The database has read its clock at some time between the two.
  const difference = Math.round(now < before ? now - before : Math.max(0, now - after))
  return Math.abs(difference) < MOST_CLOCK_DIFFERENCE_MS
    ? good('agrees with that of this machine')
    : bad(
        `${Math.abs(difference)} ms ${difference > 0 ? 'ahead of' : 'behind'} the clock of this machine`,
        'synchronise both clocks with NTP (such as chrony or systemd-timesyncd)',
      )
}

async function checkDurability(client: pg.Client): Promise<Result> {
  const off = Object.entries(await settingsOf(client, 'fsync', 'full_page_writes', 'synchronous_commit'))
    .filter(([, setting]) => setting === 'off')
    .map(([name]) => name)
  return off.length === 0
    ? good('finished appends survive a power loss')
    : bad(
        `${off.join(', ')}: off; a power loss may lose or damage data`,
        `set ${off.join(', ')} = on on the server`,
      )
}

async function checkBackup(client: pg.Client): Promise<Result> {
  const { rows: found } = await client.query<{ there: boolean }>(
    `SELECT to_regclass('waybill.backups') IS NOT NULL AS there`,
  )
  if (found[0]?.there !== true) return good('the first migration prepares it')
  const { rows } = await client.query<{ at: Date | null; runs: boolean }>(
    'SELECT max(taken_at) AS at, EXISTS (SELECT FROM waybill.runs) AS runs FROM waybill.backups',
  )
  const [last] = rows
  if (last?.at != null) return good(`the last one was taken at ${last.at.toISOString()}`)
  return last?.runs === true
    ? {
        ok: true,
        detail: 'there is none yet',
        fix: 'waybill backup FOLDER, and copy the keys to another place',
      }
    : good('there is none yet, and nothing to back up')
}

async function checkConnections(client: pg.Client, needed: number): Promise<Result> {
  const { max_connections, superuser_reserved_connections: reserved = 0 } = await settingsOf(
    client,
    'max_connections',
    'superuser_reserved_connections',
  )
  const available = Number(max_connections) - Number(reserved)
  return available >= needed
    ? good(`the server allows ${available}, and Waybill needs ${needed}`)
    : bad(
        `the server allows ${available}, and Waybill needs ${needed}`,
        `set max_connections of the server to at least ${needed + Number(reserved)}`,
      )
}

/** Checks the disk of a folder, which need not exist yet. */
export function checkFreeSpace(folder: string): Promise<Check> {
  return guarded('database disk', () => checkDisk(folder))
}

async function checkDisk(folder: string): Promise<Result> {
  let data = folder
  while (!existsSync(data) && dirname(data) !== data) data = dirname(data)
  const { bavail, bsize } = await statfs(data)
  const free = bavail * bsize
  const detail = `${(free / 1e9).toFixed(1)} GB are free at ${data}`
  return free >= LEAST_FREE_BYTES
    ? good(detail)
    : bad(detail, `free disk space: at least ${LEAST_FREE_BYTES / 1e9} GB`)
}
