import { defined } from '../document/defined.ts'
import { WaybillError } from '../document/issue.ts'
import type { JsonObject } from '../document/json.ts'
import type { RunEvent } from '../run/event.ts'
import { foldEvents } from '../run/record/fold-events.ts'
import type { Records } from '../run/record/records.ts'
import { type RunHeader, rootRunId } from '../run/record/run-header.ts'
import type { RestoredFrom } from '../run/state.ts'
import { type RecordedWrites, WritesFold } from '../state/recorded-writes.ts'
import { type Connected, connectedTo, type Segment, segmentsIn } from '../trust/receipts/read-segments.ts'
import {
  lineHash,
  type ReceiptLine,
  type SegmentFacts,
  type SegmentOrigin,
  type SegmentTarget,
  type SignStatement,
  signSegment,
} from '../trust/receipts/receipt.ts'
import type { Home } from './home.ts'
import { signerOfLog } from './verify-audit.ts'

/** The host that attests what its records say. */
export interface ReceiptHost {
  /** Its place; absent: it is known by its key. */
  readonly host?: string
  readonly sign: SignStatement
}

export interface ReceiptsOptions {
  /** When they are signed, milliseconds since the epoch. */
  readonly at: number
  /** Events of the run after this one are left out; absent: none. */
  readonly seq?: number
  /** Events of its sub-agents after this moment are left out, milliseconds since the epoch. */
  readonly until?: number
  /** The run continues there. */
  readonly to?: SegmentTarget
  /** Absent: the status in the record. */
  readonly status?: 'migrating' | 'moved'
  /** What the whole record of the run says, if it was read already. */
  readonly recorded?: RecordedWrites
}

/** Returns the host that signs receipts of a home: with the key that signs its audit log. */
export async function receiptHostOf(home: Pick<Home, 'sign' | 'audit'>): Promise<ReceiptHost> {
  const signer = await signerOfLog(home)
  return { sign: (statement) => home.sign(statement, signer) }
}

/**
 * Returns the signed receipts of a run and of its sub-agents' runs, after those that came with the state it continues.
 * The lines of the run itself are the last ones.
 * @throws RUN_NOT_FOUND, RECORD_DAMAGED; RUN_IMPORTED: another host has made that record
 */
export async function receiptsOfRun(
  { runs }: Pick<Records, 'runs'>,
  runId: string,
  host: ReceiptHost,
  options: ReceiptsOptions,
): Promise<readonly JsonObject[]> {
  const { header, imported } = await headerOf(runs, runId)
  if (imported) throw importedRun(runId)
  const root = rootRunId(header)
  const { recorded } = options
  const own =
    recorded === undefined
      ? await readWrites(runs, header, options)
      : { header, recorded, carried: recorded.restored?.receipts ?? [] }
  const carried = runId === root ? own.carried : await carriedBy(runs, root)
  const { segments } = segmentsIn(carried)
  const family: Family = { runs, host, root, carried: segments, options, origins: [] }
  const { lines } = await segmentOf(family, own)
  // Those of the captured runs of other sub-agents do not belong to this one.
  const before = runId === root ? carried : linesOf(connectedTo(family.origins, segments))
  return [...before, ...(lines as unknown as readonly JsonObject[])]
}

