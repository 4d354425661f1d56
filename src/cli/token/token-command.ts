import { Command, Option } from 'commander'
import { ROLES } from '../../session/principal.ts'
import type { Io } from '../io.ts'
import { serverOption } from '../options/place-options.ts'
import { jsonOption } from '../options/run-options.ts'
import { addPlatformOptions } from '../platform/platform-options.ts'

export function tokenCommand(io: Io, _exit: (code: number) => void): Command {
  const command = new Command('token')
    .description('create, list and revoke the tokens with which programs and people use the platform')
    .addHelpText('after', EXAMPLES)
  for (const child of [newCommand(io), listCommand(io), revokeCommand(io)])
    command.addCommand(
      addPlatformOptions(child)
        .addOption(serverOption())
        .option(
          '--org <organisation>',
          'another organisation than your own (on this machine: than `default`)',
        )
        .addOption(jsonOption()),
    )
  return command
}

function newCommand(io: Io): Command {
  return new Command('new')
    .description('create a token, and print it once')
    .argument('[name]', 'what it is for')
    .addOption(
      new Option('--role <role...>', 'the roles of the token (default: all of the user)').choices(ROLES),
    )
    .option(
      '--scope <scope...>',
      'all that it may be used for, such as runs:read (default: what the roles permit)',
    )
    .option('--user <id>', 'the user it acts for (default: you; on this machine: admin)')
    .option('--expires <time>', 'RFC 3339, or `never` (default: in 90 days)')
    .addHelpText(
      'after',
      '\nExamples:\n  $ waybill token new ci --role operator\n  $ waybill token new --user ann@acme.test --org acme --json\n',
    )
    .action(async (name: string | undefined, options) =>
      (await import('./tokens.ts')).createToken(name, options, io),
    )
}

function listCommand(io: Io): Command {
  return new Command('list')
    .description('list the valid tokens, without their values')
    .addHelpText('after', '\nExamples:\n  $ waybill token list --server https://waybill.example\n')
    .action(async (options) => (await import('./tokens.ts')).listTokens(options, io))
}

function revokeCommand(io: Io): Command {
  return new Command('revoke')
    .description('revoke a token: every server refuses it at once')
    .argument('<id>', 'the id that `waybill token list` shows')
    .addHelpText('after', '\nExamples:\n  $ waybill token revoke 01a20708-171e-7611-9dc6-b08b25fd7b5c\n')
    .action(async (id: string, options) => (await import('./tokens.ts')).revokeToken(id, options, io))
}

const EXAMPLES = `
Examples:
  $ waybill token new ci --role operator
  $ waybill token list
  $ waybill token revoke ID

With --server, or after \`waybill login\`, the server is asked. Otherwise the database of this machine is opened as its
owner (--data, --database-url or $DATABASE_URL).
`
