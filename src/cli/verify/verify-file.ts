import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Document } from '../../document/document.ts'
import { WaybillError } from '../../document/issue.ts'
import { assertSafeToSign } from '../../trust/safe-to-sign.ts'
import { readTrustedKeys, type TrustedKey } from '../../trust/trust-store.ts'
import { type Verdict, verifyDetached, verifyEmbedded } from '../../trust/verify.ts'
import { readAnyDocument, readFileOrInput } from '../files/read-any-document.ts'
import { homeFolder } from '../home.ts'
import { EXIT, type ExitCode, type Io } from '../io.ts'
import { type FormatOptions, wantsJson } from '../options/run-options.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'

export interface VerifyOptions extends FormatOptions {
  readonly jws?: string
}

/**
 * Verifies the signature of a document with the trusted keys, and prints the verdict.
 * @returns 0 if the signature is valid and its key is trusted, else 1
 * @throws FILE_UNREADABLE; the first problem found while reading the document
 */
export async function verifyFile(file: string, options: VerifyOptions, io: Io): Promise<ExitCode> {
  const document = await readAnyDocument(file, io)
  const verdict = await verdictOn(document, file, options, readTrustedKeys(homeFolder(io)), io)
  if (wantsJson(options)) io.out(`${jsonText({ file, ...verdict })}\n`)
  else io.err(`${plainLine(`${file}: ${verdict.status.replace('_', ' ')}: ${verdict.reason}`, 2000)}\n`)
  return verdict.ok ? EXIT.ok : EXIT.no
}

async function verdictOn(
  document: Document,
  file: string,
  options: VerifyOptions,
  keys: readonly TrustedKey[],
  io: Io,
): Promise<Verdict> {
  const unsafe = reasonNotToTrust(document)
  const embedded = verifyEmbedded(document.value, keys)
  const jws = options.jws ?? (embedded.status === 'unsigned' && file !== '-' ? `${file}.jws` : undefined)
  const detached =
    options.jws !== undefined || (jws !== undefined && existsSync(resolve(io.cwd, jws)))
      ? await verifyDetached(document.value, await readJwsFile(jws ?? '', io), keys)
      : undefined
  const verdict = detached ?? embedded
  if (unsafe === undefined || verdict.status === 'unsigned') return verdict
  return { ok: false, status: 'invalid', form: verdict.form, reason: unsafe }
}

/**
 * Returns why two parsers could read different data from the text (a number with more digits than a double keeps).
 * A signature cannot say which of the two readings was signed.
 */
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
