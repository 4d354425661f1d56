import { join, resolve } from 'node:path'
import { keyFiles } from '../../compose/key-inventory.ts'
import { ownerOf } from '../../compose/platform-database.ts'
import { subjectKeyFiles } from '../../compose/subject-key-files.ts'
import { hasData } from '../../platform/database/embedded/data-folder.ts'
import { TABLES } from '../../platform/features.ts'
import type { Io } from '../io.ts'
import { type PlatformCommandOptions, platformOptions } from '../platform/platform-options.ts'
import { rowProgress } from '../platform/row-progress.ts'
import { productVersion } from '../product-version.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'
import { usageError } from '../usage-error.ts'

/** Writes a backup (`waybill backup`). */
export async function backUp(folder: string, options: PlatformCommandOptions, io: Io): Promise<void> {
  const { writeBackup } = await import('../../platform/backup/write-backup.ts')
  const platform = platformOptions(options, io)
  const target = resolve(io.cwd, folder)
  if (platform.databaseUrl === undefined && !hasData(join(platform.data, 'postgres')))
    throw usageError(
      `there is no database in ${platform.data}`,
      'name the folder with --data, or the database with --database-url',
    )
  // Not migrated: a backup before an update is one of the old version.
  const database = await ownerOf(platform)
  try {
    const manifest = await writeBackup({
      ownerUrl: database.ownerUrl,
      tables: TABLES.tables,
      folder: target,
      subjects: subjectKeyFiles(join(platform.home, 'keys', 'subjects')),
      keys: keyFiles(platform.home),
      version: productVersion(),
      ...(options.json !== true && io.errIsTty && { onTable: rowProgress(io) }),
    })
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
    const bytes = manifest.tables.reduce((sum, table) => sum + table.bytes, 0)
    const keys = join(platform.home, 'keys')
    if (options.json === true) {
      io.out(`${jsonText({ folder: target, taken_at: manifest.taken_at, rows, bytes, keys })}\n`)
      return
    }
    io.out(`${plainLine(target)}: ${rows} rows, ${megabytes(bytes)}, as they were at ${manifest.taken_at}\n`)
    io.err(
      `the keys are not part of it: copy ${plainLine(keys)} to another place now. Without keys/subjects/ the rows of users, and without keys/secrets/ the secrets, cannot be restored.\n`,
    )
  } finally {
    await database.stop()
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}
