import type { AnyCode } from '../../document/codes.ts'
import { recordDamaged, recordNewer } from '../../run/record/record-errors.ts'
import { RECORD_VERSION } from '../../run/record/record-version.ts'
import type { FirstFact, ListedRecord } from '../../run/record/records.ts'
import type { RunHeader } from '../../run/record/run-header.ts'
import { listedSummary } from '../../run/record/run-summary.ts'
import type { RunState, StopReason } from '../../run/state.ts'

/** Where a run is on the platform; see the table `progress`. */
export type Phase = 'held' | 'queued' | 'slot' | 'parked' | 'set_aside' | 'over' | 'moving' | 'moved'

/** Columns of a run and its progress, without `first`, which only opening needs. */
export const RUN_COLUMNS = `r.run_id, r.v, r.header, r.imported, r.created_at, r.parent, r.root, r.plans, r.version, r.session,
  p.epoch, p.holder, p.seq, p.status, p.stop_reason, p.questions, p.updated_at, p.phase, p.leg, p.queue, p.priority,
  p.due_at, cardinality(p.died) AS deaths, p.wakes, p.why, waybill.is_live(p.holder) AS live`

export const RUN_TABLES = `waybill.runs AS r LEFT JOIN waybill.progress AS p ON p.org = r.org AND p.run_id = r.run_id`

/** A row of `runs` with its `progress`, whose columns are null if it is missing. */
export interface RunRow {
  readonly run_id: string
  readonly v: number
  readonly header: string
  readonly imported: boolean
  readonly created_at: number
  readonly parent: string | null
  readonly root: string | null
  /** Hashes of its plan and of its family's. */
  readonly plans: readonly string[]
  readonly version: string | null
  readonly session: string | null
  readonly epoch: number | null
  /** The worker that has the lease. */
  readonly holder: string | null
  readonly seq: number
  readonly status: RunState['status']
  readonly stop_reason: StopReason | null
  readonly questions: number
  readonly updated_at: number
  readonly phase: Phase
  /** Number of its last leg; 0: it was never queued. */
  readonly leg: number
  readonly queue: string | null
  readonly priority: number
  /** When it is queued or parked until a time: milliseconds since the epoch. */
  readonly due_at: number | null
  /** How many workers have died while they held it. */
  readonly deaths: number
  readonly wakes: number
  /** Why it was set aside. */
  readonly why: string | null
  readonly live: boolean
}

/** A list entry with what the platform knows of the run. */
export interface PlatformRecord
  extends ListedRecord,
    Pick<
      RunRow,
      'phase' | 'leg' | 'queue' | 'priority' | 'due_at' | 'deaths' | 'why' | 'version' | 'session'
    > {}

/** @throws RECORD_DAMAGED if a part of the row is missing */
export function assertWhole({ run_id, epoch }: RunRow): void {
  if (epoch === null) throw recordDamaged(run_id, 'its progress is missing')
}

/** @throws RECORD_DAMAGED, RECORD_NEWER if it has a later version with another shape */
export function headerOf(row: RunRow): RunHeader {
  return parsed(row, row.header)
}

/** @throws RECORD_DAMAGED, RECORD_NEWER */
export function firstOf(row: RunRow, first: string): FirstFact {
  return parsed(row, first)
}

function parsed<T extends object>(row: RunRow, text: string): T {
  let cause: unknown
  try {
    const value = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value
  } catch (error) {
    cause = error
  }
  if (row.v > RECORD_VERSION) throw newerRun(row)
  throw recordDamaged(row.run_id, 'its header is not valid JSON', { cause })
}

export function newerRun({ run_id, v }: RunRow): Error {
  return recordNewer(run_id, `its record has version ${v}, but this Waybill supports ${RECORD_VERSION}`)
}

/** Returns the list entry for a row; a run that cannot be read has the member `damaged`. */
export function listedRow(row: RunRow): PlatformRecord {
  let header: RunHeader | null = null
  let problem: unknown
  try {
    assertWhole(row)
    header = headerOf(row)
    if (row.v > RECORD_VERSION) problem = newerRun(row)
  } catch (error) {
    problem = error
  }
  const { run_id, live, imported, phase, leg, queue, priority, due_at, deaths, why, version, session } = row
  return {
    run_id,
    header,
    ...listedSummary(row.epoch === null ? UNKNOWN : { ...row, at: row.updated_at }, row.created_at),
    live,
    imported,
    phase,
    leg,
    queue,
    priority,
    due_at,
    deaths,
    why,
    version,
    session,
    ...(problem !== undefined && { damaged: damageOf(problem) }),
  }
}

const UNKNOWN = { status: 'failed', stop_reason: null, questions: 0, seq: 0, at: 0 } as const

function damageOf(error: unknown): NonNullable<ListedRecord['damaged']> {
  const { code, message } = error as { readonly code?: AnyCode; readonly message: string }
  return { code: code ?? 'RECORD_DAMAGED', message }
}
