import { NO_ENTRY } from '../audit-chain.ts'
import type { Placed, Segment } from './read-segments.ts'
import { isSignedLine, type ReceiptLine } from './receipt.ts'
import type { ReceiptKeys, ReceiptProblem } from './receipts-verdict.ts'

export const TAMPERED = 'request the receipts again from the host; keep this file as evidence'

/** Verifies the lines of one segment: who has signed them, and that none is changed, missing, moved or inserted. */
export function verifySegment(segment: Segment, keys: ReceiptKeys): readonly ReceiptProblem[] {
  return [...signatureProblems(segment, keys), ...chainProblems(segment)]
}

function* signatureProblems({ receipts, end }: Segment, keys: ReceiptKeys): Generator<ReceiptProblem> {
  const { signer, host } = end.value
  const key = keys(signer, host)
  if (key === undefined) {
    yield {
      line: end.line,
      code: 'RECEIPT_SIGNER',
      message: `the key ${signer} is not trusted to sign receipts${host === undefined ? '' : ` of ${host}`}`,
      hint: 'trust the key of that host (`waybill keys trust`), or give its key set with --keys: a platform publishes it at /.well-known/jwks.json',
    }
    return
  }
  for (const { line, value } of [...receipts, end] as readonly Placed<ReceiptLine>[]) {
    if (value.signer !== signer)
      yield {
        line,
        code: 'RECEIPT_SIGNER',
        message: `the line is signed with the key ${value.signer}, and the segment with ${signer}`,
        hint: TAMPERED,
      }
    else if (!isSignedLine(value, key.publicKey))
      yield {
        line,
        code: 'RECEIPT_CHANGED',
        message: 'the signature is not valid: the line was changed after it was signed',
        hint: TAMPERED,
      }
  }
}

function* chainProblems({ receipts, end }: Segment): Generator<ReceiptProblem> {
  const { run_id, root_run_id, host, count, head } = end.value
  let last = { n: 0, hash: NO_ENTRY }
  for (const { line, value, hash } of receipts) {
    if (value.run_id !== run_id || value.root_run_id !== root_run_id || value.host !== host) {
      yield misplaced(line, `it belongs to run ${value.run_id}, and the segment to run ${run_id}`)
      continue
    }
    const { n, prev } = value
    if (n > last.n + 1)
      yield {
        line,
        code: 'RECEIPT_MISSING',
        message: `receipts ${last.n + 1} to ${n - 1} of run ${run_id} are missing before it`,
        hint: TAMPERED,
      }
    else if (n !== last.n + 1) yield misplaced(line, `receipt ${n} follows receipt ${last.n}`)
    else if (prev !== last.hash) yield misplaced(line, 'it does not contain the hash of the line before')
    last = { n, hash }
  }
  if (last.n < count)
    yield {
      line: end.line,
      code: 'RECEIPT_MISSING',
      message: `the closing line names ${count} receipts of run ${run_id}, and ${last.n} are before it`,
      hint: TAMPERED,
    }
  else if (last.n !== count || last.hash !== head)
    yield misplaced(end.line, 'the closing line is not that of the receipts before it')
}

function misplaced(line: number, why: string): ReceiptProblem {
  return { line, code: 'RECEIPT_MISPLACED', message: `the line is not in its place: ${why}`, hint: TAMPERED }
}
