import { Command } from 'commander'
import type { Io } from '../io.ts'
import { jsonOption } from '../options/run-options.ts'
import { addDatabaseOptions } from '../platform/platform-options.ts'

export function restoreCommand(io: Io, _exit: (code: number) => void): Command {
  const command = new Command('restore')
    .description('restore a backup into an empty database; runs continue where they were')
    .argument('<folder>', 'the folder that `waybill backup` has written')
    .option('--paused', 'stop every organisation until an operator lifts the stop: nothing is sent')
    .option('--revoke-tokens', 'revoke all tokens; the next start creates an admin token')
  return addDatabaseOptions(command)
    .addOption(jsonOption())
    .addHelpText('after', EXAMPLES)
    .action(async (folder: string, options) =>
      (await import('./restore-database.ts')).restoreDatabase(folder, options, io),
    )
}

const EXAMPLES = `
Examples:
  $ waybill restore /backups/2026-11-23
  $ waybill restore /backups/2026-11-23 --paused --json

Copy keys/ of the lost installation into the home first. Nothing is changed if the restore fails.
`
