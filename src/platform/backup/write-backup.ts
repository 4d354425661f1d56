import { createHash } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { WaybillError } from '../../document/issue.ts'
import { makeFolder } from '../../document/make-folder.ts'
import type { TableFacts } from '../database/tables.ts'
import { BlockWriter } from './backup-blocks.ts'
import { type BackupTable, backupTables } from './backup-tables.ts'
import { type BackedUpTable, type BackupManifest, type KeyFile, MANIFEST } from './manifest.ts'
import { type SubjectKeys, subjectName } from './subject-keys.ts'

export interface BackupOptions {
  readonly ownerUrl: string
  /** A new or empty folder. */
  readonly folder: string
  readonly subjects: SubjectKeys
  /** Of all tables. */
  readonly tables: Readonly<Record<string, TableFacts>>
  /** The key files of the installation, for the manifest. */
  readonly keys: readonly KeyFile[]
  /** Of the product. */
  readonly version: string
  readonly onTable?: (table: string, rows: number) => void
}

const COLUMN_END = 0x09
const NULL = '\\N'

/**
 * Writes all organisations to a folder while the platform runs: every table as it is at one moment. Rows of users are
 * encrypted with keys that are not in the folder; see {@link SubjectKeys}. An interrupted backup has no manifest.
 * @throws BACKUP_FOLDER_USED; DATABASE_UNREACHABLE and errors of the disk
 */
export async function writeBackup(options: BackupOptions): Promise<BackupManifest> {
  const { ownerUrl, folder, subjects, keys, version } = options
  const started = performance.now()
  if (existsSync(folder) && readdirSync(folder).length > 0) throw folderUsed(folder)
  makeFolder(folder, 0o700)
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'waybill backup' })
  client.on('error', () => {})
  await client.connect()
  try {
    await destroyErased(client, subjects)
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const prepared = await client.query<{ there: boolean }>(
      `SELECT to_regclass('waybill.migrations') IS NOT NULL AS there`,
    )
    if (prepared.rows[0]?.there !== true) throw notWaybill()
    const taken = await client.query<{ at: Date }>('SELECT now() AS at')
    const { rows: migrations } = await client.query<BackupManifest['migrations'][number]>(
      'SELECT n, name, sha256 FROM waybill.migrations ORDER BY n',
    )
    const { rows: sequences } = await client.query<BackupManifest['sequences'][number]>(
      `SELECT sequencename AS name, last_value::text AS last FROM pg_sequences
       WHERE schemaname = 'waybill' AND last_value IS NOT NULL ORDER BY sequencename`,
    )
    const tables: BackedUpTable[] = []
    for (const table of await backupTables(client, options.tables)) {
      const written = await writeTable(client, folder, table, subjects)
      tables.push(written)
      options.onTable?.(table.name, written.rows)
    }
    await client.query('COMMIT')
    subjects.save()
    const manifest: BackupManifest = {
      format: 1,
      waybill: version,
      taken_at: (taken.rows[0]?.at ?? new Date()).toISOString(),
      migrations,
      tables,
      sequences,
      keys,
    }
    writeManifest(folder, manifest)
    await noteBackup(client, manifest, performance.now() - started)
    return manifest
  } finally {
    await client.end().catch(() => {})
  }
}

/** Destroys the keys of users whose data was erased since. A user who has come back has a newer key. */
async function destroyErased(client: pg.Client, subjects: SubjectKeys): Promise<void> {
  const { rows: found } = await client.query<{ there: boolean }>(
    `SELECT to_regclass('waybill.erasures') IS NOT NULL AS there`,
  )
  if (found[0]?.there !== true) return
  const { rows } = await client.query<{ org: string; id: string; subject: string; removed_at: Date }>(
    `SELECT org, id, subject, removed_at FROM waybill.erasures
     WHERE removed_at IS NOT NULL AND keys_destroyed_at IS NULL`,
  )
  for (const { subject, removed_at } of rows) subjects.destroy(subject, removed_at.getTime())
  subjects.save()
  // Only now: a crash before it repeats the above, which changes nothing.
  await client.query(
    `UPDATE waybill.erasures AS e SET keys_destroyed_at = now() FROM unnest($1::text[], $2::text[]) AS d(org, id)
     WHERE e.org = d.org AND e.id = d.id`,
    [rows.map(({ org }) => org), rows.map(({ id }) => id)],
  )
}

async function writeTable(
  client: pg.Client,
  folder: string,
  { name, columns, select }: BackupTable,
  subjects: SubjectKeys,
): Promise<BackedUpTable> {
  const file = `${name}.rows`
  const hash = createHash('sha256')
  const handle = await open(join(folder, file), 'wx', 0o600)
  let bytes = 0
  let rows = 0
  try {
    const blocks = new BlockWriter(
      name,
      (subject) => subjects.create(subject),
      async (block) => {
        hash.update(block)
        bytes += block.length
        await writeAll(handle, block)
      },
    )
    for await (const line of linesOf(client.query(copyTo(`COPY (${select}) TO STDOUT`)))) {
      const end = line.indexOf(COLUMN_END)
      // A table without further columns has no separator.
      const subject = line.subarray(0, end < 0 ? line.length - 1 : end).toString('utf8')
      await blocks.add(subject === NULL ? null : subjectName(subject), line.subarray(end + 1))
      rows++
    }
    await blocks.flush()
    await handle.sync()
  } finally {
    await handle.close()
  }
  return { name, columns, rows, file, bytes, sha256: hash.digest('hex') }
}

/** Yields each row with its line end; line ends within values are escaped. */
async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = []
  for await (const chunk of chunks) {
    let from = 0
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, from)) {
      yield Buffer.concat([...parts, chunk.subarray(from, end + 1)])
      parts = []
      from = end + 1
    }
    if (from < chunk.length) parts.push(chunk.subarray(from))
  }
}

async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length; )
    done += (await handle.write(bytes, done, bytes.length - done)).bytesWritten
}

/** Last, and in one step: a folder with a manifest is a whole backup. */
function writeManifest(folder: string, manifest: BackupManifest): void {
  const file = join(folder, MANIFEST)
  const fd = openSync(`${file}.new`, 'wx', 0o600)
  try {
    writeFileSync(fd, `${JSON.stringify(manifest, null, 1)}\n`)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
  renameSync(`${file}.new`, file)
  const dir = openSync(folder, 'r')
  try {
    fsyncSync(dir)
  } finally {
    closeSync(dir)
  }
}

/** For `waybill doctor`. */
async function noteBackup(
  client: pg.Client,
  { taken_at, tables }: BackupManifest,
  ms: number,
): Promise<void> {
  const bytes = tables.reduce((sum, table) => sum + table.bytes, 0)
  const { rows } = await client.query<{ there: boolean }>(
    `SELECT to_regclass('waybill.backups') IS NOT NULL AS there`,
  )
  if (rows[0]?.there !== true) return
  await client.query(
    'INSERT INTO waybill.backups (taken_at, bytes, took_ms) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
    [taken_at, bytes, Math.round(ms)],
  )
}

function notWaybill(): WaybillError {
  return new WaybillError('DATABASE_DAMAGED', {
    fault: 'usage',
    message: 'the database does not contain a platform',
    hint: 'check the name of the database in DATABASE_URL',
  })
}

function folderUsed(folder: string): WaybillError {
  return new WaybillError('BACKUP_FOLDER_USED', {
    fault: 'usage',
    message: `${folder} contains files already`,
    hint: 'name a new folder for each backup, for example with the date in its name',
  })
}
