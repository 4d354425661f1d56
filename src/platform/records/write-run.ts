import { sha256OfCanonical } from '../../document/canonical.ts'
import type { Json } from '../../document/json.ts'
import type { Plan } from '../../plan/plan.ts'
import type { RunEvent } from '../../run/event.ts'
import { encodeEvent } from '../../run/record/event-line.ts'
import { RECORD_VERSION } from '../../run/record/record-version.ts'
import type { NewRun } from '../../run/record/records.ts'
import { createdAt, rootRunId } from '../../run/record/run-header.ts'
import type { RunSummary } from '../../run/record/run-summary.ts'
import type { RunState } from '../../run/state.ts'
import { storedText, textOrNull } from '../database/stored-text.ts'
import type { Sql } from '../database/tenant.ts'
import type { Phase } from './run-row.ts'

/** How a new run is stored. */
export interface RunPlace {
  readonly org: string
  readonly holder: string | null
  readonly epoch: number
  readonly imported: boolean
  readonly summary: RunSummary
  readonly phase: Phase
  readonly queue?: string
  readonly priority?: number
  readonly version?: string
  readonly session?: string
}

/** Returns whether a run has ended. */
export function isOver(status: RunState['status']): boolean {
  return status !== 'running' && status !== 'waiting' && status !== 'paused'
}

// A plan is frozen and shared by many runs, so its hash is computed once.
const HASHES = new WeakMap<Plan, string>()

function hashOf(plan: Plan): string {
  let hash = HASHES.get(plan)
  if (hash === undefined) {
    hash = sha256OfCanonical(plan as unknown as Json)
    HASHES.set(plan, hash)
  }
  return hash
}

/**
 * Plans are stored once for all runs and are kept when a run is removed: they are definitions, not data of a run. One
 * statement, so that the run is stored completely or not at all.
 */
const INSERT_RUN = `
  WITH kept AS (
    INSERT INTO waybill.runs (org, run_id, v, header, first, imported, created_at, agent_id, user_id, batch, parent, root,
      plans, version, session)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
    ON CONFLICT (org, run_id) DO NOTHING RETURNING run_id
  ), plan AS (
    INSERT INTO waybill.plans (org, hash, body) SELECT $1, hash, body FROM unnest($13::text[], $16::text[]) AS p(hash, body)
    WHERE EXISTS (SELECT 1 FROM kept) ON CONFLICT DO NOTHING
  ), progress AS (
    INSERT INTO waybill.progress (org, run_id, epoch, holder, seq, status, stop_reason, questions, updated_at, phase, queue,
      priority)
    SELECT $1, run_id, $17::int, $18::text, $19::int, $20::text, $21::text, $22::int, $23::bigint, $24::text, $25::text,
      $26::smallint
    FROM kept RETURNING id
  ), sealed AS (
    INSERT INTO waybill.sealed (org, root, line) SELECT $1, $27::text, line FROM unnest($28::text[]) WITH ORDINALITY AS s(line, n)
    WHERE EXISTS (SELECT 1 FROM kept) ORDER BY n
  ), causers AS (
    INSERT INTO waybill.causers (org, run_id, member) SELECT DISTINCT $1, run_id, c FROM kept, unnest($29::text[]) AS c
  )
  SELECT id FROM progress`

/** @returns its number; undefined if there is already a run with this run id: then nothing is changed */
export async function insertRun(sql: Sql, run: NewRun, place: RunPlace): Promise<number | undefined> {
  const { header, first, plan, family, sealed = [] } = run
  const { org, summary } = place
  // A plan may be repeated in the family, and one statement cannot insert a row twice.
  const plans = new Map([plan, ...family].map((one) => [hashOf(one), one]))
  // Named, so that each connection plans it once: planning takes longer than storing the run.
  const { rows } = await sql.query<{ id: number }>({
    name: 'insert-run',
    text: INSERT_RUN,
    values: [
      org,
      storedText(header.run_id),
      RECORD_VERSION,
      JSON.stringify(header),
      JSON.stringify(first),
      place.imported,
      createdAt(header),
      storedText(header.agent_id),
      textOrNull(header.user),
      textOrNull(header.batch?.id),
      textOrNull(header.parent?.run_id),
      textOrNull(header.parent?.root_run_id),
      [...plans.keys()],
      textOrNull(place.version),
      textOrNull(place.session),
      [...plans.values()].map((one) => JSON.stringify(one)),
      place.epoch,
      place.holder,
      summary.seq,
      summary.status,
      summary.stop_reason,
      summary.questions,
      summary.at,
      place.phase,
      place.queue ?? null,
      place.priority ?? 0,
      storedText(rootRunId(header)),
      sealed.map(storedText),
      causersIn(header).map(storedText),
    ],
  })
  return rows[0]?.id
}

/** A sub-agent's run is caused by what has caused its root. */
function causersIn({ parent, user, on_behalf_of }: NewRun['header']): readonly string[] {
  return parent === undefined ? [user, on_behalf_of].filter((member) => member !== undefined) : []
}

/** Stores the events of an imported run. */
export async function insertEvents(
  sql: Sql,
  org: string,
  runId: string,
  events: readonly RunEvent[],
): Promise<void> {
  await sql.query(
    `INSERT INTO waybill.events (org, run_id, seq, line)
     SELECT $1, $2, seq, line FROM unnest($3::int[], $4::text[]) AS e(seq, line)`,
    [org, storedText(runId), events.map(({ seq }) => seq), events.map(encodeEvent)],
  )
}
