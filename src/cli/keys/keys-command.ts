import { join } from 'node:path'
import { Command } from 'commander'
import { defined } from '../../document/defined.ts'
import { WaybillError } from '../../document/issue.ts'
import { homePath, makeHome } from '../../settings/home.ts'
import { rawPublicKey } from '../../trust/ed25519.ts'
import { createKey, listOwnKeys, openPrivateKey, readOwnKey } from '../../trust/key-file.ts'
import { didKeyOf, parsePublicKey } from '../../trust/key-text.ts'
import {
  addTrustedKey,
  readTrustStore,
  revokeKey,
  type SignsFor,
  type TrustedKey,
} from '../../trust/trust-store.ts'
import type { Io } from '../io.ts'
import { collect, formatOption, jsonOption, wantsJson } from '../options/run-options.ts'

interface Output {
  readonly json?: boolean
  readonly format?: string
}

export function keysCommand(io: Io, _exit: (code: number) => void): Command {
  const command = new Command('keys')
    .description('make keys that sign, and say which keys of others are trusted')
    .addHelpText('after', EXAMPLES)
  for (const child of [newCommand, listCommand, exportCommand, trustCommand, revokeCommand]) {
    command.addCommand(child(io).addOption(jsonOption()).addOption(formatOption()))
  }
  return command
}

function newCommand(io: Io): Command {
  return new Command('new')
    .description('make a key pair')
    .argument('<name>', 'what to call it here')
    .addHelpText('after', '\nExamples:\n  $ waybill keys new alice\n')
    .action((name: string, options: Output) => {
      const folder = join(makeHome(homePath(io.env)), 'keys')
      const { keyId, publicKey } = createKey(folder, name)
      const made = {
        name,
        key_id: keyId,
        public_key: rawPublicKey(publicKey).toString('base64'),
        did: didKeyOf(publicKey),
        file: join(folder, `${name}.key`),
      }
      if (wantsJson(options)) return io.out(`${JSON.stringify(made)}\n`)
      io.err(`made the key "${name}" (${keyId})\n  private half: ${made.file}, for your eyes only\n`)
      io.err(`  give others the public half: waybill keys export ${name}\n`)
    })
}

function listCommand(io: Io): Command {
  return new Command('list')
    .description('show your own keys, and those that are trusted or revoked')
    .addHelpText('after', '\nExamples:\n  $ waybill keys list --json\n')
    .action((options: Output) => {
      const home = homePath(io.env)
      const own = listOwnKeys(join(home, 'keys')).map(({ name, keyId }) => ({ name, key_id: keyId }))
      const trusted = readTrustStore(join(home, 'trust')).map(entryOf)
      if (wantsJson(options)) return io.out(`${JSON.stringify({ own, trusted })}\n`)
      if (own.length + trusted.length === 0) io.err('no keys yet; make one with `waybill keys new NAME`\n')
      for (const { name, key_id } of own) io.out(`own      ${name}  ${key_id}\n`)
      for (const key of trusted) {
        const state = key.revoked_at === undefined ? 'trusted' : 'revoked'
        io.out(`${state}  ${key.name}  ${key.key_id}  ${describe(key)}\n`)
      }
    })
}

function exportCommand(io: Io): Command {
  return new Command('export')
    .description('print a key: its public half unless the private one is asked for')
    .argument('<name>', 'an own key')
    .option('--public', 'the public half (this is the default)')
    .option('--private', 'the private half: whoever has it can sign as you')
    .option('--did', 'the public half as a did:key, for the metadata of a card')
    .addHelpText(
      'after',
      '\nExamples:\n  $ waybill keys export alice > alice.pub\n  $ waybill keys export alice --did\n',
    )
    .action((name: string, options: Output & { public?: true; private?: true; did?: true }) => {
      const chosen = [options.public, options.private, options.did].filter((flag) => flag === true)
      if (chosen.length > 1) {
        throw usage('--public, --private and --did ask for different things', 'use one of them')
      }
      const folder = join(homePath(io.env), 'keys')
      const { publicKey, keyId } = readOwnKey(folder, name)
      const text =
        options.private === true
          ? openPrivateKey(folder, name).export({ format: 'pem', type: 'pkcs8' }).toString()
          : options.did === true
            ? `${didKeyOf(publicKey)}\n`
            : publicKey.export({ format: 'pem', type: 'spki' }).toString()
      io.out(wantsJson(options) ? `${JSON.stringify({ name, key_id: keyId, key: text.trim() })}\n` : text)
    })
}

