import type { KeyObject } from 'node:crypto'
import { defined } from '../../document/defined.ts'
import { WaybillError } from '../../document/issue.ts'
import type { Json, JsonObject } from '../../document/json.ts'
import type { Capture, CaptureRunOptions } from '../../session/capture-run.ts'
import type { Home } from '../../session/home.ts'
import { receiptHostOf } from '../../session/receipts-of-run.ts'
import { parsePublicKey } from '../../trust/key-text.ts'
import { readTrustedKeys } from '../../trust/trust-store.ts'
import { environmentRedactor } from '../environment-redactor.ts'
import { readNamedFile } from '../files/read-any-document.ts'
import { statesBeside } from '../files/states-beside.ts'
import { type ExportTarget, writeExport } from '../files/write-export.ts'
import { writeWhole } from '../files/write-result.ts'
import { homeFolder } from '../home.ts'
import type { Io } from '../io.ts'
import { personName } from '../person-name.ts'
import { productVersion } from '../product-version.ts'
import { lossLines } from './fidelity-text.ts'

/**
 * Returns who captures a run on this machine, when, which secrets must not be in its state, and who signs its receipts.
 * @throws AUDIT_KEY_WRONG, KEY_EXPOSED if this home cannot sign
 */
export async function captureOptions(home: Home, io: Io, seq?: number): Promise<CaptureRunOptions> {
  const redactor = environmentRedactor(io)
  return {
    host: await receiptHostOf(home),
    redact: (value) => redactor.json(value),
    at: Date.now(),
    by: personName(io.env),
    platform: { name: 'waybill', version: productVersion() },
    ...defined({ seq }),
  }
}

/** Where a captured state is written. */
export interface StateTarget extends ExportTarget {
  /** Name of a trusted key, or a file with a public key: the state is encrypted for its holder. */
  readonly encryptTo?: string
}

/** Writes a captured state, and says what it could not take along. */
export async function writeState(
  { document, report }: Capture,
  { encryptTo, ...target }: StateTarget,
  io: Io,
): Promise<void> {
  const plain = `${JSON.stringify(document, null, 2)}\n`
  const text = encryptTo === undefined ? plain : await sealed(plain, encryptTo, io)
  for (const line of lossLines(report)) io.err(`${line}\n`)
  const beside = target.output === undefined ? [] : statesBeside(target.output, document, io)
  // Before the state that names them.
  for (const { file, state } of beside) {
    const own = `${JSON.stringify(state, null, 2)}\n`
    writeWhole(file, encryptTo === undefined ? own : await sealed(own, encryptTo, io), io, 0o600)
  }
  const facts = asJson({
    run_id: document.run_id,
    encrypted: encryptTo !== undefined,
    report,
    ...(beside.length > 0 && { documents: beside.map(({ file }) => file) }),
  }) as JsonObject
  writeExport(text, target, facts, io, encryptTo === undefined ? asJson(document) : text)
  if (target.output === undefined) return
  const how = encryptTo === undefined ? '' : `, encrypted for ${encryptTo}`
  io.err(`the state of run ${document.run_id} was written to ${target.output}${how}\n`)
  for (const { file } of beside) io.err(`  with the state of a sub-agent: ${file}\n`)
}

/** The value as JSON.stringify prints it. */
function asJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value)) as Json
}

async function sealed(plain: string, receiver: string, io: Io): Promise<string> {
  const { sealFor } = await import('../../trust/seal-for.ts')
  const bytes = Buffer.from(plain)
  return `${await sealFor(bytes, await receiverKey(receiver, io), 'application/json')}\n`
}

/** @throws KEY_NOT_FOUND, KEY_REVOKED, KEY_INVALID */
async function receiverKey(receiver: string, io: Io): Promise<KeyObject> {
  const known = readTrustedKeys(homeFolder(io)).find(({ name }) => name === receiver)
  if (known?.revokedAt !== undefined)
    throw new WaybillError('KEY_REVOKED', {
      message: `the key "${receiver}" was revoked at ${known.revokedAt}`,
      hint: 'ask the receiver for another key',
    })
  if (known !== undefined) return known.publicKey
  const speech = {
    what: 'the key',
    hint: 'name a trusted key (`waybill keys list`), or a file with a public key',
    code: 'KEY_NOT_FOUND',
  } as const
  return parsePublicKey(readNamedFile(receiver, io, speech).toString('utf8'))
}
