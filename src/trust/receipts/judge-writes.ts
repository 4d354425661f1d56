import type { Connected } from './read-segments.ts'
import type { Outcome, Receipt } from './receipt.ts'
import type { JudgedWrite, WriteVerdict } from './receipts-verdict.ts'

/** What each outcome means for a write that no host has sent twice. */
const VERDICTS: Readonly<Record<Outcome, WriteVerdict>> = {
  waiting: 'waiting',
  not_sent: 'not_sent',
  in_flight: 'unknown',
  done: 'once',
  failed: 'once',
  unknown: 'unknown',
  assumed_done: 'once',
  assumed_not_done: 'once',
  by_origin: 'by_origin',
  rehearsed: 'rehearsed',
}

interface Line {
  readonly receipt: Receipt
  readonly ofOrigin: boolean
  /** The run was moved away from the host of this line. */
  readonly isLeft: boolean
}

/**
 * Judges each write by its receipts on all hosts: by its idempotency key, in the order of the hosts.
 * @param nameOf the name of the host of a line
 */
export function judgeWrites(
  segments: readonly Connected[],
  nameOf: (line: Receipt) => string,
): readonly JudgedWrite[] {
  const last = segments.at(-1)?.segment.end.value.root_run_id
  const byKey = new Map<string, Line[]>()
  const byDigest = new Map<string, string>()
  for (const { segment, ofOrigin } of segments) {
    const { to, root_run_id } = segment.end.value
    const isLeft = to !== undefined && root_run_id !== last
    for (const { value: receipt } of segment.receipts) {
      const line = { receipt, ofOrigin, isLeft }
      byKey.set(receipt.key, [...(byKey.get(receipt.key) ?? []), line])
      if (receipt.sendings.length > 0) byDigest.set(receipt.digest, receipt.key)
    }
  }
  return [...byKey.values()].map((lines) => judged(lines, nameOf, byDigest))
}

function judged(
  lines: readonly Line[],
  nameOf: (line: Receipt) => string,
  byDigest: ReadonlyMap<string, string>,
): JudgedWrite {
  const last = lines.at(-1) as Line
  const sendings = lines.flatMap(({ receipt }) =>
    receipt.sendings.map((sending) => ({ ...sending, host: nameOf(receipt), run_id: receipt.run_id })),
  )
  const { key, tool_name, digest, run_id } = last.receipt
  const outcome = outcomeOf(last, sendings.length > 0)
  const verdict = sendings.slice(1).some(({ by }) => by === undefined)
    ? 'sent_again'
    : sendings.some(({ by }) => by !== undefined)
      ? 'resent'
      : VERDICTS[outcome]
  const at = sendings.at(-1) ?? { run_id, host: nameOf(last.receipt) }
  return {
    key,
    tool_name,
    digest,
    verdict,
    outcome,
    run_id: at.run_id,
    host: at.host,
    sendings,
    ...(isOfOrigin(lines, last) && { of_origin: true as const }),
    // A call that the origin had made when it was captured has the same key.
    ...(verdict === 'by_origin' && {
      origin_key: sendings.length > 0 ? key : (byDigest.get(digest) ?? null),
    }),
  }
}

function isOfOrigin(lines: readonly Line[], last: Line): boolean {
  return last.ofOrigin || (last.receipt.outcome === 'by_origin' && lines.some(({ ofOrigin }) => ofOrigin))
}

/** A call that no later host has a receipt of was left behind when the run moved. */
function outcomeOf({ receipt: { outcome }, isLeft }: Line, isSent: boolean): Outcome {
  const isOver = outcome === 'not_sent' || (isLeft && (outcome === 'waiting' || outcome === 'in_flight'))
  if (!isOver) return outcome
  return isSent ? 'unknown' : 'not_sent'
}
