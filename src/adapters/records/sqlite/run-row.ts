import { crc32 } from 'node:zlib'
import type { AnyCode } from '../../../document/codes.ts'
import type { MovedTo } from '../../../run/record/moved-to.ts'
import { recordDamaged, recordNewer } from '../../../run/record/record-errors.ts'
import { RECORD_VERSION } from '../../../run/record/record-version.ts'
import type { FirstFact, ListedRecord, NewRun } from '../../../run/record/records.ts'
import { createdAt, type RunHeader } from '../../../run/record/run-header.ts'
import { listedSummary, type RunSummary } from '../../../run/record/run-summary.ts'
import type { RunState, StopReason } from '../../../run/state.ts'

export const RUN_ROWS = `SELECT runs.*, epoch, holder, seq, status, stop_reason, questions, updated_at,
    progress.checksum AS summary_checksum FROM runs LEFT JOIN progress ON progress.run = runs.id`

/** A row of `runs` with its `progress`. Columns that repeat the header serve lists and filters. */
export interface RunRow {
  readonly id: number
  readonly run_id: string
  readonly v: number
  readonly header: string
  readonly first: string
  readonly imported: number
  readonly created_at: number
  readonly agent_id: string
  readonly user: string | null
  readonly batch: string | null
  readonly parent: string | null
  readonly root: string | null
  /** Hashes of its plan and of its family's, separated by spaces. */
  readonly plans: string
  readonly checksum: number
  readonly epoch: number
  /** The lock of the process that has the lease. */
  readonly holder: string | null
  readonly seq: number
  readonly status: RunState['status']
  readonly stop_reason: StopReason | null
  readonly questions: number
  readonly updated_at: number
  readonly summary_checksum: number
}

type Identity = Omit<
  RunRow,
  | 'id'
  | 'checksum'
  | 'epoch'
  | 'holder'
  | 'seq'
  | 'status'
  | 'stop_reason'
  | 'questions'
  | 'updated_at'
  | 'summary_checksum'
>

/** Returns the checksum of the constant part of a run. @param hashes of its plans, its own first */
export function identityOf(
  { header, first }: Omit<NewRun, 'plan' | 'family'>,
  hashes: readonly string[],
  imported: boolean,
): Identity {
  return {
    run_id: header.run_id,
    v: RECORD_VERSION,
    header: JSON.stringify(header),
    first: JSON.stringify(first),
    imported: imported ? 1 : 0,
    created_at: createdAt(header),
    agent_id: header.agent_id,
    user: header.user ?? null,
    batch: header.batch?.id ?? null,
    parent: header.parent?.run_id ?? null,
    root: header.parent?.root_run_id ?? null,
    plans: hashes.join(' '),
  }
}

export function identityChecksum(row: Identity): number {
  const { run_id, v, header, first, imported, created_at, agent_id, user, batch, parent, root, plans } = row
  return crc32(
    [run_id, v, header, first, imported, created_at, agent_id, user, batch, parent, root, plans].join('\0'),
  )
}

export function summaryChecksum(
  runId: string,
  { status, stop_reason, questions, seq, at }: RunSummary,
): number {
  return crc32(`${runId} ${status} ${stop_reason} ${questions} ${seq} ${at}`)
}

/** Returns the checksum of a line at one place of a run, such as an event with its sequence number. */
export function lineChecksum(runId: string, place: number | string, line: string): number {
  return crc32(line, crc32(`${runId} ${place} `))
}

/** @throws RECORD_DAMAGED if the row was changed */
export function assertIntact(row: RunRow, file: string): void {
  if (row.epoch === null) throw recordDamaged(row.run_id, 'its progress is missing', { file })
  if (identityChecksum(row) !== row.checksum)
    throw recordDamaged(row.run_id, 'its header was changed', { file })
  if (summaryChecksum(row.run_id, summaryIn(row)) !== row.summary_checksum)
    throw recordDamaged(row.run_id, 'its summary was changed', { file })
}

function summaryIn({ status, stop_reason, questions, seq, updated_at }: RunRow): RunSummary {
  return { status, stop_reason, questions, seq, at: updated_at }
}

/** @throws RECORD_DAMAGED, RECORD_NEWER if it has a later version with another shape */
export function headerOf(
  row: RunRow,
  file: string,
): { readonly header: RunHeader; readonly first: FirstFact } {
  try {
    return { header: JSON.parse(row.header), first: JSON.parse(row.first) }
  } catch (cause) {
    if (row.v > RECORD_VERSION) throw newerRun(row)
    throw recordDamaged(row.run_id, 'its header is not valid JSON', { file, cause })
  }
}

export function newerRun({ run_id, v }: RunRow): Error {
  return recordNewer(run_id, `its record has version ${v}, but this Waybill supports ${RECORD_VERSION}`)
}

/** Returns the list entry for a row. */
export function listedRow(
  row: RunRow,
  file: string,
  { live, moved }: { readonly live: boolean; readonly moved: MovedTo | undefined },
): ListedRecord {
  let header: RunHeader | null = null
  let problem: unknown
  try {
    assertIntact(row, file)
    header = headerOf(row, file).header
    if (row.v > RECORD_VERSION) problem = newerRun(row)
  } catch (error) {
    problem = error
  }
  return {
    run_id: row.run_id,
    header,
    ...listedSummary(summaryIn(row), row.created_at),
    // Its questions have moved along.
    ...(moved !== undefined && { moved, questions: 0 }),
    live,
    imported: row.imported === 1,
    ...(problem !== undefined && { damaged: damageOf(problem) }),
  }
}

export function damageOf(error: unknown): NonNullable<ListedRecord['damaged']> {
  const { code, message } = error as { readonly code?: AnyCode; readonly message: string }
  return { code: code ?? 'RECORD_DAMAGED', message }
}
