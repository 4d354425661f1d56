import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { WaybillError } from '../../document/issue.ts'
import { migrateQueue, queueVersionDue } from './migrate-queue.ts'
import { ENGINE_ROLE, roleSql, tablesWithOtherRights } from './roles.ts'
import type { Step } from './tables.ts'

/** The schema of the queue, which DBOS defines. */
export const QUEUE_SCHEMA = 'waybill_queue'

/** Any number that other applications do not use: one process migrates at a time. */
const LOCK = 7_428_311_902
const LOCK_POLL_MS = 100

export interface Migration {
  readonly n: number
  readonly name: string
}

export interface MigrateOptions {
  /** Only report the steps that would run; nothing is changed. */
  readonly dryRun?: boolean
  /** False: a database that an older version has prepared is refused instead of changed. Default true. */
  readonly upgrades?: boolean
}

/** What a database lacks. */
interface Due {
  readonly steps: readonly Step[]
  /** The version of the queue's tables to migrate to, or null. */
  readonly queue: number | null
  /** Tables whose rights are not those of {@link roleSql}. */
  readonly rights: readonly string[]
}

/**
 * Migrates the database forward, as its owner: the tables of the platform, those of the queue, and the rights of the
 * roles, which must exist. Concurrent calls wait for one another. A current database is only read.
 * @param known all steps, in order
 * @returns the steps that ran, or that would run
 * @throws DATABASE_NEWER, DATABASE_OLDER, DATABASE_DAMAGED
 */
export async function migrate(
  ownerUrl: string,
  known: readonly Step[],
  { dryRun = false, upgrades = true }: MigrateOptions = {},
): Promise<readonly Migration[]> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'waybill migrations' })
  client.on('error', () => {})
  try {
    await client.connect()
    const due = await dueOf(client, known)
    if (dryRun || isCurrent(due)) return migrationsOf(due)
    if (!upgrades && due.steps.length < known.length && migrationsOf(due).length > 0) throw older(due)
    await lock(client)
    return await migrateAlone(client, known)
  } finally {
    // Ends the lock too.
    await client.end().catch(() => {})
  }
}

/** Returns what a migration would do, without a change. @throws DATABASE_NEWER, DATABASE_DAMAGED */
export async function dueMigrations(
  client: pg.ClientBase,
  known: readonly Step[],
): Promise<readonly Migration[]> {
  return migrationsOf(await dueOf(client, known))
}

async function migrateAlone(client: pg.Client, known: readonly Step[]): Promise<readonly Migration[]> {
  const due = await dueOf(client, known)
  if (due.steps.length > 0 || due.rights.length > 0) {
    await client.query('BEGIN')
    await applySteps(client, due.steps)
    await setRights(client)
    await client.query('COMMIT')
  }
  if (due.queue !== null) await migrateQueue(client, QUEUE_SCHEMA, ENGINE_ROLE)
  return migrationsOf(due)
}

/** Runs steps in the transaction of the caller. */
export async function applySteps(client: pg.ClientBase, steps: readonly Step[]): Promise<void> {
  await client.query(`CREATE SCHEMA IF NOT EXISTS waybill;
    CREATE TABLE IF NOT EXISTS waybill.migrations (
      n int PRIMARY KEY, name text NOT NULL, sha256 text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`)
  for (const { n, name, sql } of steps) {
    await client.query(sql)
    await client.query('INSERT INTO waybill.migrations (n, name, sha256) VALUES ($1, $2, $3)', [
      n,
      name,
      hashOf({ n, name, sql }),
    ])
  }
}

/** Sets all rights in the transaction of the caller: they follow from the tables, so a new table cannot be forgotten. */
export async function setRights(client: pg.Client): Promise<void> {
  await client.query(await roleSql(client))
}

/** Asks again and again: a statement that waits has a snapshot, and an index that is created would wait for it. */
async function lock(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ own: boolean }>('SELECT pg_try_advisory_lock($1) AS own', [LOCK])
    if (rows[0]?.own === true) return
    await sleep(LOCK_POLL_MS)
  }
}

async function dueOf(client: pg.ClientBase, known: readonly Step[]): Promise<Due> {
  const done = await stepsOf(client, known)
  const steps = known.slice(done)
  return {
    steps,
    queue: await queueVersionDue(client, QUEUE_SCHEMA),
    rights: done === 0 ? [] : await tablesWithOtherRights(client),
  }
}

function isCurrent({ steps, queue, rights }: Due): boolean {
  return steps.length === 0 && queue === null && rights.length === 0
}

function migrationsOf({ steps, queue }: Due): readonly Migration[] {
  return [
    ...steps.map(({ n, name }) => ({ n, name })),
    ...(queue === null ? [] : [{ n: queue, name: 'queue' }]),
  ]
}

/** Returns how many steps this database has. */
async function stepsOf(client: pg.ClientBase, known: readonly Step[]): Promise<number> {
  const { rows } = await client.query<{ there: boolean }>(
    `SELECT to_regclass('waybill.migrations') IS NOT NULL AS there`,
  )
  if (rows[0]?.there !== true) return 0
  const applied = await client.query<{ n: number; sha256: string }>(
    'SELECT n, sha256 FROM waybill.migrations ORDER BY n',
  )
  if (applied.rows.length > known.length)
    throw new WaybillError('DATABASE_NEWER', {
      fault: 'usage',
      message: `the database has ${applied.rows.length} schema migrations, and this version of Waybill knows ${known.length}`,
      hint: 'use the version of Waybill that wrote it, or a later one',
    })
  for (const [index, { n, sha256 }] of applied.rows.entries()) {
    const step = known[index]
    if (n !== index + 1 || step === undefined || hashOf(step) !== sha256)
      throw new WaybillError('DATABASE_DAMAGED', {
        fault: 'failed',
        message: `migration ${n} of the database differs from that of this version of Waybill`,
        hint: 'restore the database from a backup, or use another one',
      })
  }
  return applied.rows.length
}

function older(due: Due): WaybillError {
  const names = migrationsOf(due).map(({ name }) => name)
  return new WaybillError('DATABASE_OLDER', {
    fault: 'usage',
    message: `an older version of Waybill has prepared the database: ${names.join(', ')} would be changed`,
    hint: 'start `waybill server`, `waybill worker` or `waybill up` of this version first, or use the version that runs there',
  })
}

/** Returns the hash by which a database knows a step. */
export function hashOf({ sql }: Step): string {
  return createHash('sha256').update(sql).digest('hex')
}
