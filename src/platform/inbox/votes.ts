import { defined } from '../../document/defined.ts'
import type { PersonsDecision } from '../../session/leave-decision.ts'
import { originalText, storedText } from '../database/stored-text.ts'
import type { Sql } from '../database/tenant.ts'
import type { Vote, Votes } from './approval.ts'
import { digestOf } from './approvals.ts'
import type { StoredQuestion } from './question-rows.ts'

/** What a vote agrees to, as the decision would be stored. */
export type Agreed = Pick<PersonsDecision, 'verdict' | 'why' | 'result' | 'arguments' | 'answers'>

export interface StoredVote {
  readonly by: string
  readonly at: Date
  /** The hash of what is agreed to. */
  readonly about: string
  /** Absent: the vote is of an earlier version. */
  readonly agreed: Agreed | undefined
}

interface Row {
  readonly question: string
  readonly user_id: string
  readonly at: Date
  readonly about: string
  /** {@link Agreed} as JSON. */
  readonly decision: string | null
}

/** Returns how many people must agree. */
export function neededBy({ settings }: Pick<StoredQuestion, 'settings'>): number {
  return settings?.approvals_needed ?? 1
}

/** Returns the votes on questions that count, oldest first: of members who may still decide. */
export async function votesOn(
  sql: Sql,
  org: string,
  questions: readonly string[],
): Promise<ReadonlyMap<string, readonly StoredVote[]>> {
  const { rows } = await sql.query<Row>(
    `SELECT v.question, v.user_id, v.at, v.about, v.decision
     FROM waybill.votes AS v JOIN waybill.members AS m ON m.org = v.org AND m.user_id = v.user_id
     WHERE v.org = $1 AND v.question = ANY ($2) AND m.removed_at IS NULL AND waybill.held_roles(m) && '{approver,admin}'
     ORDER BY v.at, v.user_id`,
    [org, questions.map(storedText)],
  )
  return Map.groupBy(rows.map(voteOf), ({ question }) => question)
}

/** Returns the votes on one question, as {@link votesOn} does. */
export async function storedVotes(
  sql: Sql,
  { org, id }: Pick<StoredQuestion, 'org' | 'id'>,
): Promise<readonly StoredVote[]> {
  return (await votesOn(sql, org, [id])).get(id) ?? []
}

/** Returns votes as clients see them. */
export function votesView(question: StoredQuestion, votes: readonly StoredVote[]): Votes {
  return { needed: neededBy(question), given: votes.map((vote) => voteView(question, vote)) }
}

/** Returns the digest of the question with the arguments that a vote is for. */
export function digestOfVote({ view }: StoredQuestion, agreed: Agreed): string {
  return agreed.arguments === undefined ? view.digest : digestOf(view.id, view.tool, agreed.arguments)
}

function voteView(question: StoredQuestion, { by, at, agreed }: StoredVote): Vote {
  const given = { by, at: at.toISOString() }
  if (agreed === undefined) return given
  const { verdict, why: note, arguments: edited, result, answers } = agreed
  return {
    ...given,
    verdict,
    digest: digestOfVote(question, agreed),
    ...defined({ note, arguments: edited, result, answers }),
  }
}

function voteOf({ question, user_id, at, about, decision }: Row): StoredVote & { readonly question: string } {
  return {
    question: originalText(question),
    by: originalText(user_id),
    at,
    about,
    agreed: decision === null ? undefined : (JSON.parse(decision) as Agreed),
  }
}
