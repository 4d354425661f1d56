import { sha256OfCanonical } from '../../document/canonical.ts'
import { defined } from '../../document/defined.ts'
import { WaybillError } from '../../document/issue.ts'
import { asJson, type Json } from '../../document/json.ts'
import type { Records } from '../../run/record/records.ts'
import type { PersonsDecision } from '../../session/leave-decision.ts'
import type { Principal } from '../../session/principal.ts'
import { sql } from '../database/sql.ts'
import { originalText, storedText } from '../database/stored-text.ts'
import { inOrganisation, type Sql } from '../database/tenant.ts'
import { addCausers, causersIn } from '../people/causers.ts'
import type { OrganisationParts } from '../people/organisation-parts.ts'
import { isBegunBefore } from '../policies/held-by-policy.ts'
import { assertHere } from '../records/moved-runs.ts'
import type { Ballot, Votes } from './approval.ts'
import { findQuestion, type StoredQuestion } from './question-rows.ts'
import { type SyncParts, syncQuestions } from './sync-questions.ts'
import { type Agreed, digestOfVote, neededBy, storedVotes, votesView } from './votes.ts'

export interface BallotParts extends Pick<OrganisationParts, 'app' | 'org' | 'principal' | 'audited'> {
  readonly sync: SyncParts
  readonly records: Pick<Records, 'grants'>
}

/** How long a worker leaves the decision to the process that has stored the last vote. */
const COMPLETED_BY_OTHERS = `interval '5 seconds'`

/**
 * Applies the policy of a question to a decision, before the decision is stored. A denial decides at once; every other
 * verdict needs as many people as the policy says, who agree to the same.
 */
export function ballotOf(parts: BallotParts): Ballot {
  const { app, org, principal } = parts
  return {
    async cast(view, decision, { explicit, agrees }) {
      // The policy must apply also if a person is faster than the worker that opens the row.
      if (!(await isKnown(parts, view.id))) await syncQuestions(parts.sync, view.run_id)
      return inOrganisation(app, org, async (on) => {
        await assertHere(on, org, view.run_id)
        const question = await findQuestion(on, org, view.id, 'FOR UPDATE')
        // It is closed: the decision is refused where it would be stored.
        if (question === undefined || question.closed_at !== null) return undefined
        const makers = await makersSince(on, question, principal)
        assertMayDecide(question, [principal.user, ...makers])
        // What the run does with these texts, this member has caused.
        if (!agrees && bringsText(decision)) await addCausers(on, org, view.run_id, causersIn(principal))
        const needed = neededBy(question)
        if (needed <= 1 || decision.verdict === 'deny') return undefined
        if (!explicit) await assertSeen(on, question, decision)
        const votes = await vote(on, parts, question, decision, makers)
        return votes.given.length < needed ? votes : undefined
      })
    },
    edited: ({ id }, digest) =>
      inOrganisation(app, org, async (on) => {
        const question = await findQuestion(on, org, id)
        if (question === undefined) return undefined
        const votes = await storedVotes(on, question)
        const found = votes.find(({ agreed }) => agreed && digestOfVote(question, agreed) === digest)
        return found?.agreed?.arguments
      }),
  }
}

async function isKnown({ app, org }: BallotParts, id: string): Promise<boolean> {
  return inOrganisation(app, org, async (on) => (await findQuestion(on, org, id)) !== undefined)
}

/** Returns whether a decision has a text that the model reads, so that its person has a part in what the run does next. */
function bringsText({
  verdict,
  why,
  result,
  arguments: args,
  answers,
}: Omit<PersonsDecision, 'by'>): boolean {
  const given = args ?? result ?? answers
  return given !== undefined || (verdict === 'deny' && why !== undefined)
}

/**
 * Returns the members who have made the token of a principal after the run had begun: they could act in its name. Those of
 * an older token could not know the run, and an admin makes the tokens of most members.
 */
async function makersSince(
  on: Sql,
  { org, run_id }: StoredQuestion,
  { token }: Principal,
): Promise<readonly string[]> {
  if (token?.makers === undefined || token.made_at === undefined) return []
  return (await isBegunBefore(on, org, run_id, token.made_at)) ? token.makers : []
}

/** @param members who decides, and who could act in that name @throws STARTER_MAY_NOT_DECIDE */
function assertMayDecide({ settings, starters, policy }: StoredQuestion, members: readonly string[]): void {
  const causer = members.find((member) => starters.includes(member))
  if (settings?.starter_may_decide !== false || causer === undefined) return
  const made = causer === members[0] ? '' : 'made this token after the run had begun, and '
  throw new WaybillError('STARTER_MAY_NOT_DECIDE', {
    fault: 'refused',
    message: `${causer} has ${made}caused this call, and the approval policy ${policy} lets only others decide`,
    hint: 'let another approver decide; GET /v1/approvals/ID lists in `excluded` who may not',
  })
}

