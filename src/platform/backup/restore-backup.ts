import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { v7 as uuidv7 } from 'uuid'
import { WaybillError } from '../../document/issue.ts'
import { messageOf } from '../../document/message-of.ts'
import type { EntryMaker } from '../../trust/audit-chain.ts'
import { applySteps, hashOf, setRights } from '../database/migrate.ts'
import type { Step } from '../database/tables.ts'
import { PLATFORM } from '../engine/leg.ts'
import { appendAudit } from '../records/audit-chain-rows.ts'
import { readBlocks } from './backup-blocks.ts'
import { quoted } from './backup-tables.ts'
import { assertWhole, type BackedUpTable, type BackupManifest, damaged, readManifest } from './manifest.ts'
import type { SubjectKeys } from './subject-keys.ts'

export interface RestoreOptions {
  /** Of a database that was prepared, and in which nothing has run. */
  readonly ownerUrl: string
  readonly folder: string
  /** All steps of the schema, in order. */
  readonly steps: readonly Step[]
  readonly subjects: Pick<SubjectKeys, 'read'>
  /** Stops all organisations until an operator lifts the stops: nothing is sent. Default: true. */
  readonly paused?: boolean
  /** Revokes all tokens and sessions. */
  readonly revokeTokens?: boolean
  /** Signs an entry in the log of each organisation that says so. */
  readonly nextEntry: EntryMaker
  readonly onTable?: (table: string, rows: number) => void
}

export interface Restored {
  readonly manifest: BackupManifest
  readonly rows: number
  /** Rows of users whose keys were destroyed or are missing. */
  readonly left_out: { readonly rows: number; readonly users: number }
  readonly organisations: number
  /** Runs that continue by themselves, and that wait for a person or a time. */
  readonly continuing: number
  readonly waiting: number
  readonly questions: number
  /** The stops of the organisations; none if they continue. */
  readonly stops: readonly { readonly org: string; readonly id: string }[]
  /** The runs that were active ask before they send a write again; see `raise_generation`. */
  readonly generation: number
  /** Organisations whose log cannot be continued, because the key that must sign it is missing. */
  readonly unsigned: readonly string[]
}

/**
 * Restores a backup into an empty database, in one transaction: it is there as a whole, or nothing has changed. Runs that
 * were active continue with their next worker; calls that were in flight and must not be repeated become questions.
 * @throws BACKUP_DAMAGED, BACKUP_NEWER, DATABASE_NOT_EMPTY
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { ownerUrl, folder, steps } = options
  const manifest = readManifest(folder)
  assertKnown(manifest, steps)
  await assertWhole(folder, manifest)
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'waybill restore' })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('BEGIN')
    await assertEmpty(client)
    // The tables are made again as they were when the backup was taken, and migrated with their rows.
    await client.query('DROP SCHEMA waybill CASCADE')
    await applySteps(client, steps.slice(0, manifest.migrations.length))
    let rows = 0
    const leftOut = { rows: 0, users: new Set<string>() }
    for (const table of manifest.tables) {
      const loaded = await loadTable(client, options, table, leftOut)
      rows += loaded
      options.onTable?.(table.name, loaded)
    }
    for (const { name, last } of manifest.sequences)
      await client.query('SELECT setval(format($1, $2::text)::regclass, $3::bigint)', [
        'waybill.%I',
        name,
        last,
      ])
    await applySteps(client, steps.slice(manifest.migrations.length))
    await setRights(client)
    const stops = await settle(client, options)
    const counts = await countsOf(client)
    const { rows: raised } = await client.query<{ generation: number }>(
      'SELECT waybill.raise_generation(NULL, true) AS generation',
    )
    const generation = raised[0]?.generation ?? 1
    const unsigned = await noteRestore(client, options, manifest)
    await client.query('COMMIT')
    return {
      manifest,
      rows,
      left_out: { rows: leftOut.rows, users: leftOut.users.size },
      ...counts,
      stops,
      generation,
      unsigned,
    }
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    if (error instanceof SyntaxError || error instanceof RangeError)
      throw damaged(folder, messageOf(error), error)
    throw error
  } finally {
    await client.end().catch(() => {})
  }
}

/** @throws BACKUP_NEWER, BACKUP_DAMAGED */
function assertKnown({ migrations, waybill }: BackupManifest, known: readonly Step[]): void {
  if (migrations.length > known.length)
    throw new WaybillError('BACKUP_NEWER', {
      fault: 'usage',
      message: `the backup was written by Waybill ${waybill}, with ${migrations.length} schema migrations; this version knows ${known.length}`,
      hint: 'restore it with that version or a later one',
    })
  for (const [index, { sha256, name }] of migrations.entries()) {
    const step = known[index]
    if (step === undefined || hashOf(step) !== sha256)
      throw new WaybillError('BACKUP_DAMAGED', {
        fault: 'failed',
        message: `the schema migration ${name} of the backup differs from that of this version`,
        hint: 'restore it with the version of Waybill that wrote it',
      })
  }
}

