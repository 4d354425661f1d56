import { Command } from 'commander'
import type { Io } from '../io.ts'
import { serverOption } from '../options/place-options.ts'
import { jsonOption } from '../options/run-options.ts'
import { addPlatformOptions } from '../platform/platform-options.ts'

export function secretCommand(io: Io, _exit: (code: number) => void): Command {
  const command = new Command('secret')
    .description('set, list and remove the secrets that runs of an organisation use')
    .addHelpText('after', EXAMPLES)
  for (const child of [setCommand(io), listCommand(io), removeCommand(io)])
    command.addCommand(
      addPlatformOptions(child)
        .addOption(serverOption())
        .option(
          '--org <organisation>',
          'another organisation than your own (on this machine: than `default`)',
        )
        .addOption(jsonOption()),
    )
  return command.addCommand(addPlatformOptions(rotateCommand(io)).addOption(jsonOption()))
}

function setCommand(io: Io): Command {
  return new Command('set')
    .description('set a secret, or replace its value and hosts')
    .argument('<name>', 'the name in definitions, such as CRM_KEY')
    .requiredOption('--host <host...>', 'HOST or HOST:PORT: the secret is sent to no others')
    .addHelpText(
      'after',
      '\nExamples:\n  $ waybill secret set CRM_KEY --host api.crm.example\n  $ waybill secret set OPENAI_API_KEY --host api.openai.com < key-file\n',
    )
    .action(async (name: string, options) => (await import('./secrets.ts')).setSecret(name, options, io))
}

function listCommand(io: Io): Command {
  return new Command('list')
    .description('list the secrets, without their values')
    .addHelpText('after', '\nExamples:\n  $ waybill secret list --json\n')
    .action(async (options) => (await import('./secrets.ts')).listSecrets(options, io))
}

function removeCommand(io: Io): Command {
  return new Command('remove')
    .description('remove a secret: runs do not use it any more')
    .argument('<name>', 'the name that `waybill secret list` shows')
    .addHelpText('after', '\nExamples:\n  $ waybill secret remove CRM_KEY\n')
    .action(async (name: string, options) => (await import('./secrets.ts')).removeSecret(name, options, io))
}

function rotateCommand(io: Io): Command {
  return new Command('rotate')
    .description('exchange the key of the installation that protects all secrets')
    .addHelpText(
      'after',
      '\nExamples:\n  $ waybill secret rotate\n\nIt needs the key file and the database of this machine. Copy keys/secrets/ to the other machines afterwards.\n',
    )
    .action(async (options) => (await import('./secrets.ts')).rotateKey(options, io))
}

const EXAMPLES = `
Examples:
  $ waybill secret set CRM_KEY --host api.crm.example
  $ waybill secret list
  $ waybill secret remove CRM_KEY
  $ waybill secret rotate

The value is read from standard input, or asked for without showing it. It is stored encrypted and is never shown again.
With --server, or after \`waybill login\`, the server is asked. Otherwise the database of this machine is opened as its
owner (--data, --database-url or $DATABASE_URL).
`