/** Exports receipts as NDJSON, those of the whole family of a run: a sub-agent's run belongs to its root. */
export async function exportReceipts(
  records: Pick<Records, 'runs'>,
  runId: string,
  host: ReceiptHost,
  options: Omit<ReceiptsOptions, 'seq' | 'until' | 'recorded'>,
): Promise<string> {
  const { header } = await headerOf(records.runs, runId)
  const root = rootRunId(header)
  const lines = await receiptsOfRun(records, (await records.runs.has(root)) ? root : runId, host, options)
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

interface Family {
  readonly runs: Records['runs']
  readonly host: ReceiptHost
  readonly root: string
  /** The segments that came with the state of the root. */
  readonly carried: readonly Segment[]
  readonly options: ReceiptsOptions
  /** Hashes of the carried segments that segments of the family continue; filled while they are made. */
  readonly origins: string[]
}

/** A run whose record was read. */
interface ReadRun {
  readonly header: RunHeader
  readonly recorded: RecordedWrites
  /** The receipts that came with the state that it continues, as they came. */
  readonly carried: readonly JsonObject[]
}

/** Reads a record once, without keeping its texts. */
async function readWrites(
  runs: Records['runs'],
  header: RunHeader,
  { seq, until = Number.POSITIVE_INFINITY }: Pick<ReceiptsOptions, 'seq' | 'until'>,
): Promise<ReadRun> {
  const fold = new WritesFold(header)
  let carried: readonly JsonObject[] = []
  await foldEvents(runs, header.run_id, (event) => {
    carried = carriedIn(event) ?? carried
    if (seq === undefined ? event.at <= until : event.seq <= seq) fold.add(event)
  })
  return { header, recorded: fold.recorded, carried }
}

/** @returns the lines of a run, after those of its sub-agents, and the hash of its closing line */
async function segmentOf(
  family: Family,
  { header, recorded }: ReadRun,
): Promise<{ readonly lines: readonly ReceiptLine[]; readonly end: string }> {
  const { runs, host, root, carried, options, origins } = family
  const { at, until, to, status } = options
  const { writes, agents, restored, state } = recorded
  const lines: ReceiptLine[] = []
  const subagents: SegmentFacts['subagents'][number][] = []
  for (const { alias, run_id } of agents) {
    if (!(await runs.has(run_id))) continue
    const { header } = await headerOf(runs, run_id)
    const child = await segmentOf(family, await readWrites(runs, header, defined({ until })))
    lines.push(...child.lines)
    subagents.push({ alias, run_id, end: child.end })
  }
  const from = restored === undefined ? undefined : originOf(restored.from, carried)
  if (from?.end !== undefined) origins.push(from.end)
  const facts: SegmentFacts = {
    agent_id: state.agent_id,
    status: status ?? state.status,
    seq: state.seq,
    at: new Date(at).toISOString(),
    ...(header.rehearsal && { rehearsal: true as const }),
    ...defined({ from, to }),
    subagents,
  }
  const run = { ...defined({ host: host.host }), run_id: header.run_id, root_run_id: root }
  const own = signSegment(run, writes, facts, host.sign)
  return { lines: [...lines, ...own], end: lineHash(own.at(-1) as ReceiptLine) }
}

function originOf(from: RestoredFrom, carried: readonly Segment[]): SegmentOrigin {
  const { state_id, run_id, seq, source_platform, fork } = from
  const before = carried.findLast(({ end }) => end.value.run_id === run_id)
  return { state_id, ...defined({ run_id, seq, source_platform, fork, end: before?.end.hash }) }
}

/** Returns the receipts that came with the state that a run continues, as they came. */
async function carriedBy(runs: Records['runs'], runId: string): Promise<readonly JsonObject[]> {
  if (!(await runs.has(runId))) return []
  let carried: readonly JsonObject[] = []
  await foldEvents(runs, runId, (event) => {
    carried = carriedIn(event) ?? carried
  })
  return carried
}

function carriedIn({ fact }: RunEvent): readonly JsonObject[] | undefined {
  return fact.type === 'run.restored' ? (fact.receipts ?? []) : undefined
}

/** Reads what a run begins with, without its events. @throws RUN_NOT_FOUND, RECORD_DAMAGED */
async function headerOf(
  runs: Records['runs'],
  runId: string,
): Promise<{ readonly header: RunHeader; readonly imported: boolean }> {
  const { header, imported } = await runs.listed(runId)
  return header === null ? runs.read(runId) : { header, imported }
}

function linesOf(connected: readonly Connected[]): readonly JsonObject[] {
  return connected.flatMap(
    ({ segment: { receipts, end } }) =>
      [...receipts, end].map(({ value }) => value) as unknown as readonly JsonObject[],
  )
}

function importedRun(runId: string): WaybillError {
  return new WaybillError('RUN_IMPORTED', {
    fault: 'refused',
    message: `run ${runId} was imported as a record, so this host cannot attest what it has sent`,
    hint: 'export the receipts where the run was recorded',
  })
}
