import { Command, Option } from 'commander'
import { TOKEN_PROFILES } from '../../trust/token-profile.ts'
import type { Io } from '../io.ts'
import { serverOption } from '../options/place-options.ts'
import { collect, jsonOption } from '../options/run-options.ts'
import { addPlatformOptions } from '../platform/platform-options.ts'

export function peersCommand(io: Io, _exit: (code: number) => void): Command {
  const command = new Command('peers')
    .description('list, pin and remove the platforms that your organisation exchanges runs with')
    .addHelpText('after', EXAMPLES)
  for (const child of [listCommand(io), inviteCommand(io), addCommand(io), removeCommand(io)])
    command.addCommand(addPlatformOptions(child).addOption(serverOption()).addOption(jsonOption()))
  return command
}

function listCommand(io: Io): Command {
  return new Command('list')
    .description('list the pinned platforms')
    .addHelpText('after', '\nExamples:\n  $ waybill peers list\n  $ waybill peers list --json\n')
    .action(async (options) => (await import('./peers.ts')).listPeers(options, io))
}

function inviteCommand(io: Io): Command {
  return new Command('invite')
    .description('print an invitation, with which another platform may send runs here')
    .argument('<name>', 'how the other platform is called here')
    .option('--user <pair...>', 'THEIRS=OURS: which user here a user of that platform is')
    .option('--same-users', 'users have the same names on both platforms')
    .addOption(new Option('--hours <n>', 'hours in which it can be used (default: 24)').argParser(Number))
    .addHelpText(
      'after',
      `
Examples:
  $ waybill peers invite staging --same-users
  $ waybill peers add production wbi_…                on the other platform

It pins one platform, once. The other platform gets a token that hands runs over and does nothing else.
`,
    )
    .action(async (name: string, options) => (await import('./invites.ts')).invitePeer(name, options, io))
}

function addCommand(io: Io): Command {
  return new Command('add')
    .description('pin a platform, or a machine without a server, with its keys; or replace it')
    .argument('<name>', 'how you call it here')
    .argument('[invite]', 'the invitation that its admin has made (- for standard input)')
    .option(
      '--url <url>',
      'its https URL; without it, NAME is a machine without a server, which fetches runs itself',
    )
    .option('--organisation <name>', 'the organisation there; default: the name of your own')
    .option('--keys <file>', 'its public keys as a JSON Web Key Set; default: fetched from its URL')
    .option('--token-file <file>', 'a token of that platform with the role operator, to send runs to it')
    .option('--user <pair...>', 'THEIRS=OURS: which user here a user of that platform is')
    .option('--same-users', 'users have the same names on both platforms')
    .option(
      '--personal-data',
      'send values of personal data with runs, sealed for its last key; default: none',
    )
    .addOption(
      new Option(
        '--profile <profile>',
        'what its tokens carry: all claims, or at least those of the draft (a platform that is not Waybill)',
      ).choices(TOKEN_PROFILES),
    )
    .option(
      '--source-platform <text>',
      'a name that its states say they come from, such as LangGraph (repeatable)',
      collect,
    )
    .addHelpText(
      'after',
      `
Examples:
  $ waybill peers add production wbi_…
  $ waybill peers add partner --url https://waybill.partner.example --keys partner-keys.json --user ada@partner=ada
  $ waybill peers add production --url https://waybill.acme.example --same-users --token-file production-token
  $ waybill peers add production --url https://waybill.acme.example --same-users --token-file production-token --personal-data
  $ waybill peers add ada-laptop --keys laptop.jwks --user ada=ada
  $ waybill peers add graphs --profile draft --source-platform LangGraph --keys graphs.jwks

On the machine, \`waybill keys export --jwks > laptop.jwks\` writes its keys.
`,
    )
    .action(async (name: string, invite: string | undefined, options) =>
      invite === undefined
        ? (await import('./peers.ts')).addPeer(name, options, io)
        : (await import('./invites.ts')).addInvited(name, invite, options, io),
    )
}

function removeCommand(io: Io): Command {
  return new Command('remove')
    .description('remove a pinned platform: nothing is exchanged with it any more')
    .argument('<name>', 'the name that `waybill peers list` shows')
    .addHelpText('after', '\nExamples:\n  $ waybill peers remove partner\n')
    .action(async (name: string, options) => (await import('./peers.ts')).removePeer(name, options, io))
}

const EXAMPLES = `
Examples:
  $ waybill peers list
  $ waybill peers add production --url https://waybill.acme.example --same-users --token-file production-token
  $ waybill peers remove production

With --server, or after \`waybill login\`, the server is asked. Otherwise the database of this machine is opened as its
owner (--data, --database-url or $DATABASE_URL), for the organisation \`default\`. Changes need the role admin.
`
