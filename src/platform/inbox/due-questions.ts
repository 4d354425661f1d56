import type pg from 'pg'
import { WaybillError } from '../../document/issue.ts'
import type { Records } from '../../run/record/records.ts'
import { leaveDecision, type PersonsDecision } from '../../session/leave-decision.ts'
import { waitingCallsOf } from '../../session/waiting-calls.ts'
import type { EntryMaker } from '../../trust/audit-chain.ts'
import { originalText, storedText } from '../database/stored-text.ts'
import { inOrganisation, type Sql } from '../database/tenant.ts'
import { appendAudit } from '../records/audit-chain-rows.ts'
import { viewOf } from './approvals.ts'
import { notify } from './notify.ts'
import { findQuestion, type StoredQuestion } from './question-rows.ts'
import { neededBy, storedVotes } from './votes.ts'

export interface DueParts {
  readonly engine: pg.Pool
  readonly nextEntry: EntryMaker
  readonly publicUrl?: string | undefined
  readonly recordsOf: (org: string) => Pick<Records, 'runs'>
}

export interface DueQuestion {
  readonly org: string
  readonly id: string
}

/** Questions that one search returns. */
const MOST = 100

/** After this time something that has failed is tried again. */
const RETRY = `interval '30 seconds'`

/** Finds questions whose reminder, escalation or end is due. */
export async function dueQuestions(engine: pg.Pool): Promise<readonly DueQuestion[]> {
  const { rows } = await engine.query<DueQuestion>({
    name: 'due-questions',
    text: `SELECT org, id FROM waybill.questions WHERE due_at <= clock_timestamp() ORDER BY due_at LIMIT ${MOST}`,
  })
  return rows.map(({ org, id }) => ({ org, id: originalText(id) }))
}

interface Decided {
  readonly question: StoredQuestion
  readonly decision: PersonsDecision
}

/**
 * Does what is due for a question, in one transaction: of several workers, one does it. A denial is a decision like that
 * of a person: it is stored first, and announced when it is known to be the one that counts. Votes that are complete are
 * decided in the name of the person who gave the last one, if the process that stored it has not done so.
 */
export async function performDue(parts: DueParts, { org, id }: DueQuestion): Promise<void> {
  const decided = await inOrganisation(parts.engine, org, async (sql) => {
    const question = await findQuestion(
      sql,
      org,
      id,
      'AND due_at <= clock_timestamp() FOR NO KEY UPDATE SKIP LOCKED',
    )
    return question === undefined ? undefined : act(sql, parts, question)
  })
  if (decided === undefined) return
  if (await decide(parts, decided)) await performDue(parts, { org, id })
}

/** @returns the decision if the question is to be decided */
async function act(sql: Sql, parts: DueParts, question: StoredQuestion): Promise<Decided | undefined> {
  const { settings, view } = question
  if (settings === undefined) return undefined
  const [now] = (await sql.query<{ now: Date }>('SELECT clock_timestamp() AS now')).rows
  const isDue = (at: Date | null) => at !== null && now !== undefined && at <= now.now
  if (question.lapsed) await expired(sql, parts, question)
  else if (isDue(question.voted_at)) return votedFor(sql, question)
  else if (isDue(question.expires_at)) {
    // Of an unknown outcome only a person can say that the call did not take effect.
    if (settings.expire?.verdict === 'deny' && view.asks !== 'unknown') {
      await retryLater(sql, question)
      const decision = {
        verdict: 'deny',
        by: byPolicy(question.policy),
        why: 'the time for a decision has passed',
      } as const
      return { question, decision }
    }
    await expired(sql, parts, question)
  } else {
    if (isDue(question.escalate_at)) await escalated(sql, parts, question)
    if (isDue(question.remind_at)) await reminded(sql, parts, question)
  }
  return undefined
}

/** The votes are read again: a member who has voted may have lost the role since. */
async function votedFor(sql: Sql, question: StoredQuestion): Promise<Decided | undefined> {
  const votes = await storedVotes(sql, question)
  const last = votes.at(-1)
  if (votes.length < neededBy(question) || last?.agreed === undefined) {
    await update(sql, question, 'voted_at = NULL')
    return undefined
  }
  await retryLater(sql, question)
  return { question, decision: { ...last.agreed, by: last.by } }
}