/**
 * A person who approves without more has seen the arguments of the model, and would remove votes for edited ones.
 * @throws APPROVAL_VOTED_OTHERWISE
 */
async function assertSeen(on: Sql, question: StoredQuestion, decision: Agreed): Promise<void> {
  if (decision.verdict !== 'approve') return
  const about = aboutOf(question, decision)
  const votes = await storedVotes(on, question)
  const other = votes.find((one) => one.agreed?.verdict === 'edit' && one.about !== about)
  if (other?.agreed === undefined) return
  throw new WaybillError('APPROVAL_VOTED_OTHERWISE', {
    fault: 'refused',
    at: '/digest',
    message: `${other.by} has voted for edited arguments, which \`votes\` of the question shows`,
    hint: `to agree, add "digest": "${digestOfVote(question, other.agreed)}"; to approve the arguments of the model, which removes the votes for others, add "digest": "${question.view.digest}"`,
  })
}

/** Records the vote of the principal: one for each person. Votes about something else are removed. */
async function vote(
  on: Sql,
  { principal, audited }: BallotParts,
  question: StoredQuestion,
  { verdict, why, arguments: edited, result, answers }: Agreed,
  makers: readonly string[],
): Promise<Votes> {
  const agreed: Agreed = { verdict, ...defined({ why, arguments: edited, result, answers }) }
  const about = aboutOf(question, agreed)
  const of = [question.org, storedText(question.id)]
  await on.query('DELETE FROM waybill.votes WHERE org = $1 AND question = $2 AND about <> $3', [...of, about])
  await assertOtherPerson(on, question, principal, makers)
  const { rowCount } = await on.query(
    sql`INSERT INTO waybill.votes (org, question, run_id, user_id, about, decision, makers)
     VALUES (${question.org}, ${storedText(question.id)}, ${question.run_id}, ${storedText(principal.user)}, ${about},
       ${JSON.stringify(agreed)}, ${makers.map(storedText)})
     ON CONFLICT DO NOTHING`,
  )
  if (rowCount === 1)
    await audited(on, 'question.voted', { question: question.id, run_id: question.view.run_id, about })
  const votes = votesView(question, await storedVotes(on, question))
  await on.query(
    `UPDATE waybill.questions SET voted_at = CASE WHEN $3 THEN clock_timestamp() + ${COMPLETED_BY_OTHERS} END
     WHERE org = $1 AND id = $2`,
    [...of, votes.given.length >= votes.needed],
  )
  return votes
}

/**
 * One person does not vote twice: with the own token and one that this person has made for another member, or with two
 * that were made for others while the question was open.
 * @param makers of the token of this vote, if the run had begun before
 * @throws APPROVAL_SAME_PERSON
 */
async function assertOtherPerson(
  on: Sql,
  { org, id, opened_at }: StoredQuestion,
  { user, token }: Principal,
  makers: readonly string[],
): Promise<void> {
  const isNew = Date.parse(token?.made_at ?? '') > opened_at.getTime()
  const member = storedText(user)
  const of = makers.map(storedText)
  const { rows } = await on.query<{ user_id: string }>(
    sql`SELECT user_id FROM waybill.votes WHERE org = ${org} AND question = ${storedText(id)} AND user_id <> ${member}
       AND (user_id = ANY (${of}) OR ${member} = ANY (makers) OR ${isNew} AND makers && ${of}::text[]) LIMIT 1`,
  )
  const [other] = rows
  if (other === undefined) return
  throw new WaybillError('APPROVAL_SAME_PERSON', {
    fault: 'refused',
    message: `the vote of ${originalText(other.user_id)} may be of the same person: its token or yours was made by the same member after the run had begun`,
    hint: 'vote with a token that the member has made, or that is older than the run',
  })
}

/** Two people agree only if they have approved the same arguments, or have given the same answer. */
function aboutOf({ view }: StoredQuestion, { verdict, arguments: edited, result, answers }: Agreed): string {
  const agreed: Json = [
    verdict === 'edit' ? 'approve' : verdict,
    edited ?? view.arguments,
    ...(result === undefined ? [] : [result]),
    ...(answers === undefined ? [] : [asJson(answers)]),
  ]
  return sha256OfCanonical(agreed)
}
