import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { Command } from 'commander'
import type { Document } from '../../document/document.ts'
import { WaybillError } from '../../document/issue.ts'
import { homePath } from '../../settings/home.ts'
import { assertSafeToSign } from '../../trust/safe-to-sign.ts'
import { readTrustedKeys, type TrustedKey } from '../../trust/trust-store.ts'
import { type Verdict, verifyDetached, verifyEmbedded } from '../../trust/verify.ts'
import { readAnyDocument, readFileOrInput } from '../files/read-any-document.ts'
import { EXIT, type Io } from '../io.ts'
import { formatOption, jsonOption, wantsJson } from '../options/run-options.ts'

interface Options {
  readonly jws?: string
  readonly json?: boolean
  readonly format?: string
}

export function verifyCommand(io: Io, exit: (code: number) => void): Command {
  return new Command('verify')
    .description('tell who signed a document, and whether it was changed since')
    .argument('<file>', 'the document (- for standard input)')
    .option('--jws <file>', 'the signature beside it (default: FILE.jws, when the document carries none)')
    .addOption(jsonOption())
    .addOption(formatOption())
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, options: Options) => {
      const document = await readAnyDocument(file, io)
      const verdict = await judge(document, file, options, readTrustedKeys(homePath(io.env)), io)
      if (wantsJson(options)) io.out(`${JSON.stringify({ file, ...verdict })}\n`)
      else io.err(`${file}: ${verdict.status.replace('_', ' ')}: ${verdict.reason}\n`)
      exit(verdict.ok ? EXIT.ok : EXIT.no)
    })
}

async function judge(
  document: Document,
  file: string,
  options: Options,
  keys: readonly TrustedKey[],
  io: Io,
): Promise<Verdict> {
  const unsafe = reasonNotToTrust(document)
  const embedded = verifyEmbedded(document.value, keys)
  const beside = options.jws ?? (embedded.status === 'unsigned' && file !== '-' ? `${file}.jws` : undefined)
  const detached =
    options.jws !== undefined || (beside !== undefined && existsSync(resolve(io.cwd, beside)))
      ? await verifyDetached(document.value, await readJwsFile(beside ?? '', io), keys)
      : undefined
  const verdict = detached ?? embedded
  if (unsafe === undefined || verdict.status === 'unsigned') return verdict
  return { ok: false, status: 'invalid', form: verdict.form, reason: unsafe }
}

/** Two readers of such a text do not see the same data: no signature says which of them is right. */
function reasonNotToTrust(document: Document): string | undefined {
  try {
    assertSafeToSign(document)
    return undefined
  } catch (error) {
    if (error instanceof WaybillError) return error.message
    throw error
  }
}

async function readJwsFile(file: string, io: Io): Promise<string> {
  const hint = '`waybill sign FILE --key NAME --detached` writes FILE.jws'
  return (await readFileOrInput(file, io, { what: 'the signature', hint })).toString('utf8')
}

const EXAMPLES = `
Examples:
  $ waybill verify agent.yaml
  $ waybill verify agent-card.json                          looks for agent-card.json.jws
  $ waybill verify task.json --jws signatures/task.jws --json

Exit: 0 when the signature is valid and its key is known, 1 otherwise.
`