/** A database that has only been prepared has the first organisation with its admin, and no runs and agents. */
async function assertEmpty(client: pg.Client): Promise<void> {
  await client.query('LOCK TABLE waybill.organisations IN ACCESS EXCLUSIVE MODE')
  const { rows } = await client.query<{ used: boolean }>(
    `SELECT EXISTS (SELECT FROM waybill.runs) OR EXISTS (SELECT FROM waybill.agents)
       OR EXISTS (SELECT FROM waybill.organisations WHERE org <> 'default')
       OR EXISTS (SELECT FROM waybill.workers WHERE until > clock_timestamp()) AS used`,
  )
  if (rows[0]?.used === true)
    throw new WaybillError('DATABASE_NOT_EMPTY', {
      fault: 'usage',
      message: 'the database contains organisations, agents or runs, or a platform is running on it',
      hint: 'stop the platform, and restore into a new database or another --data folder',
    })
}

async function loadTable(
  client: pg.Client,
  { folder, subjects }: RestoreOptions,
  { name, columns, file, rows: expected }: BackedUpTable,
  leftOut: { rows: number; readonly users: Set<string> },
): Promise<number> {
  const table = `waybill.${quoted(name)}`
  let loaded = 0
  let skipped = 0
  const blocks = readBlocks(
    name,
    createReadStream(join(folder, file), { highWaterMark: 1024 * 1024 }),
    (subject) => subjects.read(subject),
  )
  async function* lines() {
    for await (const block of blocks) {
      if ('lines' in block) {
        loaded += block.rows
        yield block.lines
        continue
      }
      skipped += block.rows
      leftOut.users.add(block.subject)
    }
  }
  // Triggers have done their work before the backup. A migration may have made rows of its own.
  await client.query(`DELETE FROM ${table}; ALTER TABLE ${table} DISABLE TRIGGER USER`)
  const copy = `COPY ${table} (${columns.map(quoted).join(', ')}) FROM STDIN`
  await pipeline(Readable.from(lines()), client.query(copyFrom(copy)))
  await client.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`)
  const { rows } = await client.query<{ n: string }>(`SELECT count(*)::text AS n FROM ${table}`)
  if (Number(rows[0]?.n) !== loaded || loaded + skipped !== expected)
    throw damaged(folder, `${file} has ${loaded + skipped} rows, and the manifest names ${expected}`)
  leftOut.rows += skipped
  return loaded
}

/** What belonged to processes of the lost system is free. The reconciler of a worker queues the legs again. */
async function settle(
  client: pg.Client,
  { paused = true, revokeTokens }: RestoreOptions,
): Promise<Restored['stops']> {
  await client.query(`
    UPDATE waybill.progress SET holder = NULL, taken_at = NULL, died = '{}', failures = 0 WHERE phase <> 'over';
    UPDATE waybill.progress SET phase = 'queued', leg = greatest(leg, 1) WHERE phase IN ('queued', 'slot')`)
  const { rows } = await client.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns
     WHERE table_schema = 'waybill' AND column_name = 'claimed_until'`,
  )
  for (const { name } of rows) await client.query(`UPDATE waybill.${quoted(name)} SET claimed_until = NULL`)
  if (revokeTokens === true)
    await client.query('UPDATE waybill.tokens SET revoked_at = clock_timestamp() WHERE revoked_at IS NULL')
  if (!paused) return []
  const organisations = await client.query<{ org: string }>('SELECT org FROM waybill.organisations')
  const stops = organisations.rows.map(({ org }) => ({ org, id: uuidv7() }))
  for (const { org, id } of stops)
    await client.query(
      `INSERT INTO waybill.stops (org, id, kind, subject, by, reason) VALUES ($1, $2, 'organisation', $1, 'restore', $3)`,
      [org, id, 'restored from a backup; lift the stop when it may continue'],
    )
  return stops
}

/** @returns the organisations whose log cannot be continued */
async function noteRestore(
  client: pg.Client,
  { nextEntry, paused = true }: RestoreOptions,
  { taken_at }: BackupManifest,
): Promise<readonly string[]> {
  const { rows } = await client.query<{ org: string }>('SELECT org FROM waybill.organisations ORDER BY org')
  const unsigned: string[] = []
  for (const { org } of rows) {
    const fact = { at: new Date().toISOString(), kind: 'platform.restored', by: PLATFORM, taken_at, paused }
    try {
      await appendAudit(client, org, nextEntry, [fact])
    } catch (error) {
      if (!(error instanceof WaybillError && error.code === 'AUDIT_KEY_WRONG')) throw error
      unsigned.push(org)
    }
  }
  return unsigned
}

async function countsOf(
  client: pg.Client,
): Promise<Pick<Restored, 'organisations' | 'continuing' | 'waiting' | 'questions'>> {
  const { rows } = await client.query<
    Record<'organisations' | 'continuing' | 'waiting' | 'questions', number>
  >(
    `SELECT (SELECT count(*) FROM waybill.organisations)::int AS organisations,
       (count(*) FILTER (WHERE phase = 'queued'))::int AS continuing,
       (count(*) FILTER (WHERE phase = 'parked'))::int AS waiting,
       coalesce(sum(questions), 0)::int AS questions
     FROM waybill.progress`,
  )
  const [counts] = rows
  if (counts === undefined) throw new TypeError('a statement without groups returns one row')
  return counts
}
