import { WaybillError } from '../../document/issue.ts'
import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import { readDocument } from '../../document/read-document.ts'
import { lineHash, OUTCOMES, type Receipt, type ReceiptLine, type SegmentEnd } from './receipt.ts'

/** A line of a file, with its number from 1. */
export interface Placed<T extends ReceiptLine = ReceiptLine> {
  readonly line: number
  readonly value: T
  /** By which other lines name it. */
  readonly hash: string
}

/** The receipts of one run on one host, up to their closing line. */
export interface Segment {
  readonly receipts: readonly Placed<Receipt>[]
  readonly end: Placed<SegmentEnd>
}

export interface ReadSegments {
  readonly segments: readonly Segment[]
  /** Receipts without a closing line at the end: the file was cut. */
  readonly open: readonly Placed<Receipt>[]
  /** Numbers of the lines that are neither receipts nor closing lines. */
  readonly unreadable: readonly number[]
}

/** Reads the lines of an exported file. */
export function readReceipts(text: string): ReadSegments {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return segmentsIn(lines.map(jsonOf))
}

/** Groups lines into segments. Nothing is verified but the members that a line must have. */
export function segmentsIn(lines: readonly Json[]): ReadSegments {
  const segments: Segment[] = []
  const unreadable: number[] = []
  let receipts: Placed<Receipt>[] = []
  for (const [index, value] of lines.entries()) {
    const line = index + 1
    const hash = isReceipt(value) || isEnd(value) ? hashOf(value) : undefined
    if (hash === undefined) unreadable.push(line)
    else if (isReceipt(value)) receipts.push({ line, value, hash })
    else if (isEnd(value)) {
      segments.push({ receipts, end: { line, value, hash } })
      receipts = []
    }
  }
  return { segments, open: receipts, unreadable }
}

export interface Connected {
  readonly segment: Segment
  /** Only forks lead to it: its writes are those of another run. */
  readonly ofOrigin: boolean
}

/**
 * Returns the segments that the given ones refer to, and these, in the order of the lines: those of sub-agents, and those of
 * the hosts before. A segment follows all segments that it refers to, because it contains their hashes.
 */
export function connectedTo(hashes: readonly string[], segments: readonly Segment[]): readonly Connected[] {
  const own = new Set(hashes)
  const origin = new Set<string>()
  const found: Connected[] = []
  for (const segment of segments.toReversed()) {
    const { value, hash } = segment.end
    const ofOrigin = !own.has(hash)
    if (ofOrigin && !origin.has(hash)) continue
    // A line that is repeated is not found again.
    own.delete(hash)
    origin.delete(hash)
    const reached = ofOrigin ? origin : own
    for (const { end } of value.subagents) reached.add(end)
    const { end, fork } = value.from ?? {}
    if (end !== undefined) (fork === true ? origin : reached).add(end)
    found.push({ segment, ofOrigin })
  }
  return found.reverse()
}

/** @returns undefined for data that has no canonical form, such as a number that is too large */
function hashOf(value: Json & ReceiptLine): string | undefined {
  try {
    return lineHash(value)
  } catch (error) {
    if (error instanceof WaybillError) return undefined
    throw error
  }
}

/** A name that is written twice is refused: another reader may take the other value. */
function jsonOf(line: string): Json {
  return readDocument(Buffer.from(line), { encoding: 'json' }).document?.value ?? null
}

function isReceipt(value: Json): value is Json & Receipt {
  return (
    isObject(value) &&
    value.type === 'receipt' &&
    isLine(value) &&
    ['call_id', 'tool_name', 'key', 'digest', 'prev'].every((name) => typeof value[name] === 'string') &&
    isCount(value.n) &&
    OUTCOMES.some((outcome) => outcome === value.outcome) &&
    isOptionalText(value.settled_at) &&
    isListOf(
      value.sendings,
      ({ at, epoch, by }) => typeof at === 'string' && isCount(epoch) && isOptionalText(by),
    )
  )
}

function isEnd(value: Json): value is Json & SegmentEnd {
  return (
    isObject(value) &&
    value.type === 'receipts.end' &&
    isLine(value) &&
    ['agent_id', 'status', 'head', 'at'].every((name) => typeof value[name] === 'string') &&
    isCount(value.count) &&
    isCount(value.seq) &&
    isListOf(value.subagents, (one) =>
      ['alias', 'run_id', 'end'].every((name) => typeof one[name] === 'string'),
    ) &&
    (value.from === undefined || isOrigin(value.from)) &&
    (value.to === undefined || (isObject(value.to) && typeof value.to.platform === 'string'))
  )
}

function isLine(value: JsonObject): boolean {
  return (
    value.v === 1 &&
    ['run_id', 'root_run_id', 'signer', 'sig'].every((name) => typeof value[name] === 'string') &&
    isOptionalText(value.host)
  )
}

function isOrigin(value: Json): boolean {
  return (
    isObject(value) &&
    typeof value.state_id === 'string' &&
    ['run_id', 'source_platform', 'end'].every((name) => isOptionalText(value[name])) &&
    (value.fork === undefined || value.fork === true) &&
    (value.seq === undefined || isCount(value.seq))
  )
}

function isListOf(value: Json | undefined, holds: (one: JsonObject) => boolean): boolean {
  return Array.isArray(value) && value.every((one) => isObject(one) && holds(one))
}

function isOptionalText(value: Json | undefined): boolean {
  return value === undefined || typeof value === 'string'
}

function isCount(value: Json | undefined): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0
}
