import type { RunEvent } from '../../../run/event.ts'
import { encodeEvent } from '../../../run/record/event-line.ts'
import { runExists } from '../../../run/record/record-errors.ts'
import type { NewRun } from '../../../run/record/records.ts'
import { rootRunId } from '../../../run/record/run-header.ts'
import type { RunSummary } from '../../../run/record/run-summary.ts'
import type { PlanRows } from './plan-rows.ts'
import type { Queries } from './queries.ts'
import { identityChecksum, identityOf, lineChecksum, summaryChecksum } from './run-row.ts'

export interface EncodedEvent {
  readonly seq: number
  readonly line: string
  readonly checksum: number
}

export function encoded(runId: string, events: readonly RunEvent[]): readonly EncodedEvent[] {
  return events.map((event) => {
    const line = encodeEvent(event)
    return { seq: event.seq, line, checksum: lineChecksum(runId, event.seq, line) }
  })
}

export interface RunPlace {
  /** The lock of the process that drives it; null if no process does. */
  readonly holder: string | null
  readonly imported: boolean
  readonly summary: RunSummary
  readonly events: readonly EncodedEvent[]
}

/** @returns the id of its row. @throws RUN_EXISTS */
export function insertRun(
  q: Queries,
  plans: PlanRows,
  run: NewRun,
  { holder, imported, summary, events }: RunPlace,
): number {
  const { header, plan, family } = run
  const { run_id } = header
  if (q.get('SELECT 1 FROM runs WHERE run_id = ?', run_id) !== undefined) throw runExists(run_id)
  const all = [plan, ...family]
  const identity = identityOf(
    run,
    all.map((one) => plans.hashOf(one)),
    imported,
  )
  q.run(
    `INSERT INTO runs (run_id, v, header, first, imported, created_at, agent_id, user, batch, parent, root, plans,
       checksum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    identity.run_id,
    identity.v,
    identity.header,
    identity.first,
    identity.imported,
    identity.created_at,
    identity.agent_id,
    identity.user,
    identity.batch,
    identity.parent,
    identity.root,
    identity.plans,
    identityChecksum(identity),
  )
  const { id } = q.get<{ id: number }>('SELECT last_insert_rowid() AS id') ?? { id: 0 }
  const { status, stop_reason, questions, seq, at } = summary
  const checksum = summaryChecksum(run_id, summary)
  const epoch = holder === null ? 0 : 1
  q.run(
    'INSERT INTO progress VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
    ...[id, epoch, holder, seq, status, stop_reason, questions, at, checksum],
  )
  plans.keep(q, id, all)
  insertEvents(q, id, events)
  insertSealed(q, rootRunId(header), run.sealed ?? [])
  return id
}

export function insertEvents(q: Queries, run: number, events: readonly EncodedEvent[]): void {
  for (const { seq, line, checksum } of events)
    q.run('INSERT INTO events (run, seq, line, checksum) VALUES (?, ?, ?, ?)', run, seq, line, checksum)
}

export function insertSealed(q: Queries, root: string, lines: readonly string[]): void {
  for (const line of lines) {
    const checksum = lineChecksum(root, 'sealed', line)
    q.run('INSERT INTO sealed (root, line, checksum) VALUES (?, ?, ?)', root, line, checksum)
  }
}
