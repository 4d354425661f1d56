import { join, resolve } from 'node:path'
import { homeKeys } from '../../compose/home-keys.ts'
import { comparedKeys } from '../../compose/key-inventory.ts'
import { preparedDatabase } from '../../compose/platform-database.ts'
import { subjectKeyFiles } from '../../compose/subject-key-files.ts'
import type { Restored } from '../../platform/backup/restore-backup.ts'
import { TABLES } from '../../platform/features.ts'
import { entryMaker } from '../../trust/audit-chain.ts'
import type { Io } from '../io.ts'
import { type PlatformCommandOptions, platformOptions } from '../platform/platform-options.ts'
import { rowProgress } from '../platform/row-progress.ts'
import { count } from '../terminal/amounts.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'

interface Options extends PlatformCommandOptions {
  readonly continue?: boolean
  readonly revokeTokens?: boolean
}

/** Restores a backup (`waybill restore`). */
export async function restoreDatabase(folder: string, options: Options, io: Io): Promise<void> {
  const { restoreBackup } = await import('../../platform/backup/restore-backup.ts')
  const platform = platformOptions(options, io)
  const database = await preparedDatabase(platform)
  const paused = options.continue !== true
  let restored: Restored
  try {
    restored = await restoreBackup({
      ownerUrl: database.ownerUrl,
      steps: TABLES.steps,
      folder: resolve(io.cwd, folder),
      subjects: subjectKeyFiles(join(platform.home, 'keys', 'subjects')),
      nextEntry: entryMaker(homeKeys(platform.home).signAudit),
      paused,
      revokeTokens: options.revokeTokens === true,
      ...(options.json !== true && io.errIsTty && { onTable: rowProgress(io) }),
    })
  } finally {
    await database.stop()
  }
  const { manifest, ...counts } = restored
  const keys = comparedKeys(platform.home, manifest.keys)
  if (options.json === true) {
    io.out(`${jsonText({ taken_at: manifest.taken_at, ...counts, paused, keys })}\n`)
    return
  }
  for (const line of [...summary(restored), ...keyLines(keys)]) io.out(`${plainLine(line, 500)}\n`)
}

function summary({
  manifest,
  organisations,
  rows,
  continuing,
  waiting,
  questions,
  stops,
  left_out,
  unsigned,
}: Restored) {
  return [
    `restored ${count(organisations, 'organisation')} with ${count(rows, 'row')}, as they were at ${manifest.taken_at}`,
    `${count(continuing, 'run')} will continue with the next worker; ${waiting} wait, with ${count(questions, 'question')}`,
    'what was sent after that moment is not known here: runs that were active ask before they send a write that must not be repeated',
    ...(stops.length === 0
      ? []
      : [
          'every organisation is stopped, so nothing is sent; look at its runs, and then lift its stop:',
          ...stops.map(({ org, id }) => `  ${org}: DELETE /v1/stops/${id}`),
        ]),
    ...(unsigned.length === 0
      ? []
      : [`the audit logs of ${unsigned.join(', ')} cannot be continued: the key that signs them is missing`]),
    ...(left_out.rows === 0
      ? []
      : [
          `left out: ${count(left_out.rows, 'row')} of ${count(left_out.users, 'user')} whose data was erased, or whose keys in keys/subjects/ are missing`,
        ]),
  ]
}

/** What a missing key means, by the beginning of its path. */
const MEANING: readonly (readonly [prefix: string, meaning: string])[] = [
  ['keys/secrets/', 'the secrets of all organisations must be set again'],
  ['keys/audit', 'the audit logs cannot be continued or verified until it is there'],
]

function keyLines({ missing, different }: ReturnType<typeof comparedKeys>): readonly string[] {
  return [
    ...missing.map((file) => `missing: ${file}: ${meaningOf(file)}`),
    ...different.map((file) => `${file} is another key than when the backup was taken: ${meaningOf(file)}`),
  ]
}

function meaningOf(file: string): string {
  const found = MEANING.find(([prefix]) => file.startsWith(prefix))
  return found?.[1] ?? 'what it has signed cannot be verified here'
}
