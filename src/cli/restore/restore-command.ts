import { Command, Option } from 'commander'
import type { Io } from '../io.ts'
import { jsonOption } from '../options/run-options.ts'
import { addDatabaseOptions } from '../platform/platform-options.ts'

export function restoreCommand(io: Io, _exit: (code: number) => void): Command {
  const command = new Command('restore')
    .description('restore a backup into an empty database, which starts stopped')
    .argument('<folder>', 'the folder that `waybill backup` has written')
    .option('--paused', 'stop every organisation until an operator lifts the stop: the default')
    .addOption(
      new Option('--continue', 'no stops: runs continue at once, where they were').conflicts('paused'),
    )
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
  $ waybill restore /backups/2026-11-23 --continue --json

Copy keys/ of the lost installation into the home first. Nothing is changed if the restore fails.
Runs that were active ask before they send a write that must not be repeated.
`
