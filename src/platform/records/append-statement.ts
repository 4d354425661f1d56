import type { RunSummary } from '../../run/record/run-summary.ts'
import { storedText } from '../database/stored-text.ts'
import type { Sql } from '../database/tenant.ts'
import { isOver } from './write-run.ts'

/** Consecutive events of one run that are stored together or not at all. */
export interface AppendedLines {
  readonly org: string
  /** Identifies the run, even if another one got its run id later. */
  readonly id: number
  readonly run_id: string
  readonly root: string
  readonly epoch: number
  /** Sequence number that the last event on record must have. */
  readonly before: number
  /** Encoded events; the first has the sequence number `before + 1`. */
  readonly lines: readonly string[]
  readonly sealed: readonly string[]
  /** Of the run after these events. */
  readonly summary: RunSummary
}

/**
 * The compare-and-swap on (epoch, seq) of the run `p` for the append `a`. A run that has ended leaves the queue in the
 * same statement, unless a message of its session waits for the next turn. One that continues after its end is held again,
 * or queued if the engine drives it.
 */
const swap = (appends: string) => `
    UPDATE waybill.progress AS p
    SET seq = a.seq, status = a.status, stop_reason = a.stop_reason, questions = a.questions, updated_at = a.at,
      phase = CASE WHEN a.over AND (p.leg = 0 OR NOT EXISTS (
          SELECT FROM waybill.conversations AS c JOIN waybill.messages AS m ON m.org = c.org AND m.session = c.session
          WHERE c.org = p.org AND c.run_id = p.run_id AND m.state = 'queued')) THEN 'over'
        WHEN p.phase <> 'over' THEN p.phase WHEN p.leg > 0 THEN 'queued' ELSE 'held' END,
      due_at = CASE WHEN a.over THEN NULL ELSE p.due_at END
    FROM ${appends} AS a
    WHERE p.org = a.org AND p.run_id = a.run_id AND p.id = a.id AND p.epoch = a.epoch AND p.seq = a.before`

/**
 * Appends to many runs in one statement. The last expression decides when PostgreSQL confirms the commit, and must be
 * evaluated in the same transaction.
 */
const APPEND = `
  WITH asked AS (
    SELECT * FROM unnest($1::int[], $2::text[], $3::text[], $4::int[], $5::int[], $6::int[], $7::text[], $8::text[],
      $9::int[], $10::bigint[], $11::boolean[], $19::bigint[])
      AS a(n, org, run_id, epoch, before, seq, status, stop_reason, questions, at, over, id)
  ), won AS (${swap('asked')}
    RETURNING a.n, a.org, a.run_id
  ), stored AS (
    INSERT INTO waybill.events (org, run_id, seq, line)
    SELECT w.org, w.run_id, e.seq, e.line
    FROM unnest($12::int[], $13::int[], $14::text[]) AS e(n, seq, line) JOIN won AS w USING (n)
  ), hidden AS (
    INSERT INTO waybill.sealed (org, root, line)
    SELECT w.org, s.root, s.line
    FROM unnest($15::int[], $16::text[], $17::text[]) WITH ORDINALITY AS s(n, root, line, place) JOIN won AS w USING (n)
    ORDER BY place
  )
  SELECT n, set_config('synchronous_commit', $18, true) FROM won`

/** The same for one run without personal data: it takes two thirds of the processor time. */
const APPEND_ONE = `
  WITH won AS (${swap(`(
      SELECT $1::text AS org, $2::text AS run_id, $3::int AS epoch, $4::int AS before, $5::int AS seq, $6::text AS status,
        $7::text AS stop_reason, $8::int AS questions, $9::bigint AS at, $10::boolean AS over, $11::bigint AS id)`)}
    RETURNING 1
  ), stored AS (
    INSERT INTO waybill.events (org, run_id, seq, line)
    SELECT $1, $2, $4 + e.n::int, e.line FROM unnest($12::text[]) WITH ORDINALITY AS e(line, n)
    WHERE EXISTS (SELECT FROM won)
  )
  SELECT set_config('synchronous_commit', $13, true) FROM won`

