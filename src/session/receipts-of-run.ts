import { defined } from '../document/defined.ts'
import { WaybillError } from '../document/issue.ts'
import type { JsonObject } from '../document/json.ts'
import type { Records } from '../run/record/records.ts'
import { rootRunId } from '../run/record/run-header.ts'
import type { RestoredFrom } from '../run/state.ts'
import { recordedWrites } from '../state/recorded-writes.ts'
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
  const { header, imported } = await runs.read(runId)
  if (imported) throw importedRun(runId)
  const root = rootRunId(header)
  const carried = await carriedBy(runs, root)
  const { segments } = segmentsIn(carried)
  const family: Family = { runs, host, root, carried: segments, options, origins: [] }
  const { lines } = await segmentOf(family, runId, options.seq)
  // Those of the captured runs of other sub-agents do not belong to this one.
  const before = runId === root ? carried : linesOf(connectedTo(family.origins, segments))
  return [...before, ...(lines as unknown as readonly JsonObject[])]
}

/** Exports receipts as NDJSON, those of the whole family of a run: a sub-agent's run belongs to its root. */
export async function exportReceipts(
  records: Pick<Records, 'runs'>,
  runId: string,
  host: ReceiptHost,
  options: Omit<ReceiptsOptions, 'seq' | 'until'>,
): Promise<string> {
  const { header } = await records.runs.read(runId)
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

/** @returns the lines of a run, after those of its sub-agents, and the hash of its closing line */
async function segmentOf(
  family: Family,
  runId: string,
  seq: number | undefined,
): Promise<{ readonly lines: readonly ReceiptLine[]; readonly end: string }> {
  const { runs, host, root, carried, options, origins } = family
  const { at, until = Number.POSITIVE_INFINITY, to, status } = options
  const { header } = await runs.read(runId)
  const events = (await runs.events(runId)).filter((event) =>
    seq === undefined ? event.at <= until : event.seq <= seq,
  )
  const { writes, agents, restored, state } = recordedWrites(header, events)
  const lines: ReceiptLine[] = []
  const subagents: SegmentFacts['subagents'][number][] = []
  for (const { alias, run_id } of agents) {
    if (!(await runs.has(run_id))) continue
    const child = await segmentOf(family, run_id, undefined)
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
  const run = { ...defined({ host: host.host }), run_id: runId, root_run_id: root }
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
  const restored = (await runs.events(runId)).findLast(({ fact }) => fact.type === 'run.restored')?.fact
  return restored?.type === 'run.restored' ? (restored.receipts ?? []) : []
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
