import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { WaybillError } from '../../document/issue.ts'
import { ACTING_SCHEMA } from './acting-schema.ts'
import { BACKUP_SCHEMA } from './backup-schema.ts'
import { CAUSERS_SCHEMA } from './causers-schema.ts'
import { ERASURE_SCHEMA } from './erasure-schema.ts'
import { FIRST_SCHEMA } from './first-schema.ts'
import { GENERATION_SCHEMA } from './generation-schema.ts'
import { HANDOFF_SCHEMA } from './handoff-schema.ts'
import { HOME_MOVE_SCHEMA } from './home-move-schema.ts'
import { INBOX_SCHEMA } from './inbox-schema.ts'
import { migrateQueue, queueVersionDue } from './migrate-queue.ts'
import { MOVE_SCHEMA } from './move-schema.ts'
import { MOVED_VALUES_SCHEMA } from './moved-values-schema.ts'
import { OWNER_SCHEMA } from './owner-schema.ts'
import { PEOPLE_SCHEMA } from './people-schema.ts'
import { PROFILE_SCHEMA } from './profile-schema.ts'
import { RECEIVER_SCHEMA } from './receiver-schema.ts'
import { RECOVERY_SCHEMA } from './recovery-schema.ts'
import { ENGINE_ROLE, roleSql, tablesWithOtherRights } from './roles.ts'
import { SECRET_SCHEMA } from './secret-schema.ts'
import { SIGN_IN_SCHEMA } from './sign-in-schema.ts'
import { SLOT_SCHEMA } from './slot-schema.ts'
import { STOP_SCHEMA } from './stop-schema.ts'
import { TRIGGER_SCHEMA } from './trigger-schema.ts'
import { VOTE_SCHEMA } from './vote-schema.ts'
import { WEBHOOK_SCHEMA } from './webhook-schema.ts'

/** The schema of the queue, which DBOS defines. */
export const QUEUE_SCHEMA = 'waybill_queue'

interface Step {
  readonly name: string
  readonly sql: string
}

/** In order, forward only. A step is never changed after a release; see `waybill.migrations`. */
const STEPS: readonly Step[] = [
  { name: 'first', sql: FIRST_SCHEMA },
  { name: 'people', sql: PEOPLE_SCHEMA },
  { name: 'stops', sql: STOP_SCHEMA },
  { name: 'secrets', sql: SECRET_SCHEMA },
  { name: 'webhooks', sql: WEBHOOK_SCHEMA },
  { name: 'acting', sql: ACTING_SCHEMA },
  { name: 'backups', sql: BACKUP_SCHEMA },
  { name: 'sign-in', sql: SIGN_IN_SCHEMA },
  { name: 'inbox', sql: INBOX_SCHEMA },
  { name: 'triggers', sql: TRIGGER_SCHEMA },
  { name: 'erasures', sql: ERASURE_SCHEMA },
  { name: 'votes', sql: VOTE_SCHEMA },
  { name: 'slots', sql: SLOT_SCHEMA },
  { name: 'moves', sql: MOVE_SCHEMA },
  { name: 'moved-values', sql: MOVED_VALUES_SCHEMA },
  { name: 'moves of homes', sql: HOME_MOVE_SCHEMA },
  { name: 'handoffs', sql: HANDOFF_SCHEMA },
  { name: 'causers', sql: CAUSERS_SCHEMA },
  { name: 'recovery', sql: RECOVERY_SCHEMA },
  { name: 'generations', sql: GENERATION_SCHEMA },
  { name: 'owners', sql: OWNER_SCHEMA },
  { name: 'receivers', sql: RECEIVER_SCHEMA },
  { name: 'profiles of tokens', sql: PROFILE_SCHEMA },
]

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
  readonly steps: readonly (Step & Migration)[]
  /** The version of the queue's tables to migrate to, or null. */
  readonly queue: number | null
  /** Tables whose rights are not those of {@link roleSql}. */
  readonly rights: readonly string[]
}

/**
 * Migrates the database forward, as its owner: the tables of the platform, those of the queue, and the rights of the
 * roles, which must exist. Concurrent calls wait for one another. A current database is only read.
 * @returns the steps that ran, or that would run
 * @throws DATABASE_NEWER, DATABASE_OLDER, DATABASE_DAMAGED
 */
export async function migrate(
  ownerUrl: string,
  { dryRun = false, upgrades = true }: MigrateOptions = {},
): Promise<readonly Migration[]> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'waybill migrations' })
  client.on('error', () => {})
  try {
    await client.connect()
    const due = await dueOf(client)
    if (dryRun || isCurrent(due)) return migrationsOf(due)
    if (!upgrades && due.steps.length < STEPS.length && migrationsOf(due).length > 0) throw older(due)
    await lock(client)
    return await migrateAlone(client)
  } finally {
    // Ends the lock too.
    await client.end().catch(() => {})
  }
}

/** Returns what a migration would do, without a change. @throws DATABASE_NEWER, DATABASE_DAMAGED */
export async function dueMigrations(client: pg.ClientBase): Promise<readonly Migration[]> {
  return migrationsOf(await dueOf(client))
}

async function migrateAlone(client: pg.Client): Promise<readonly Migration[]> {
  const due = await dueOf(client)
  if (due.steps.length > 0 || due.rights.length > 0) {
    await client.query('BEGIN')
    await applySteps(client, STEPS.length - due.steps.length, STEPS.length)
    await setRights(client)
    await client.query('COMMIT')
  }
  if (due.queue !== null) await migrateQueue(client, QUEUE_SCHEMA, ENGINE_ROLE)
  return migrationsOf(due)
}

/** Returns all steps, in order. */
export function knownSteps(): readonly (Migration & { readonly sha256: string })[] {
  return STEPS.map(({ name, sql }, index) => ({ n: index + 1, name, sha256: hashOf(sql) }))
}

/** Runs steps in the transaction of the caller. @param from how many the database has @param to how many it shall have */
export async function applySteps(client: pg.ClientBase, from: number, to: number): Promise<void> {
  await client.query(`CREATE SCHEMA IF NOT EXISTS waybill;
    CREATE TABLE IF NOT EXISTS waybill.migrations (
      n int PRIMARY KEY, name text NOT NULL, sha256 text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`)
  for (const [index, { name, sql }] of STEPS.slice(from, to).entries()) {
    await client.query(sql)
    await client.query('INSERT INTO waybill.migrations (n, name, sha256) VALUES ($1, $2, $3)', [
      from + index + 1,
      name,
      hashOf(sql),
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

async function dueOf(client: pg.ClientBase): Promise<Due> {
  const done = await stepsOf(client)
  const steps = STEPS.map((step, index) => ({ n: index + 1, ...step })).slice(done)
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
async function stepsOf(client: pg.ClientBase): Promise<number> {
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

function older(due: Due): WaybillError {
  const names = migrationsOf(due).map(({ name }) => name)
  return new WaybillError('DATABASE_OLDER', {
    fault: 'usage',
    message: `an older version of Waybill has prepared the database: ${names.join(', ')} would be changed`,
    hint: 'start `waybill server`, `waybill worker` or `waybill up` of this version first, or use the version that runs there',
  })
}

function hashOf(sql: string): string {
  return createHash('sha256').update(sql).digest('hex')
}
