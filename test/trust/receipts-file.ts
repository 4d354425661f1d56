import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { keyIdOf } from '../../src/trust/ed25519.ts'
import {
  lineHash,
  type ReceiptLine,
  type RecordedWrite,
  type SegmentFacts,
  type SignStatement,
  signSegment,
} from '../../src/trust/receipts/receipt.ts'
import type { ReceiptKeys, ReceiptsVerdict } from '../../src/trust/receipts/receipts-verdict.ts'
import { verifyReceipts } from '../../src/trust/receipts/verify-receipts.ts'
import { signStatement } from '../../src/trust/signed-statement.ts'

export const A = 'https://a.example/organisations/x'
export const B = 'https://b.example/organisations/x'

/** A host with a key of its own. */
export function keyPair(): { readonly key: KeyObject; readonly id: string; readonly sign: SignStatement } {
  const { privateKey } = generateKeyPairSync('ed25519')
  const key = createPublicKey(privateKey)
  return { key, id: keyIdOf(key), sign: (statement) => signStatement(statement, privateKey) }
}

export const HOST_A = keyPair()
export const HOST_B = keyPair()

/** A write that was sent once and answered, with changes. */
export function write(n: number, changes: Partial<RecordedWrite> = {}): RecordedWrite {
  return {
    call_id: `c${n}`,
    tool_name: 'send_mail',
    key: `r1:1.1:c${n}`,
    digest: String(n).repeat(64),
    outcome: 'done',
    sendings: [{ at: `2026-11-24T00:00:0${n}.000Z`, epoch: 1 }],
    settled_at: `2026-11-24T00:00:0${n}.500Z`,
    ...changes,
  }
}

export const UNSENT = { sendings: [], settled_at: undefined } as unknown as Pick<RecordedWrite, 'sendings'>

export interface SegmentOptions extends Partial<SegmentFacts> {
  readonly run?: string
  readonly root?: string
  /** Null: it has no name. */
  readonly host?: string | null
  readonly sign?: SignStatement
}

/** The lines of a run on host A, with changes. */
export function segment(
  writes: readonly RecordedWrite[],
  options: SegmentOptions = {},
): readonly ReceiptLine[] {
  const { run = 'r1', root = run, host = A, sign = HOST_A.sign, ...facts } = options
  const clean = writes.map((one) => JSON.parse(JSON.stringify(one)) as RecordedWrite)
  return signSegment(
    { ...(host !== null && { host }), run_id: run, root_run_id: root },
    clean,
    { agent_id: 'x', status: 'completed', seq: 9, at: '2026-11-24T00:01:00.000Z', subagents: [], ...facts },
    sign,
  )
}

export function endOf(lines: readonly ReceiptLine[]): string {
  return lineHash(lines.at(-1) as ReceiptLine)
}

/** A run that began on A and was moved to B. */
export function moved(
  first: readonly RecordedWrite[],
  second: readonly RecordedWrite[],
  { a = {}, b = {} }: { readonly a?: SegmentOptions; readonly b?: SegmentOptions } = {},
): readonly ReceiptLine[] {
  const before = segment(first, { status: 'migrating', to: { platform: B, jti: 'j1' }, ...a })
  const from = { state_id: 's1', run_id: 'r1', seq: 9, source_platform: A, end: endOf(before) }
  return [...before, ...segment(second, { run: 'r2', host: B, sign: HOST_B.sign, from, ...b })]
}

/** The keys of both hosts, each for its own places only. */
export const BOTH: ReceiptKeys = (keyId, host) =>
  [
    { ...HOST_A, name: 'the key of A', place: A },
    { ...HOST_B, name: 'the key of B', place: B },
  ].flatMap(({ key, id, name, place }) =>
    id === keyId && (host === undefined || host === place) ? [{ name, publicKey: key }] : [],
  )[0]

export function textOf(lines: readonly object[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

export function verdictOn(lines: readonly object[], keys: ReceiptKeys = BOTH): ReceiptsVerdict {
  return verifyReceipts(textOf(lines), keys)
}

/** Returns each problem as `line CODE`. */
export function problemsIn(lines: readonly object[], keys: ReceiptKeys = BOTH): readonly string[] {
  return verdictOn(lines, keys).problems.map(({ line, code }) => `${line ?? '-'} ${code}`)
}
