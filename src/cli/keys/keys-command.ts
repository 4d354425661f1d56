import { Command, Option } from 'commander'
import { TOKEN_PROFILES } from '../../trust/token-profile.ts'
import type { Io } from '../io.ts'
import { collect, type FormatOptions, formatOption, jsonOption } from '../options/run-options.ts'
import type { ExportOptions } from './export-key.ts'
import type { RevokeOptions } from './revoke-key.ts'
import type { TrustOptions } from './trust-key.ts'

export function keysCommand(io: Io, _exit: (code: number) => void): Command {
  const command = new Command('keys')
    .description('create signing keys, and manage the keys of others that you trust')
    .addHelpText('after', EXAMPLES)
  for (const child of [newCommand, listCommand, exportCommand, trustCommand, revokeCommand]) {
    command.addCommand(child(io).addOption(jsonOption()).addOption(formatOption()))
  }
  return command
}

function newCommand(io: Io): Command {
  return new Command('new')
    .description('create a key pair')
    .argument('<name>', 'a local name for the key')
    .addHelpText('after', '\nExamples:\n  $ waybill keys new alice\n')
    .action(async (name: string, options: FormatOptions) =>
      (await import('./create-key.ts')).createNamedKey(name, options, io),
    )
}

function listCommand(io: Io): Command {
  return new Command('list')
    .description('list your own keys, and the trusted and revoked keys of others')
    .addHelpText('after', '\nExamples:\n  $ waybill keys list --json\n')
    .action(async (options: FormatOptions) => (await import('./list-keys.ts')).listKeys(options, io))
}

function exportCommand(io: Io): Command {
  return new Command('export')
    .description('print the public key, or with --private the private key')
    .argument('[name]', 'one of your own keys')
    .option(
      '--jwks',
      'the public keys of this machine, for `waybill peers add`: they sign the runs that it moves',
    )
    .option('--public', 'the public key as PEM (default)')
    .option('--private', 'the private key as PEM: any person who has it can sign as you')
    .option('--did', 'the public key as a did:key, for the metadata of an agent card')
    .addHelpText(
      'after',
      '\nExamples:\n  $ waybill keys export alice > alice.pub\n  $ waybill keys export alice --did\n  $ waybill keys export --jwks > laptop.jwks\n',
    )
    .action(async (name: string | undefined, options: ExportOptions) =>
      (await import('./export-key.ts')).exportKey(name, options, io),
    )
}

function trustCommand(io: Io): Command {
  return new Command('trust')
    .description('accept signatures of this public key, or of a platform, from now on')
    .argument('<name>', 'a local name for the key')
    .argument(
      '<file>',
      'the public key: PEM, JWK, did:key or Base64 (- for standard input); or the key set of a platform, or its URL',
    )
    .option(
      '--author <pattern>',
      'only for documents of this author (repeatable; * matches any text)',
      collect,
    )
    .option(
      '--platform <pattern>',
      'only for documents from this source platform (repeatable); of a key set: the URL of the platform',
      collect,
    )
    .addOption(
      new Option(
        '--profile <profile>',
        'what its migration tokens carry: all claims (default), or at least those of the draft',
      ).choices(TOKEN_PROFILES),
    )
    .addHelpText(
      'after',
      '\nExamples:\n  $ waybill keys trust bob bob.pub --author "*@bob.example"\n  $ waybill keys trust production jwks.json --platform https://waybill.acme.example\n  $ waybill keys trust graphs graphs.jwks --platform LangGraph --profile draft\n',
    )
    .action(async (name: string, file: string, options: TrustOptions) =>
      (await import('./trust-key.ts')).trustKey(name, file, options, io),
    )
}

function revokeCommand(io: Io): Command {
  return new Command('revoke')
    .description('revoke a key for good: all its signatures, old and new, become invalid')
    .argument('<name>', 'one of your own keys or a trusted key')
    .requiredOption('--reason <text>', 'the reason; `verify` reports it')
    .addHelpText('after', '\nExamples:\n  $ waybill keys revoke bob --reason "laptop stolen"\n')
    .action(async (name: string, options: RevokeOptions) =>
      (await import('./revoke-key.ts')).revokeNamedKey(name, options, io),
    )
}

const EXAMPLES = `
Examples:
  $ waybill keys new alice
  $ waybill keys export alice > alice.pub
  $ waybill keys trust bob bob.pub --author "*@bob.example"
  $ waybill keys revoke bob --reason "laptop stolen"
`
