import { Command } from 'commander'
import type { Io } from '../io.ts'
import { jsonOption } from '../options/run-options.ts'
import { addDatabaseOptions } from '../platform/platform-options.ts'

export function backupCommand(io: Io, _exit: (code: number) => void): Command {
  const command = new Command('backup')
    .description('write all organisations to a folder, while the platform runs')
    .argument('<folder>', 'a new or empty folder')
  return addDatabaseOptions(command)
    .addOption(jsonOption())
    .addHelpText('after', EXAMPLES)
    .action(async (folder: string, options) => (await import('./back-up.ts')).backUp(folder, options, io))
}

const EXAMPLES = `
Examples:
  $ waybill backup /backups/2026-11-23
  $ DATABASE_URL=postgres://waybill:secret@db/waybill waybill backup /backups/2026-11-23 --json

The keys in keys/ of the home are not part of a backup: copy them to another place after each backup.
`
