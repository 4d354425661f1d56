import { judgeWrites } from './judge-writes.ts'
import { type Connected, connectedTo, readReceipts, type Segment } from './read-segments.ts'
import type { ReceiptLine } from './receipt.ts'
import type { JudgedWrite, ReceiptKeys, ReceiptProblem, ReceiptsVerdict } from './receipts-verdict.ts'
import { TAMPERED, verifySegment } from './verify-segment.ts'

/**
 * Verifies exported receipts: every signature, the chain of each segment, that the segments of successive hosts and of
 * sub-agents are connected and complete, and that each write was sent at most once over all of them.
 */
export function verifyReceipts(text: string, keys: ReceiptKeys): ReceiptsVerdict {
  const { segments, open, unreadable } = readReceipts(text)
  const root = segments.at(-1)
  const connected = root === undefined ? [] : connectedTo([root.end.hash], segments)
  const nameOf = hostNames(keys)
  const writes = judgeWrites(connected, nameOf)
  const problems = [
    ...unreadable.map(unreadableLine),
    ...segments.flatMap((segment) => verifySegment(segment, keys)),
    ...(root === undefined || open.length > 0 ? [cut(open[0]?.line)] : []),
    ...connectionProblems(segments, connected),
    ...(root === undefined ? [] : rootProblems(root)),
    ...writes.flatMap(sentAgain),
  ]
  return {
    ok: problems.length === 0,
    run_id: root?.end.value.run_id ?? null,
    status: root?.end.value.status ?? null,
    hosts: [...new Set(connected.map(({ segment }) => nameOf(segment.end.value)))],
    segments: segments.length,
    writes,
    problems: problems.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0)),
  }
}

/** Returns the name that a host gives itself, else the name of its key here, else the key. */
function hostNames(keys: ReceiptKeys): (line: ReceiptLine) => string {
  return ({ host, signer }) => host ?? keys(signer, host)?.name ?? signer
}

function* connectionProblems(
  segments: readonly Segment[],
  connected: readonly Connected[],
): Generator<ReceiptProblem> {
  const reached = new Map(connected.map(({ segment }) => [segment.end.hash, segment]))
  const known = new Set(connected.map(({ segment }) => segment))
  for (const segment of segments)
    if (!known.has(segment))
      yield unconnected(
        segment,
        'no segment after it refers to it, so it belongs to another run or was replaced',
      )
  for (const { segment } of connected) {
    const { subagents, run_id } = segment.end.value
    for (const { alias, run_id: child, end } of subagents) {
      const found = reached.get(end)
      if (found === undefined) yield missing(segment, `those of its sub-agent ${alias} (run ${child})`)
      else if (found.end.value.run_id !== child)
        yield unconnected(segment, `it names run ${child} of ${alias}, and the hash of another run`)
    }
    yield* originProblems(segment, reached, run_id)
  }
}

/** A fork is another run, so it may lack the receipts of its origin, but not have those of another run. */
function* originProblems(
  segment: Segment,
  reached: ReadonlyMap<string, Segment>,
  runId: string,
): Generator<ReceiptProblem> {
  const { from, host } = segment.end.value
  if (from === undefined) return
  const before = from.end === undefined ? undefined : reached.get(from.end)
  if (before === undefined) {
    if (from.end !== undefined || from.fork !== true)
      yield missing(
        segment,
        `those of run ${from.run_id ?? ''}${from.source_platform === undefined ? '' : ` on ${from.source_platform}`}, which run ${runId} continues`,
      )
    return
  }
  const { run_id, seq, to } = before.end.value
  if (run_id !== from.run_id || seq !== from.seq)
    yield unconnected(
      segment,
      `it continues run ${from.run_id} after event ${from.seq}, and the receipts before it are those of run ${run_id} up to event ${seq}`,
    )
  if (from.fork === true) return
  if (to === undefined) yield unconnected(segment, `run ${run_id} was not handed on when it was captured`)
  else if (host !== undefined && to.platform !== host)
    yield unconnected(segment, `run ${run_id} was handed on to ${to.platform}, and ${host} continues it`)
}

function* rootProblems({ end }: Segment): Generator<ReceiptProblem> {
  const { run_id, root_run_id, to } = end.value
  if (run_id !== root_run_id)
    yield {
      line: end.line,
      code: 'RECEIPT_MISSING',
      message: `the file ends with the run of a sub-agent, and the receipts of run ${root_run_id} are missing`,
      hint: TAMPERED,
    }
  if (to === undefined) return
  const there = to.run_id === undefined ? '' : `, where it is run ${to.run_id}`
  yield {
    line: end.line,
    code: 'RECEIPT_INCOMPLETE',
    message: `run ${run_id} was moved to ${to.platform}${there}: this file does not cover what was sent there`,
    hint: 'export the receipts on that platform: they begin with those of this host',
  }
}

function sentAgain({ key, tool_name, verdict, sendings }: JudgedWrite): readonly ReceiptProblem[] {
  if (verdict !== 'sent_again') return []
  const places = sendings.map(
    ({ at, host, by }) => `${at} by ${host}${by === undefined ? '' : ` (decided by ${by})`}`,
  )
  return [
    {
      code: 'RECEIPT_SENT_AGAIN',
      message: `${tool_name} (key ${key}) was sent ${sendings.length} times: ${places.join(', ')}`,
      hint: 'ask the owner of the tool whether the write took effect twice, and the operators of these hosts why it was sent again',
    },
  ]
}

function unreadableLine(line: number): ReceiptProblem {
  return {
    line,
    code: 'RECEIPT_UNREADABLE',
    message: 'the line is neither a receipt nor a closing line of version 1',
    hint: 'give a file that `waybill receipts export` wrote; a later version of Waybill may be needed',
  }
}

function cut(line: number | undefined): ReceiptProblem {
  return {
    ...(line !== undefined && { line }),
    code: 'RECEIPT_MISSING',
    message: 'the file does not end with a closing line: it was truncated',
    hint: TAMPERED,
  }
}

function missing({ end }: Segment, which: string): ReceiptProblem {
  return {
    line: end.line,
    code: 'RECEIPT_SEGMENT_MISSING',
    message: `receipts are missing before it: ${which}`,
    hint: 'export the receipts again; if a state carried none, the host before has them in its own export',
  }
}

function unconnected({ end }: Segment, why: string): ReceiptProblem {
  return {
    line: end.line,
    code: 'RECEIPT_UNCONNECTED',
    message: `the receipts up to this line are not connected with the others: ${why}`,
    hint: TAMPERED,
  }
}
