import type { Plan } from '../../plan/plan.ts'
import type { RunEvent } from '../../run/event.ts'
import type { LeftDecision } from '../../run/record/left-decision.ts'
import { recordDamaged, runNotFound } from '../../run/record/record-errors.ts'
import { RECORD_VERSION, readLine } from '../../run/record/record-version.ts'
import type { Question, StoredRun } from '../../run/record/records.ts'
import { foldRun } from '../../run/record/run-summary.ts'
import { storedText } from '../database/stored-text.ts'
import type { Sql } from '../database/tenant.ts'
import { assertWhole, firstOf, headerOf, newerRun, RUN_COLUMNS, RUN_TABLES, type RunRow } from './run-row.ts'

/** @throws RUN_NOT_FOUND */
export async function runRow(sql: Sql, org: string, runId: string): Promise<RunRow & { first: string }> {
  const { rows } = await sql.query<RunRow & { first: string }>(
    `SELECT r.first, ${RUN_COLUMNS} FROM ${RUN_TABLES} WHERE r.org = $1 AND r.run_id = $2`,
    [org, storedText(runId)],
  )
  const [row] = rows
  if (row === undefined) throw runNotFound(runId)
  return row
}

/** @throws RUN_NOT_FOUND, RECORD_DAMAGED, RECORD_NEWER */
export async function readRun(
  sql: Sql,
  org: string,
  runId: string,
): Promise<StoredRun & { readonly events: readonly RunEvent[] }> {
  const row = await runRow(sql, org, runId)
  assertWhole(row)
  const header = headerOf(row)
  const first = firstOf(row, row.first)
  const [plan, ...family] = await readPlans(sql, org, row)
  if (plan === undefined) throw recordDamaged(runId, 'its plan is missing')
  const events = await readEvents(sql, org, row, 0)
  const shared = family.length > 0 || row.root === null ? family : await familyOfRoot(sql, org, row.root)
  try {
    const state = foldRun(header, events)
    return { header, first, plan, family: shared, state, events, imported: row.imported }
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause
    if (row.v > RECORD_VERSION) throw newerRun(row)
    throw recordDamaged(runId, 'its events are inconsistent', { cause })
  }
}

/** Reads a run without its events. @throws RUN_NOT_FOUND, RECORD_DAMAGED, RECORD_NEWER */
export async function readFrame(sql: Sql, org: string, runId: string): Promise<Omit<StoredRun, 'state'>> {
  const row = await runRow(sql, org, runId)
  assertWhole(row)
  const [plan, ...family] = await readPlans(sql, org, row)
  if (plan === undefined) throw recordDamaged(runId, 'its plan is missing')
  const shared = family.length > 0 || row.root === null ? family : await familyOfRoot(sql, org, row.root)
  return {
    header: headerOf(row),
    first: firstOf(row, row.first),
    plan,
    family: shared,
    imported: row.imported,
  }
}

/**
 * Reads the plans that the run of a sub-agent shares with its root; empty if the root is missing.
 * @throws RECORD_DAMAGED if the root is damaged
 */
export async function familyOfRoot(sql: Sql, org: string, root: string): Promise<readonly Plan[]> {
  const { rows } = await sql.query<Pick<RunRow, 'run_id' | 'plans'>>(
    'SELECT run_id, plans FROM waybill.runs WHERE org = $1 AND run_id = $2',
    [org, storedText(root)],
  )
  const [row] = rows
  if (row === undefined) return []
  const [plan, ...family] = await readPlans(sql, org, row)
  return plan === undefined ? family : [...family, plan]
}

/** @throws RECORD_DAMAGED if a plan is missing or is not JSON */
async function readPlans(
  sql: Sql,
  org: string,
  { run_id, plans }: Pick<RunRow, 'run_id' | 'plans'>,
): Promise<readonly Plan[]> {
  const { rows } = await sql.query<{ hash: string; body: string }>(
    'SELECT hash, body FROM waybill.plans WHERE org = $1 AND hash = ANY($2)',
    [org, plans],
  )
  const bodies = new Map(rows.map(({ hash, body }) => [hash, body]))
  return plans.map((hash) => {
    const body = bodies.get(hash)
    if (body === undefined) throw recordDamaged(run_id, `its plan ${hash.slice(0, 12)} is missing`)
    try {
      return JSON.parse(body) as Plan
    } catch (cause) {
      throw recordDamaged(run_id, `its plan ${hash.slice(0, 12)} is not valid JSON`, { cause })
    }
  })
}

/** Reads the events after a sequence number. @throws RECORD_DAMAGED if one of them is missing or was changed */
export async function readEvents(
  sql: Sql,
  org: string,
  { run_id, v, seq: last }: Pick<RunRow, 'run_id' | 'v' | 'seq'>,
  after: number,
  limit?: number,
): Promise<readonly RunEvent[]> {
  return (await readSizedEvents(sql, org, { run_id, v, seq: last }, after, limit)).events
}

/** The same, with the characters of the events. */
export async function readSizedEvents(
  sql: Sql,
  org: string,
  { run_id, v, seq: last }: Pick<RunRow, 'run_id' | 'v' | 'seq'>,
  after: number,
  limit?: number,
): Promise<{ readonly events: readonly RunEvent[]; readonly size: number }> {
  const { rows } = await sql.query<{ seq: number; line: string }>(
    'SELECT seq, line FROM waybill.events WHERE org = $1 AND run_id = $2 AND seq > $3 ORDER BY seq LIMIT $4',
    [org, storedText(run_id), after, limit ?? null],
  )
  const events: RunEvent[] = []
  let size = 0
  let expected = after + 1
  for (const { seq, line } of rows) {
    size += line.length
    if (seq !== expected) throw recordDamaged(run_id, 'it is missing', { seq: expected })
    events.push(decoded(run_id, line, v, seq))
    expected++
  }
  // The sequence number may be that of a future event.
  const isCut = expected <= last && (limit === undefined || rows.length < limit)
  if (isCut || (rows.length > 0 && expected > last + 1))
    throw recordDamaged(run_id, `${last} events were stored`, { seq: Math.min(expected, last + 1) })
  return { events, size }
}

function decoded(runId: string, line: string, v: number, seq: number): RunEvent {
  try {
    const event = readLine(line, v)
    if (event.seq === seq) return event
  } catch (cause) {
    throw recordDamaged(runId, 'it cannot be read', { seq, cause })
  }
  throw recordDamaged(runId, 'its sequence number is wrong', { seq })
}

/** Reads the stored decisions for a run, oldest first. @throws RECORD_DAMAGED */
export async function readDecisions(
  sql: Sql,
  org: string,
  runId: string,
  question?: Question,
): Promise<readonly LeftDecision[]> {
  const { rows } = await sql.query<{ key: string; line: string }>(
    `SELECT key, line FROM waybill.decisions WHERE org = $1 AND run_id = $2
       AND ($3::text IS NULL OR (key = $3 AND asked = $4)) ORDER BY n`,
    [
      org,
      storedText(runId),
      question === undefined ? null : storedText(question.key),
      question?.asked ?? null,
    ],
  )
  return rows.map(({ key, line }) => {
    try {
      return JSON.parse(line) as LeftDecision
    } catch (cause) {
      throw recordDamaged(runId, `the decision about call ${key} cannot be read`, { cause })
    }
  })
}