async function reminded(sql: Sql, parts: DueParts, question: StoredQuestion): Promise<void> {
  const { org, settings, reminded: before } = question
  // Reminders that were missed are not sent later.
  const next = `clock_timestamp() + $3::int * interval '1 second'`
  await update(sql, question, `reminded = reminded + 1, remind_at = ${next}`, [
    settings?.remind_every_seconds ?? null,
  ])
  await notify(
    sql,
    { org, publicUrl: parts.publicUrl },
    question,
    `reminded ${before + 1}`,
    settings?.notify ?? {},
  )
}

async function escalated(sql: Sql, parts: DueParts, question: StoredQuestion): Promise<void> {
  const { org, settings } = question
  await update(sql, question, 'escalated_at = clock_timestamp(), escalate_at = NULL')
  await notify(
    sql,
    { org, publicUrl: parts.publicUrl },
    question,
    'escalated',
    settings?.escalate?.notify ?? {},
  )
}

/** Ends the times of a question: it is denied, or stays open without further messages. */
async function expired(sql: Sql, parts: DueParts, question: StoredQuestion): Promise<void> {
  const { org, id, settings, policy, lapsed, run_id } = question
  await update(
    sql,
    question,
    'lapsed = false, expired_at = clock_timestamp(), expires_at = NULL, escalate_at = NULL, remind_at = NULL',
  )
  await appendAudit(sql, org, parts.nextEntry, [
    {
      at: new Date().toISOString(),
      kind: 'question.expired',
      by: byPolicy(policy),
      question: id,
      run_id: originalText(run_id),
      verdict: lapsed ? 'deny' : 'none',
    },
  ])
  await notify(sql, { org, publicUrl: parts.publicUrl }, question, 'expired', settings?.notify ?? {})
}

/** Lets others go first: a question whose turn fails again and again must not delay them. */
export async function retryLater(sql: Sql, { org, id }: DueQuestion): Promise<void> {
  await sql.query(
    `UPDATE waybill.questions SET retry_at = clock_timestamp() + ${RETRY} WHERE org = $1 AND id = $2`,
    [org, storedText(id)],
  )
}

async function update(
  sql: Sql,
  { org, id }: StoredQuestion,
  set: string,
  values: readonly unknown[] = [],
): Promise<void> {
  await sql.query(`UPDATE waybill.questions SET ${set}, retry_at = NULL WHERE org = $1 AND id = $2`, [
    org,
    storedText(id),
    ...values,
  ])
}

/** @returns false if something else has answered the question: then the rows of its run are about to change */
async function decide({ engine, recordsOf }: DueParts, { question, decision }: Decided): Promise<boolean> {
  const { org, id, view } = question
  const records = recordsOf(org)
  try {
    const waiting = await waitingCallsOf(records, await records.runs.read(view.run_id))
    const one = waiting.find(({ call }) => call.id === view.call_id)
    // The call asks again: that is another question.
    if (one === undefined || (await viewOf(records, one)).id !== id) return false
    await leaveDecision(records, view.run_id, view.call_id, decision)
    return true
  } catch (error) {
    if (!(error instanceof WaybillError)) throw error
    if (ANSWERED.has(error.code)) return false
    // People must vote again: what they agreed to is not permitted any more.
    if (error.code === 'ARGUMENTS_REFUSED' || error.code === 'ANSWER_REFUSED')
      await inOrganisation(engine, org, (sql) => update(sql, question, 'voted_at = NULL'))
    throw error
  }
}

const ANSWERED: ReadonlySet<string> = new Set([
  'APPROVAL_NOT_FOUND',
  'APPROVAL_DECIDED',
  'APPROVAL_VERDICT_INVALID',
  'APPROVAL_MOVED_ON',
  'RUN_NOT_FOUND',
  'RUN_IMPORTED',
])

/** The name of a policy as the author of a decision; the trigger `note_decision` compares it. */
function byPolicy(policy: string | null): string {
  return `policy ${policy}`
}
