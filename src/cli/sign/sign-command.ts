import type { KeyObject } from 'node:crypto'
import { join } from 'node:path'
import { Command } from 'commander'
import { defined } from '../../document/defined.ts'
import type { Document } from '../../document/document.ts'
import { WaybillError } from '../../document/issue.ts'
import { writeWithMember } from '../../document/set-member.ts'
import { homePath } from '../../settings/home.ts'
import { keyIdOf } from '../../trust/ed25519.ts'
import { openPrivateKey } from '../../trust/key-file.ts'
import { assertSafeToSign } from '../../trust/safe-to-sign.ts'
import { signDetached, signDocument } from '../../trust/sign.ts'
import { readTrustedKeys } from '../../trust/trust-store.ts'
import { readAnyDocument } from '../files/read-any-document.ts'
import { writeWhole } from '../files/write-result.ts'
import type { Io } from '../io.ts'
import { formatOption, jsonOption, wantsJson } from '../options/run-options.ts'

interface Options {
  readonly key: string
  readonly output?: string
  readonly inPlace?: true
  readonly detached?: true
  readonly json?: boolean
  readonly format?: string
}

export function signCommand(io: Io, _exit: (code: number) => void): Command {
  return new Command('sign')
    .description('sign a document, in itself or beside it')
    .argument('<file>', 'the document (- for standard input)')
    .requiredOption('--key <name>', 'one of your keys (`waybill keys list`)')
    .option('-o, --output <file>', 'write to this file')
    .option('--in-place', 'write the signature into the file itself')
    .option('--detached', 'sign beside the file, into FILE.jws: for cards, tasks, artifacts, anything')
    .addOption(jsonOption())
    .addOption(formatOption())
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, options: Options) => {
      checkOptions(file, options)
      const document = await readAnyDocument(file, io)
      assertSafeToSign(document)
      const key = openPrivateKey(join(homePath(io.env), 'keys'), options.key)
      refuseRevoked(key, options.key, io)
      if (options.detached === true) await signBeside(document, file, key, options, io)
      else signInside(document, file, key, options, io)
    })
}

function checkOptions(file: string, { inPlace, output, detached }: Options): void {
  const refuse = (message: string, hint: string) => {
    throw new WaybillError('USAGE', { fault: 'usage', message, hint })
  }
  if (inPlace === true && output !== undefined) refuse('--in-place and -o are two places', 'use one of them')
  if (inPlace === true && file === '-') refuse('standard input is no file to write into', 'use -o')
  if (inPlace === true && detached === true)
    refuse('--detached leaves the file alone', 'leave --in-place out')
}

/** A signature that nobody will believe would only look like one. */
function refuseRevoked(key: KeyObject, name: string, io: Io): void {
  const keyId = keyIdOf(key)
  const revoked = readTrustedKeys(homePath(io.env)).find(
    (known) => known.keyId === keyId && known.revokedAt !== undefined,
  )
  if (revoked === undefined) return
  throw new WaybillError('KEY_REVOKED', {
    message: `the key "${name}" was revoked on ${revoked.revokedAt}`,
    hint: 'sign with another key; `waybill keys new NAME` makes one',
  })
}

function signInside(document: Document, file: string, key: KeyObject, options: Options, io: Io): void {
  const signed = signDocument(document.value, key)
  const bytes = writeWithMember(document, signed.place, signed.signature, signed.document)
  const output = options.inPlace === true ? file : options.output
  if (output !== undefined) writeWhole(output, bytes, io)
  const told = {
    ok: true,
    form: 'embedded',
    signer: options.key,
    key_id: signed.keyId,
    signature: signed.signature,
  }
  if (wantsJson(options)) {
    io.out(
      `${JSON.stringify({ ...told, ...(output === undefined ? { document: signed.document } : { output }) })}\n`,
    )
  } else if (output !== undefined) {
    io.err(`signed by "${options.key}": ${output}\n`)
  } else if (document.encoding === 'json' || document.encoding === 'yaml') {
    io.out(Buffer.from(bytes).toString('utf8'))
  } else if (io.outBytes !== undefined && !io.outIsTty) {
    io.outBytes(bytes)
  } else {
    throw new WaybillError('USAGE', {
      fault: 'usage',
      message: 'the signed document is binary, and a terminal cannot show it',
      hint: 'name a file with -o, or use --in-place',
    })
  }
}

async function signBeside(
  document: Document,
  file: string,
  key: KeyObject,
  options: Options,
  io: Io,
): Promise<void> {
  const jws = await signDetached(document.value, key)
  const output = options.output ?? (file === '-' ? undefined : `${file}.jws`)
  if (output !== undefined) writeWhole(output, `${jws}\n`, io)
  const told = { ok: true, form: 'detached', signer: options.key, key_id: keyIdOf(key), jws }
  if (wantsJson(options)) io.out(`${JSON.stringify({ ...told, ...defined({ output }) })}\n`)
  else if (output === undefined) io.out(`${jws}\n`)
  else io.err(`signed by "${options.key}": ${output}\n`)
}

const EXAMPLES = `
Examples:
  $ waybill sign agent.yaml --key alice --in-place
  $ waybill sign agent.json --key alice -o agent.signed.json
  $ waybill sign agent-card.json --key alice --detached     writes agent-card.json.jws
`
