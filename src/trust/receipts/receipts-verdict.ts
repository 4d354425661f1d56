import type { KeyObject } from 'node:crypto'
import type { Code } from '../../document/codes.ts'
import type { Outcome, Sending } from './receipt.ts'

export interface ReceiptProblem {
  /** Line of the file, from 1; absent: the problem concerns the whole file. */
  readonly line?: number
  readonly code: Extract<Code, `RECEIPT_${string}`>
  readonly message: string
  readonly hint: string
}

export type WriteVerdict =
  /** Sent once, and settled. */
  | 'once'
  /** Sent once at most; its outcome is not known. */
  | 'unknown'
  /** Sent again, because a person has decided it. */
  | 'resent'
  /** Sent again without such a decision. */
  | 'sent_again'
  | 'not_sent'
  /** Not sent yet. */
  | 'waiting'
  /** The run of origin has sent it. */
  | 'by_origin'
  | 'rehearsed'

/** One write over all hosts. */
export interface JudgedWrite {
  readonly key: string
  readonly tool_name: string
  readonly digest: string
  readonly verdict: WriteVerdict
  readonly outcome: Outcome
  /** The run and the host that sent it last; if none has, those of its last receipt. */
  readonly run_id: string
  readonly host: string
  readonly sendings: readonly (Sending & { readonly host: string; readonly run_id: string })[]
  /** It is a write of the run that this one was forked from. */
  readonly of_origin?: true
  /** Of `by_origin`: the key of the write in this file that it stands for; null: the file has none. */
  readonly origin_key?: string | null
}

export interface ReceiptsVerdict {
  /** Each write was sent at most once over all hosts, except those that a person has sent again. */
  readonly ok: boolean
  /** The run on its last host. */
  readonly run_id: string | null
  readonly status: string | null
  readonly hosts: readonly string[]
  readonly segments: number
  readonly writes: readonly JudgedWrite[]
  readonly problems: readonly ReceiptProblem[]
}

/** A key that may sign receipts, with the name by which its holder is known here. */
export interface ReceiptKey {
  readonly name: string
  readonly publicKey: KeyObject
}

/** Returns the key of a thumbprint, if it may sign receipts of this host. */
export type ReceiptKeys = (keyId: string, host: string | undefined) => ReceiptKey | undefined
