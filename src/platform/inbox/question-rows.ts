import type { Sql } from '../database/tenant.ts'
import { originalText, storedText } from '../records/stored-text.ts'
import type { AskedCall, PolicyView } from './inbox.ts'

export interface QuestionRow {
  readonly org: string
  readonly id: string
  readonly run_id: string
  readonly agent_id: string
  readonly rehearsal: boolean
  /** {@link AskedCall} as JSON. */
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
  readonly view: AskedCall
  readonly settings: PolicyView | undefined
  readonly starters: readonly string[]
}

const COLUMNS = `org, id, run_id, agent_id, rehearsal, view, starters, opened_at, policy, settings, closed_at, outcome, closed_by,
  remind_at, escalate_at, expires_at, reminded, escalated_at, expired_at, lapsed, voted_at`

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

/** Returns those of the questions that have a row and are open, by their ids. */
export async function openQuestionsOf(
  sql: Sql,
  org: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredQuestion>> {
  const { rows } = await sql.query<QuestionRow>(
    `SELECT ${COLUMNS} FROM waybill.questions WHERE org = $1 AND id = ANY ($2) AND closed_at IS NULL`,
    [org, ids.map(storedText)],
  )
  return new Map(rows.map(storedQuestion).map((question) => [question.id, question]))
}

function storedQuestion({ id, view, settings, starters, ...row }: QuestionRow): StoredQuestion {
  return {
    ...row,
    id: originalText(id),
    view: JSON.parse(view) as AskedCall,
    settings: settings === null ? undefined : (JSON.parse(settings) as PolicyView),
    starters: starters.map(originalText),
  }
}
