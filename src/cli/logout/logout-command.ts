import { Command } from 'commander'
import type { Io } from '../io.ts'
import { jsonOption } from '../options/run-options.ts'

export function logoutCommand(io: Io, _exit: (code: number) => void): Command {
  return new Command('logout')
    .description('forget the token of a server')
    .argument('[url]', 'default: the server that commands use now')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nExamples:\n  $ waybill logout\n\nThe token stays valid: revoke it with `waybill token revoke`.\n',
    )
    .action(async (url: string | undefined, options) =>
      (await import('./logout.ts')).logout(url, options, io),
    )
}
