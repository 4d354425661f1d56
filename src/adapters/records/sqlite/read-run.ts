import type { Plan } from '../../../plan/plan.ts'
import type { RunEvent } from '../../../run/event.ts'
import { recordDamaged, runNotFound } from '../../../run/record/record-errors.ts'
import { RECORD_VERSION, readLine } from '../../../run/record/record-version.ts'
import type { StoredRun } from '../../../run/record/records.ts'
import { foldRun } from '../../../run/record/run-summary.ts'
import { readPlans } from './plan-rows.ts'
import type { Queries } from './queries.ts'
import { assertIntact, headerOf, lineChecksum, newerRun, RUN_ROWS, type RunRow } from './run-row.ts'

interface LineRow {
  readonly seq: number
  readonly line: string
  readonly checksum: number
}

/** @throws RUN_NOT_FOUND, RECORD_DAMAGED */
export function runRow(q: Queries, runId: string, file: string): RunRow {
  const row = sound(runId, file, () => q.get<RunRow>(`${RUN_ROWS} WHERE run_id = ?`, runId))
  if (row === undefined) throw runNotFound(runId)
  return row
}

/** @throws RUN_NOT_FOUND, RECORD_DAMAGED */
export function readRun(
  q: Queries,
  runId: string,
  file: string,
): StoredRun & { readonly events: readonly RunEvent[] } {
  const row = runRow(q, runId, file)
  assertIntact(row, file)
  const { header, first } = headerOf(row, file)
  const [plan, ...family] = readPlans(q, runId, row.plans.split(' '), file)
  if (plan === undefined) throw recordDamaged(runId, 'its plan is missing', { file })
  const events = readEvents(q, row, 0, file)
  try {
    const state = foldRun(header, events)
    const shared = family.length > 0 || row.root === null ? family : familyOfRoot(q, row.root, file)
    return { header, first, plan, family: shared, state, events, imported: row.imported === 1 }
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause
    if (row.v > RECORD_VERSION) throw newerRun(row)
    throw recordDamaged(runId, 'its events are inconsistent', { file, cause })
  }
}

/**
 * Reads the plans that the run of a sub-agent shares with its root; empty if the root is missing.
 * @throws RECORD_DAMAGED if the root is damaged
 */
export function familyOfRoot(q: Queries, root: string, file: string): readonly Plan[] {
  const row = sound(root, file, () => q.get<RunRow>(`${RUN_ROWS} WHERE run_id = ?`, root))
  if (row === undefined) return []
  assertIntact(row, file)
  const [plan, ...family] = readPlans(q, root, row.plans.split(' '), file)
  return plan === undefined ? family : [...family, plan]
}

/** Reads the events after a sequence number. @throws RECORD_DAMAGED if one of them is missing or was changed */
export function readEvents(q: Queries, row: RunRow, after: number, file: string): readonly RunEvent[] {
  const { id, run_id, v } = row
  const lines = sound(run_id, file, () =>
    q.all<LineRow>(
      'SELECT seq, line, checksum FROM events WHERE run = ? AND seq > ? ORDER BY seq',
      id,
      after,
    ),
  )
  const events: RunEvent[] = []
  let expected = after + 1
  for (const { seq, line, checksum } of lines) {
    if (seq !== expected) throw recordDamaged(run_id, 'it is missing', { file, seq: expected })
    if (lineChecksum(run_id, seq, line) !== checksum)
      throw recordDamaged(run_id, 'it was changed', { file, seq })
    events.push(decoded(run_id, line, v, seq, file))
    expected++
  }
  // The sequence number may be that of a future event.
  if (expected <= row.seq || (lines.length > 0 && expected > row.seq + 1))
    throw recordDamaged(run_id, `${row.seq} events were stored`, {
      file,
      seq: Math.min(expected, row.seq + 1),
    })
  return events
}

function decoded(runId: string, line: string, v: number, seq: number, file: string): RunEvent {
  try {
    const event = readLine(line, v)
    if (event.seq === seq) return event
  } catch (cause) {
    throw recordDamaged(runId, 'it cannot be read', { file, seq, cause })
  }
  throw recordDamaged(runId, 'its sequence number is wrong', { file, seq })
}

/** A number that is too large for JavaScript also counts as damage. */
export function sound<T>(runId: string, file: string, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_OUT_OF_RANGE') throw cause
    throw recordDamaged(runId, 'a number in it was changed', { file, cause })
  }
}
