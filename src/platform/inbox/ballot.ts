import { sha256OfCanonical } from '../../document/canonical.ts'
import { WaybillError } from '../../document/issue.ts'
import type { Json, JsonObject } from '../../document/json.ts'
import { inOrganisation, type Sql } from '../database/tenant.ts'
import type { OrganisationParts } from '../people/organisation-parts.ts'
import { originalText, storedText } from '../records/stored-text.ts'
import type { Ballot, Votes } from './inbox.ts'
import { findQuestion, type StoredQuestion } from './question-rows.ts'
import { type SyncParts, syncQuestions } from './sync-questions.ts'

export interface BallotParts extends Pick<OrganisationParts, 'app' | 'org' | 'principal' | 'audited'> {
  readonly sync: SyncParts
}

/**
 * Applies the policy of a question to a decision, before the decision is stored. A denial decides at once; every other
 * verdict needs as many people as the policy says, who agree to the same.
 */
export function ballotOf(parts: BallotParts): Ballot {
  return async (view, decision) => {
    // The policy must apply also if a person is faster than the worker that opens the row.
    if (!(await isKnown(parts, view.id))) await syncQuestions(parts.sync, view.run_id)
    return inOrganisation(parts.app, parts.org, async (sql) => {
      const question = await findQuestion(sql, parts.org, view.id, 'FOR UPDATE')
      // It is closed: the decision is refused where it would be stored.
      if (question === undefined || question.closed_at !== null) return undefined
      assertMayDecide(question, parts.principal.user)
      const needed = neededBy(question)
      if (needed <= 1 || decision.verdict === 'deny') return undefined
      const votes = await vote(sql, parts, question, aboutOf(question, decision))
      return votes.given.length < needed ? votes : undefined
    })
  }
}

/** Returns how many people must agree. */
export function neededBy({ settings }: Pick<StoredQuestion, 'settings'>): number {
  return settings?.approvals_needed ?? 1
}

/** Returns the votes that count: of members who may still decide. */
export async function votesOf(sql: Sql, question: StoredQuestion): Promise<Votes> {
  const { rows } = await sql.query<{ user_id: string; at: Date }>(
    `SELECT v.user_id, v.at FROM waybill.votes AS v JOIN waybill.members AS m ON m.org = v.org AND m.user_id = v.user_id
     WHERE v.org = $1 AND v.question = $2 AND m.removed_at IS NULL AND waybill.held_roles(m) && '{approver,admin}'
     ORDER BY v.at, v.user_id`,
    [question.org, storedText(question.id)],
  )
  const given = rows.map(({ user_id, at }) => ({ by: originalText(user_id), at: at.toISOString() }))
  return { needed: neededBy(question), given }
}

async function isKnown({ app, org }: BallotParts, id: string): Promise<boolean> {
  return inOrganisation(app, org, async (sql) => (await findQuestion(sql, org, id)) !== undefined)
}

/** @throws STARTER_MAY_NOT_DECIDE */
function assertMayDecide({ settings, starters, policy }: StoredQuestion, user: string): void {
  if (settings?.starter_may_decide !== false || !starters.includes(user)) return
  throw new WaybillError('STARTER_MAY_NOT_DECIDE', {
    fault: 'refused',
    message: `${user} has caused this call, and the approval policy ${policy} lets only others decide`,
    hint: 'let another approver decide; GET /v1/approvals/ID lists in `excluded` who may not',
  })
}

/** Records the vote of the principal: one for each person. Votes about something else are removed. */
async function vote(
  sql: Sql,
  { principal, audited }: BallotParts,
  question: StoredQuestion,
  about: string,
): Promise<Votes> {
  const of = [question.org, storedText(question.id)]
  await sql.query('DELETE FROM waybill.votes WHERE org = $1 AND question = $2 AND about <> $3', [
    ...of,
    about,
  ])
  const { rowCount } = await sql.query(
    `INSERT INTO waybill.votes (org, question, run_id, user_id, about) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT DO NOTHING`,
    [...of, question.run_id, storedText(principal.user), about],
  )
  if (rowCount === 1)
    await audited(sql, 'question.voted', { question: question.id, run_id: question.view.run_id, about })
  return votesOf(sql, question)
}

interface Agreed {
  readonly verdict: string
  /** Edited ones. */
  readonly arguments?: JsonObject
  readonly result?: Json
}

/** Two people agree only if they have approved the same arguments, or have given the same answer. */
function aboutOf({ view }: StoredQuestion, { verdict, arguments: edited, result }: Agreed): string {
  const agreed: Json = [
    verdict === 'edit' ? 'approve' : verdict,
    edited ?? view.arguments,
    ...(result === undefined ? [] : [result]),
  ]
  return sha256OfCanonical(agreed)
}
