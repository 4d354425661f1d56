import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { WaybillError } from '../../document/issue.ts'
import type { Json } from '../../document/json.ts'
import { strictJson } from '../../document/strict-json.ts'
import { receiptKeysOf } from '../../session/receipt-keys.ts'
import { readKeySet } from '../../trust/key-set.ts'
import type { ReceiptKey } from '../../trust/receipts/receipts-verdict.ts'
import { verifyReceipts } from '../../trust/receipts/verify-receipts.ts'
import { readTrustedKeys } from '../../trust/trust-store.ts'
import { readFileOrInput, readNamedFile } from '../files/read-any-document.ts'
import { homeFolder } from '../home.ts'
import { EXIT, type ExitCode, type Io } from '../io.ts'
import { type FormatOptions, wantsJson } from '../options/run-options.ts'
import type { PlaceOptions } from '../remote/with-records.ts'
import { jsonText } from '../terminal/plain-text.ts'
import { readReceipts } from './read-receipts.ts'
import { verdictText } from './verdict-text.ts'

export interface VerifyOptions extends FormatOptions, PlaceOptions {
  readonly keys?: readonly string[]
}

/**
 * Verifies the receipts of a file or of a run with the keys of this home (`waybill receipts verify`).
 * @returns 0 if each write was sent at most once, or again by the decision of a person; else 1
 * @throws FILE_UNREADABLE, RUN_NOT_FOUND; KEY_NOT_FOUND, KEY_INVALID for a key set
 */
export async function verifyFile(wanted: string, options: VerifyOptions, io: Io): Promise<ExitCode> {
  const { keys: files = [] } = options
  const more = new Map(files.flatMap((file) => keysIn(file, io)))
  const text = await textOf(wanted, options, io)
  const trust = { keys: () => readTrustedKeys(homeFolder(io)) }
  const verdict = verifyReceipts(text, receiptKeysOf({ trust }, more))
  if (wantsJson(options)) io.out(`${jsonText(verdict)}\n`)
  else {
    const { writes, summary } = verdictText(verdict, io)
    io.out(writes)
    io.err(summary)
  }
  return verdict.ok ? EXIT.ok : EXIT.no
}

async function textOf(wanted: string, options: VerifyOptions, io: Io): Promise<string> {
  if (wanted === '-' || existsSync(resolve(io.cwd, wanted)))
    return (await readFileOrInput(wanted, io)).toString('utf8')
  try {
    return (await readReceipts(wanted, options, io)).text
  } catch (error) {
    if (!(error instanceof WaybillError && error.code === 'RUN_NOT_FOUND')) throw error
    throw new WaybillError('RUN_NOT_FOUND', {
      fault: 'usage',
      message: `there is neither a file nor a run ${wanted}`,
      hint: '`waybill receipts export RUN -o FILE` writes such a file, and `waybill runs list` shows all runs',
    })
  }
}

/** @throws KEY_NOT_FOUND, KEY_INVALID */
function keysIn(file: string, io: Io): readonly (readonly [string, ReceiptKey])[] {
  const hint = 'give the file /.well-known/jwks.json that the platform publishes'
  const text = readNamedFile(file, io, { what: 'the key set', hint, code: 'KEY_NOT_FOUND' }).toString('utf8')
  const keys = readKeySet(jsonOf(text))
  if (keys !== undefined)
    return keys.map(({ keyId, publicKey }) => [keyId, { name: `${keyId} of ${file}`, publicKey }])
  throw new WaybillError('KEY_INVALID', {
    fault: 'usage',
    file,
    message: 'the file is not a JSON Web Key Set of Ed25519 keys',
    hint,
  })
}

function jsonOf(text: string): Json {
  try {
    return strictJson(text)
  } catch {
    return null
  }
}
