import { Command } from 'commander'
import type { Io } from '../io.ts'
import { jsonOption } from '../options/run-options.ts'

export function loginCommand(io: Io, _exit: (code: number) => void): Command {
  return new Command('login')
    .description('keep the token of a server, which commands use from then on')
    .argument('<url>', 'the server, such as https://waybill.example')
    .addOption(jsonOption())
    .addHelpText('after', EXAMPLES)
    .action(async (url: string, options) => (await import('./login.ts')).login(url, options, io))
}

const EXAMPLES = `
Examples:
  $ waybill login https://waybill.example
  $ waybill login http://127.0.0.1:4400 < ~/.waybill/platform/admin-token

The token is read from standard input, or asked for without showing it, and kept in ~/.waybill/logins.json for this user
only. Commands that take --server use this server from then on. With https, this machine and the platform also pin the
keys of one another, so that runs can move; nothing that is pinned already is replaced.
`