interface TrustOptions extends Output {
  readonly author?: readonly string[]
  readonly platform?: readonly string[]
}

function trustCommand(io: Io): Command {
  return new Command('trust')
    .description('believe signatures of this public key from now on')
    .argument('<name>', 'what to call it here')
    .argument('<file>', 'the public key: PEM, JWK, did:key or Base64 (- for standard input)')
    .option('--author <pattern>', 'only for documents authored by this (repeatable; * is any text)', collect)
    .option('--platform <pattern>', 'only for documents of this source platform (repeatable)', collect)
    .addHelpText('after', '\nExamples:\n  $ waybill keys trust bob bob.pub --author "*@bob.example"\n')
    .action(async (name: string, file: string, options: TrustOptions) => {
      const key = parsePublicKey(await readKeyText(file, io))
      const signsFor: SignsFor = defined({ authoredBy: options.author, sourcePlatform: options.platform })
      const trusted = entryOf(
        addTrustedKey(makeHome(homePath(io.env)), name, key, signsFor, new Date().toISOString()),
      )
      if (wantsJson(options)) return io.out(`${JSON.stringify(trusted)}\n`)
      io.err(`trusted "${name}" (${trusted.key_id}) ${describe(trusted)}\n`)
    })
}

function revokeCommand(io: Io): Command {
  return new Command('revoke')
    .description('never believe this key again, whatever it signed and whenever')
    .argument('<name>', 'an own or a trusted key')
    .requiredOption('--reason <text>', 'why; verification says it')
    .addHelpText('after', '\nExamples:\n  $ waybill keys revoke bob --reason "laptop stolen"\n')
    .action((name: string, options: Output & { reason: string }) => {
      const revoked = entryOf(
        revokeKey(makeHome(homePath(io.env)), name, options.reason, new Date().toISOString()),
      )
      if (wantsJson(options)) return io.out(`${JSON.stringify(revoked)}\n`)
      io.err(`revoked "${name}" (${revoked.key_id}): nothing that it signed is valid any more\n`)
    })
}

async function readKeyText(file: string, io: Io): Promise<string> {
  const { readFileOrInput } = await import('../files/read-any-document.ts')
  const speech = { what: 'the key', hint: 'name the file that holds the public key' }
  return (await readFileOrInput(file, io, speech)).toString('utf8')
}

/** A trusted key as it is printed. */
function entryOf({ name, keyId, signsFor, revokedAt, revokedReason }: TrustedKey) {
  return {
    name,
    key_id: keyId,
    ...defined({
      authored_by: signsFor.authoredBy,
      source_platform: signsFor.sourcePlatform,
      revoked_at: revokedAt,
      revoked_reason: revokedReason,
    }),
  }
}

function describe(key: ReturnType<typeof entryOf>): string {
  if (key.revoked_at !== undefined)
    return `since ${key.revoked_at}: ${key.revoked_reason ?? 'no reason given'}`
  const limits = [
    ...(key.authored_by === undefined ? [] : [`authors ${key.authored_by.join(', ')}`]),
    ...(key.source_platform === undefined ? [] : [`platforms ${key.source_platform.join(', ')}`]),
  ]
  return limits.length === 0 ? 'for any document' : `for ${limits.join('; ')}`
}

function usage(message: string, hint: string): WaybillError {
  return new WaybillError('USAGE', { fault: 'usage', message, hint })
}

const EXAMPLES = `
Examples:
  $ waybill keys new alice
  $ waybill keys export alice > alice.pub
  $ waybill keys trust bob bob.pub --author "*@bob.example"
  $ waybill keys revoke bob --reason "laptop stolen"
`