/**
 * Appends to several runs, each of which occurs once.
 * @param durable false: the commit may be lost if the database crashes, but not without all later ones
 * @returns the indexes of those that were stored; for the others the lease or the last event differs
 */
export async function appendLines(
  sql: Sql,
  all: readonly AppendedLines[],
  durable: boolean,
): Promise<ReadonlySet<number>> {
  const [one] = all
  if (one !== undefined && all.length === 1 && one.sealed.length === 0)
    return new Set((await appendOne(sql, one, durable)) ? [0] : [])
  const lines = all.flatMap(({ before, lines }, n) =>
    lines.map((line, index) => [n, before + 1 + index, line]),
  )
  const sealed = all.flatMap(({ root, sealed }, n) => sealed.map((line) => [n, root, line] as const))
  // Named, so that each connection plans it once: planning takes longer than the append of a few events.
  const { rows } = await sql.query<{ n: number }>({
    name: 'append',
    text: APPEND,
    values: [
      all.map((_, n) => n),
      all.map(({ org }) => org),
      all.map(({ run_id }) => storedText(run_id)),
      all.map(({ epoch }) => epoch),
      all.map(({ before }) => before),
      all.map(seqAfter),
      all.map(({ summary }) => summary.status),
      all.map(({ summary }) => summary.stop_reason),
      all.map(({ summary }) => summary.questions),
      all.map(({ summary }) => summary.at),
      all.map(({ summary }) => isOver(summary.status)),
      lines.map(([n]) => n),
      lines.map(([, seq]) => seq),
      lines.map(([, , line]) => line),
      sealed.map(([n]) => n),
      sealed.map(([, root]) => storedText(root)),
      sealed.map(([, , line]) => storedText(line)),
      durable ? 'on' : 'off',
      all.map(({ id }) => id),
    ],
  })
  return new Set(rows.map(({ n }) => n))
}

/** @returns whether it was stored */
async function appendOne(sql: Sql, one: AppendedLines, durable: boolean): Promise<boolean> {
  const { summary } = one
  const { rowCount } = await sql.query({
    name: 'append-one',
    text: APPEND_ONE,
    values: [
      one.org,
      storedText(one.run_id),
      one.epoch,
      one.before,
      seqAfter(one),
      summary.status,
      summary.stop_reason,
      summary.questions,
      summary.at,
      isOver(summary.status),
      one.id,
      one.lines,
      durable ? 'on' : 'off',
    ],
  })
  return rowCount === 1
}

/**
 * Finds appends that an earlier attempt has stored, although the connection was lost before the answer.
 * @returns their indexes
 */
export async function alreadyStored(sql: Sql, all: readonly AppendedLines[]): Promise<ReadonlySet<number>> {
  const { rows } = await sql.query<{ n: number }>(
    `SELECT a.n
     FROM unnest($1::int[], $2::text[], $3::text[], $4::int[], $5::int[], $6::text[], $7::bigint[])
       AS a(n, org, run_id, epoch, seq, line, id)
     JOIN waybill.progress AS p ON p.org = a.org AND p.run_id = a.run_id AND p.id = a.id AND p.epoch = a.epoch AND p.seq = a.seq
     JOIN waybill.events AS e ON e.org = a.org AND e.run_id = a.run_id AND e.seq = a.seq AND e.line = a.line`,
    [
      all.map((_, n) => n),
      all.map(({ org }) => org),
      all.map(({ run_id }) => storedText(run_id)),
      all.map(({ epoch }) => epoch),
      all.map(seqAfter),
      all.map(({ lines }) => lines.at(-1) ?? ''),
      all.map(({ id }) => id),
    ],
  )
  return new Set(rows.map(({ n }) => n))
}

function seqAfter({ before, lines }: AppendedLines): number {
  return before + lines.length
}
