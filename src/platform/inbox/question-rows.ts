import { joined, sql, written } from '../database/sql.ts'
import { originalText, storedText } from '../database/stored-text.ts'
import type { Sql } from '../database/tenant.ts'
import type { PolicyView } from '../policies/policy.ts'
import type { ApprovalQuery, ApprovalView } from './approval.ts'

export interface QuestionRow {
  readonly org: string
  readonly id: string
  readonly run_id: string
  readonly agent_id: string
  readonly rehearsal: boolean
  /** {@link ApprovalView} as JSON. */
  readonly view: string
  readonly starters: readonly string[]
  readonly opened_at: Date
  readonly policy: string | null
  /** {@link PolicyView} as JSON. */
  readonly settings: string | null
  readonly closed_at: Date | null
  readonly outcome: string | null
  /** As JSON. */
  readonly closed_by: string | null
  readonly remind_at: Date | null
  readonly escalate_at: Date | null
  readonly expires_at: Date | null
  readonly reminded: number
  readonly escalated_at: Date | null
  readonly expired_at: Date | null
  readonly lapsed: boolean
  /** The votes are complete: when a worker decides. */
  readonly voted_at: Date | null
}

/** A question with its policy, when it opened. */
export interface StoredQuestion extends Omit<QuestionRow, 'view' | 'settings' | 'starters'> {
  readonly view: ApprovalView
  readonly settings: PolicyView | undefined
  readonly starters: readonly string[]
}

const COLUMNS = `org, id, run_id, agent_id, rehearsal, view, starters, opened_at, policy, settings, closed_at, outcome, closed_by,
  remind_at, escalate_at, expires_at, reminded, escalated_at, expired_at, lapsed, voted_at`

const OF_QUESTIONS = written(
  COLUMNS.split(/,\s*/)
    .map((name) => `q.${name}`)
    .join(', '),
)

/** @param lock `FOR UPDATE` and the like, or a further condition before it */
export async function findQuestion(
  sql: Sql,
  org: string,
  id: string,
  lock = '',
): Promise<StoredQuestion | undefined> {
  const { rows } = await sql.query<QuestionRow>(
    `SELECT ${COLUMNS} FROM waybill.questions WHERE org = $1 AND id = $2 ${lock}`,
    [org, storedText(id)],
  )
  const [row] = rows
  return row === undefined ? undefined : storedQuestion(row)
}

export interface ListedQuestion extends StoredQuestion {
  /** What the list is sorted by, as texts: the begin of the run, its id, and when and as what the question opened. */
  readonly place: readonly [created_at: string, run_id: string, opened_at: string, id: string]
}

/** Returns the open questions of runs that are here, those of the newest run first and in the order of its calls. */
export async function listedQuestions(
  on: Sql,
  org: string,
  filter: Pick<ApprovalQuery, 'run_id' | 'agent_id' | 'user' | 'tool'> & {
    readonly after: ListedQuestion['place'] | undefined
    readonly limit: number
  },
): Promise<readonly ListedQuestion[]> {
  const { run_id, agent_id, user, tool, after, limit } = filter
  const conditions = [
    sql`q.org = ${org} AND q.closed_at IS NULL AND NOT r.imported AND p.phase NOT IN ('over', 'moving', 'moved')`,
  ]
  if (run_id !== undefined) {
    const id = storedText(run_id)
    conditions.push(sql`(r.run_id = ${id} OR r.root = ${id})`)
  }
  if (agent_id !== undefined) conditions.push(sql`r.agent_id = ${storedText(agent_id)}`)
  if (user !== undefined) conditions.push(sql`r.user_id = ${storedText(user)}`)
  // As JSON, which decodes nothing: a text may contain what PostgreSQL cannot.
  if (tool !== undefined) conditions.push(sql`(q.view::json -> 'tool')::text = ${JSON.stringify(tool)}`)
  if (after !== undefined) {
    const [created, run, opened, id] = after
    conditions.push(sql`((r.created_at, r.run_id) < (${created}::bigint, ${run}) OR (r.created_at, r.run_id) = (${created}::bigint, ${run})
      AND (q.opened_at, q.id) > (${opened}::timestamptz, ${id}))`)
  }
  const { rows } = await on.query<QuestionRow & { readonly place: ListedQuestion['place'] }>(
    sql`SELECT ${OF_QUESTIONS}, ARRAY[r.created_at::text, r.run_id, q.opened_at::text, q.id] AS place
     FROM waybill.questions AS q JOIN waybill.runs AS r ON r.org = q.org AND r.run_id = q.run_id
     JOIN waybill.progress AS p ON p.org = r.org AND p.run_id = r.run_id
     WHERE ${joined(conditions, ' AND ')}
     ORDER BY r.created_at DESC, r.run_id DESC, q.opened_at, q.id LIMIT ${limit}`,
  )
  return rows.map(({ place, ...row }) => ({ ...storedQuestion(row), place }))
}

function storedQuestion({ id, view, settings, starters, ...row }: QuestionRow): StoredQuestion {
  return {
    ...row,
    id: originalText(id),
    view: JSON.parse(view) as ApprovalView,
    settings: settings === null ? undefined : (JSON.parse(settings) as PolicyView),
    starters: starters.map(originalText),
  }
}
