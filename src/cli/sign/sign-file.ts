import type { KeyObject } from 'node:crypto'
import { join } from 'node:path'
import { defined } from '../../document/defined.ts'
import type { Document } from '../../document/document.ts'
import { WaybillError } from '../../document/issue.ts'
import { writeWithMember } from '../../document/set-member.ts'
import { homePath } from '../../settings/home.ts'
import { keyIdOf } from '../../trust/ed25519.ts'
import { listOwnKeys, openPrivateKey } from '../../trust/key-file.ts'
import { assertSafeToSign } from '../../trust/safe-to-sign.ts'
import { signDetached, signDocument } from '../../trust/sign.ts'
import { readTrustedKeys } from '../../trust/trust-store.ts'
import { readAnyDocument } from '../files/read-any-document.ts'
import { writeWhole } from '../files/write-result.ts'
import { homeFolder } from '../home.ts'
import type { Io } from '../io.ts'
import { type FormatOptions, wantsJson } from '../options/run-options.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'
import { usageError } from '../usage-error.ts'

export interface SignOptions extends FormatOptions {
  /** Absent: the only own key. */
  readonly key?: string
  readonly output?: string
  readonly inPlace?: true
  readonly detached?: true
}

/**
 * Signs a document with an own key, and writes the signed document or the detached signature.
 * @throws USAGE, KEY_NOT_FOUND, KEY_REVOKED; the first problem found while reading the document
 */
export async function signFile(file: string, given: SignOptions, io: Io): Promise<void> {
  assertUsable(file, given)
  const options = { ...given, key: given.key ?? (await onlyKey(io)) }
  const document = await readAnyDocument(file, io)
  assertSafeToSign(document)
  const key = openPrivateKey(join(homeFolder(io), 'keys'), options.key)
  assertNotRevoked(key, options.key, io)
  if (options.detached === true) await writeDetached(document, file, key, options, io)
  else writeEmbedded(document, file, key, options, io)
}

/** The options with the name of the key. */
type Signing = SignOptions & { readonly key: string }

/** Returns the name of the only key of a person. The keys of the audit log are made by Waybill, and sign only that. */
async function onlyKey(io: Io): Promise<string> {
  const { isAuditKeyName } = await import('../../compose/audit-keys.ts')
  const names = listOwnKeys(join(homePath(io.env), 'keys'))
    .map(({ name }) => name)
    .filter((name) => !isAuditKeyName(name))
  const [first] = names
  if (first !== undefined && names.length === 1) return first
  throw first === undefined
    ? usageError('you have no key to sign with', 'create one with `waybill keys new NAME`')
    : usageError(`you have ${names.length} keys`, `name one with --key: ${names.join(', ')}`)
}

function assertUsable(file: string, { inPlace, output, detached }: SignOptions): void {
  if (inPlace !== true) return
  if (output !== undefined)
    throw usageError('--in-place and -o name two different outputs', 'use one of them')
  if (file === '-')
    throw usageError('--in-place needs a file: standard input cannot be written to', 'use -o FILE')
  if (detached === true)
    throw usageError(
      '--detached does not change the document, so --in-place has no effect',
      'remove --in-place',
    )
}

/** A signature by a revoked key would pass no verification. */
function assertNotRevoked(key: KeyObject, name: string, io: Io): void {
  const keyId = keyIdOf(key)
  const revoked = readTrustedKeys(homePath(io.env)).find(
    (known) => known.keyId === keyId && known.revokedAt !== undefined,
  )
  if (revoked === undefined) return
  throw new WaybillError('KEY_REVOKED', {
    message: `the key "${name}" was revoked on ${revoked.revokedAt}`,
    hint: 'sign with another key; `waybill keys new NAME` creates one',
  })
}

function writeEmbedded(document: Document, file: string, key: KeyObject, options: Signing, io: Io): void {
  const signed = signDocument(document.value, key)
  const bytes = writeWithMember(document, signed.place, signed.signature, signed.document)
  const output = options.inPlace === true ? file : options.output
  if (output !== undefined) writeWhole(output, bytes, io)
  if (wantsJson(options)) {
    const report = {
      ok: true,
      form: 'embedded',
      signer: options.key,
      key_id: signed.keyId,
      signature: signed.signature,
      ...(output === undefined ? { document: signed.document } : { output }),
    }
    io.out(`${jsonText(report)}\n`)
  } else if (output !== undefined) {
    io.err(signedLine(options.key, output))
  } else if (document.encoding === 'json' || document.encoding === 'yaml') {
    io.out(Buffer.from(bytes).toString('utf8'))
  } else if (io.outBytes !== undefined && !io.outIsTty) {
    io.outBytes(bytes)
  } else {
    throw usageError(
      'the signed document is binary and cannot be printed on a terminal',
      'name a file with -o, or use --in-place',
    )
  }
}

async function writeDetached(
  document: Document,
  file: string,
  key: KeyObject,
  options: Signing,
  io: Io,
): Promise<void> {
  const jws = await signDetached(document.value, key)
  const output = options.output ?? (file === '-' ? undefined : `${file}.jws`)
  if (output !== undefined) writeWhole(output, `${jws}\n`, io)
  if (wantsJson(options)) {
    const report = { ok: true, form: 'detached', signer: options.key, key_id: keyIdOf(key), jws }
    io.out(`${jsonText({ ...report, ...defined({ output }) })}\n`)
  } else if (output === undefined) io.out(`${jws}\n`)
  else io.err(signedLine(options.key, output))
}

function signedLine(key: string, output: string): string {
  return `signed with the key "${key}": ${plainLine(output, 1000)}\n`
}
