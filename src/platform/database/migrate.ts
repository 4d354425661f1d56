import { createHash } from 'node:crypto'
import pg from 'pg'
import { WaybillError } from '../../document/issue.ts'
import { FIRST_SCHEMA } from './first-schema.ts'
import { APP_ROLE, ENGINE_ROLE, roleSql } from './roles.ts'

/** The schema of the queue, which DBOS migrates. */
export const QUEUE_SCHEMA = 'waybill_queue'

interface Step {
  readonly name: string
  readonly sql: string
}

/** In order, forward only. A step is never changed after a release; see `waybill.migrations`. */
const STEPS: readonly Step[] = [{ name: 'first', sql: FIRST_SCHEMA }]

/** Any number that other applications do not use: one process migrates at a time. */
const LOCK = 7_428_311_902

export interface Migration {
  readonly n: number
  readonly name: string
}

export interface MigrateOptions {
  /** Only report the steps that would run. */
  readonly dryRun?: boolean
}

/**
 * Migrates the database forward, as its owner: the tables of the platform, those of the queue, and the rights of the
 * roles. Concurrent calls wait for one another.
 * @returns the steps that ran, or that would run
 * @throws DATABASE_NEWER, DATABASE_DAMAGED
 */
export async function migrate(
  ownerUrl: string,
  { dryRun = false }: MigrateOptions = {},
): Promise<readonly Migration[]> {
  const client = new pg.Client({ connectionString: ownerUrl })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('SELECT pg_advisory_lock($1)', [LOCK])
    const done = await migrationsOf(client)
    const due = STEPS.map(({ name, sql }, index) => ({ n: index + 1, name, sql })).slice(done)
    if (dryRun) return due.map(({ n, name }) => ({ n, name }))
    await client.query('BEGIN')
    await client.query(`CREATE SCHEMA IF NOT EXISTS waybill;
      CREATE TABLE IF NOT EXISTS waybill.migrations (
        n int PRIMARY KEY, name text NOT NULL, sha256 text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`)
    for (const { n, name, sql } of due) {
      await client.query(sql)
      await client.query('INSERT INTO waybill.migrations (n, name, sha256) VALUES ($1, $2, $3)', [
        n,
        name,
        hashOf(sql),
      ])
    }
    await client.query('COMMIT')
    await migrateQueue(ownerUrl)
    // Rights are set each time: they follow from the tables, so a new table cannot be forgotten.
    await client.query(await roleSql(client))
    return due.map(({ n, name }) => ({ n, name }))
  } finally {
    await client.end()
  }
}

/** Returns how many steps this database has. */
async function migrationsOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ there: boolean }>(
    `SELECT to_regclass('waybill.migrations') IS NOT NULL AS there`,
  )
  if (rows[0]?.there !== true) return 0
  const applied = await client.query<{ n: number; sha256: string }>(
    'SELECT n, sha256 FROM waybill.migrations ORDER BY n',
  )
  if (applied.rows.length > STEPS.length)
    throw new WaybillError('DATABASE_NEWER', {
      fault: 'usage',
      message: `the database has ${applied.rows.length} schema migrations, and this version of Waybill knows ${STEPS.length}`,
      hint: 'use the version of Waybill that wrote it, or a later one',
    })
  for (const [index, { n, sha256 }] of applied.rows.entries()) {
    const step = STEPS[index]
    if (n !== index + 1 || step === undefined || hashOf(step.sql) !== sha256)
      throw new WaybillError('DATABASE_DAMAGED', {
        fault: 'failed',
        message: `migration ${n} of the database differs from that of this version of Waybill`,
        hint: 'restore the database from a backup, or use another one',
      })
  }
  return applied.rows.length
}

async function migrateQueue(ownerUrl: string): Promise<void> {
  const { DBOS } = await import('@dbos-inc/dbos-sdk')
  await DBOS.migrate(ownerUrl, { schemaName: QUEUE_SCHEMA, applicationRole: ENGINE_ROLE })
}

function hashOf(sql: string): string {
  return createHash('sha256').update(sql).digest('hex')
}

export { APP_ROLE, ENGINE_ROLE }
