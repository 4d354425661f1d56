import type { KeyObject } from 'node:crypto'
import { sha256OfCanonical } from '../../document/canonical.ts'
import { defined } from '../../document/defined.ts'
import type { JsonObject } from '../../document/json.ts'
import { NO_ENTRY } from '../audit-chain.ts'
import { isSigned, type Signature } from '../signed-statement.ts'

/** What became of a write, as far as the record of the host says it. */
export const OUTCOMES = [
  /** Not sent yet: it waits for a person, a judge or a hook. */
  'waiting',
  /** Never sent: denied, refused, or it is certain that nothing left the host. */
  'not_sent',
  /** Sent, and not answered yet. */
  'in_flight',
  /** The tool has answered. */
  'done',
  /** The tool has answered with a failure. */
  'failed',
  /** Sent, and it is not known whether it took effect. */
  'unknown',
  /** A person has decided that it took effect. */
  'assumed_done',
  /** A person has decided that it did not take effect. */
  'assumed_not_done',
  /** Not sent: the run that this one was forked from has sent it, and its recorded answer is used. */
  'by_origin',
  /** A rehearsal: a test double has answered. */
  'rehearsed',
] as const

export type Outcome = (typeof OUTCOMES)[number]

/** One intent to send a call, which is on record before the call is sent. */
export interface Sending {
  /** ISO 8601, UTC. */
  readonly at: string
  /** One more than the resumptions of the run that its record on this host had before. */
  readonly epoch: number
  /** The person who decided to send the call again, although it may have taken effect. Absent: no such decision. */
  readonly by?: string
}

/** What the record of a run says about one call that must not be repeated. */
export interface RecordedWrite {
  readonly call_id: string
  readonly tool_name: string
  /** The idempotency key: the same on all hosts of the run. */
  readonly key: string
  /** SHA-256 (hex) of the canonical form of `{tool, arguments}` as recorded. */
  readonly digest: string
  readonly outcome: Outcome
  /** Only those of this run on this host. */
  readonly sendings: readonly Sending[]
  /** ISO 8601, UTC; absent: not settled. */
  readonly settled_at?: string
}

/** The run of a segment: its receipts, as one host has signed them. */
export interface SegmentRun {
  /** The place of the host, such as the URL of an organisation. Absent: the host is known by its key. */
  readonly host?: string
  readonly run_id: string
  readonly root_run_id: string
}

export interface Signed {
  /** RFC 7638 thumbprint of the signing key of the host. */
  readonly signer: string
  /** Base64 Ed25519 signature over the canonical form of the line without `signer` and `sig`. */
  readonly sig: string
}

/** One line: a write, chained to the line before. */
export interface Receipt extends RecordedWrite, SegmentRun, Signed {
  readonly type: 'receipt'
  readonly v: 1
  /** From 1, without gaps. */
  readonly n: number
  /** Hash of the previous line of the segment; 64 zeros in the first one. */
  readonly prev: string
}

/** Where a segment begins, if the run has continued a state. */
export interface SegmentOrigin {
  readonly state_id: string
  readonly run_id?: string
  /** The event after which the state was captured. */
  readonly seq?: number
  readonly source_platform?: string
  /** Nothing proves that the captured run has stopped. */
  readonly fork?: true
  /** Hash of the closing line of the captured run. Absent: the state carried no receipts. */
  readonly end?: string
}

/** Where a run continues after a move. */
export interface SegmentTarget {
  readonly platform: string
  /** Id of the migration token. */
  readonly jti?: string
  readonly run_id?: string
}

/** What a host attests of a run besides its writes. */
export interface SegmentFacts {
  readonly agent_id: string
  /** The status of the run; `moved` or `migrating` if it continues elsewhere. */
  readonly status: string
  /** The last event that the receipts cover. */
  readonly seq: number
  /** When the receipts were signed: ISO 8601, UTC. */
  readonly at: string
  readonly rehearsal?: true
  readonly from?: SegmentOrigin
  /** Absent: it continues here, or has ended. */
  readonly to?: SegmentTarget
  /** The sub-agents that the run has called here, each with the hash of the closing line of its own segment. */
  readonly subagents: readonly { readonly alias: string; readonly run_id: string; readonly end: string }[]
}

/** The closing line of a segment. */
export interface SegmentEnd extends SegmentFacts, SegmentRun, Signed {
  readonly type: 'receipts.end'
  readonly v: 1
  readonly count: number
  /** Hash of the last receipt; 64 zeros if there is none. */
  readonly head: string
}

export type ReceiptLine = Receipt | SegmentEnd

/** Signs a statement of a host about its record. */
export type SignStatement = (statement: JsonObject & { readonly type: string }) => Signature

/** Returns the signed lines of one run on one host: a receipt for each write, and the closing line. */
export function signSegment(
  { host, run_id, root_run_id }: SegmentRun,
  writes: readonly RecordedWrite[],
  facts: SegmentFacts,
  sign: SignStatement,
): readonly ReceiptLine[] {
  const run = { ...defined({ host }), run_id, root_run_id }
  const lines: ReceiptLine[] = []
  let head = NO_ENTRY
  for (const write of writes) {
    const line = signed({ type: 'receipt', v: 1, n: lines.length + 1, prev: head, ...run, ...write }, sign)
    lines.push(line as Receipt)
    head = lineHash(line)
  }
  const end = { type: 'receipts.end', v: 1, ...run, count: writes.length, head, ...facts } as const
  return [...lines, signed(end, sign) as SegmentEnd]
}

/** Returns the hash by which other lines name a line, with its signature. */
export function lineHash(line: ReceiptLine): string {
  return sha256OfCanonical(line as unknown as JsonObject)
}

/** Returns whether a line was signed with this key as it is. */
export function isSignedLine({ signer, sig, ...statement }: ReceiptLine, key: KeyObject): boolean {
  return isSigned(statement as unknown as JsonObject, { key: signer, sig }, key)
}

function signed(
  statement: Omit<Receipt, keyof Signed> | Omit<SegmentEnd, keyof Signed>,
  sign: SignStatement,
) {
  const { key: signer, sig } = sign(statement as unknown as JsonObject & { readonly type: string })
  return { ...statement, signer, sig } as ReceiptLine
}
