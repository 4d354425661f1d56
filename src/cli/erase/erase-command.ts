import { Command } from 'commander'
import type { Io } from '../io.ts'
import { serverOption } from '../options/place-options.ts'
import { jsonOption } from '../options/run-options.ts'
import { addDatabaseOptions } from '../platform/platform-options.ts'

export function eraseCommand(io: Io, _exit: (code: number) => void): Command {
  return addDatabaseOptions(new Command('erase'))
    .description('erase all data of a user from the platform')
    .argument('[user]', 'the user of runs, sessions and memory')
    .option('--list', 'show the erasures, and how far they are')
    .option('--yes', 'do not ask for confirmation')
    .addOption(serverOption())
    .option('--org <organisation>', 'on this machine: another organisation than `default`')
    .addOption(jsonOption())
    .addHelpText('after', EXAMPLES)
    .action(async (user: string | undefined, options) =>
      (await import('./erase-user.ts')).erase(user, options, io),
    )
}

const EXAMPLES = `
Examples:
  $ waybill erase ada
  $ waybill erase ada --org acme --yes --database-url postgres://…
  $ waybill erase --list

A worker cancels the runs of the user that are under way, and removes all runs, sessions and memory of the user. The audit
log keeps its entries, which contain digests and no content. The next \`waybill backup\` destroys the key of the user, so
that older backups do not bring the data back.
With --server, or after \`waybill login\`, the server is asked, in the own organisation. Otherwise the database of this
machine is opened as its owner (--data, --database-url or $DATABASE_URL).
`
