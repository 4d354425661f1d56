import { defined } from '../document/defined.ts'
import { WaybillError } from '../document/issue.ts'
import type { Json, JsonObject } from '../document/json.ts'
import { ownMember } from '../document/own-member.ts'
import type { QuestionAnswers } from '../run/elicitation.ts'
import type { Verdict } from '../run/event.ts'
import { fits, type LeftDecision, type PersonDecided } from '../run/record/left-decision.ts'
import { runImported } from '../run/record/record-errors.ts'
import type { Records } from '../run/record/records.ts'
import { type Asks, asksOf } from '../run/unsettled.ts'
import { answersGiven, assertStorable } from './answers-given.ts'
import { assertEditable } from './assert-editable.ts'
import { assertHere } from './assert-here.ts'
import { cleanDecision, movedOn, TRIES } from './claim-decision.ts'
import { alreadyDecided, decidedBefore } from './decided-before.ts'
import { questionOf } from './left-decisions.ts'
import { findWaitingCall, type WaitingCall, waitingCallsOf } from './waiting-calls.ts'

/** A person's decision about a call. */
export interface PersonsDecision {
  readonly verdict: Verdict
  readonly by: string
  readonly why?: string
  readonly result?: Json
  /** Of `edit`: all arguments of the call. */
  readonly arguments?: JsonObject
  /** Of `answer`: to all questions of the server, by their keys. */
  readonly answers?: QuestionAnswers
  /** Of `answer`, where the server asks one question: what is accepted, in place of `answers`. */
  readonly content?: JsonObject
}

/**
 * Stores a decision for a waiting call. There is one for each question: a second decision is refused with the first
 * one.
 * @param callId a call's id or a prefix of it; may be absent if only one call waits
 * @throws APPROVAL_NOT_FOUND, APPROVAL_AMBIGUOUS, APPROVAL_DECIDED, APPROVAL_VERDICT_INVALID, ARGUMENTS_REFUSED, ANSWER_REFUSED; RUN_IMPORTED, RUN_MOVING, RUN_MOVED,
 * because the decision would never take effect
 */
export async function leaveDecision(
  records: Pick<Records, 'runs'>,
  runId: string,
  callId: string | undefined,
  given: PersonsDecision,
): Promise<{ readonly call: WaitingCall['call']; readonly decision: LeftDecision }> {
  const { verdict } = given
  for (let tried = 0; tried < TRIES; tried++) {
    const run = await records.runs.read(runId)
    if ((await records.runs.listed(runId)).imported) throw runImported(runId)
    await assertHere(records, runId)
    const { call, decided } = await namedCall(records, run, callId)
    if (decided !== undefined) throw leftAlready(runId, decided)
    if (!fits(call, { verdict })) throw unfitting(call, verdict)
    const fact = checkedDecision(run, call, given)
    const decision: LeftDecision = { ...fact, key: call.key, seen: run.state.seq }
    const question = questionOf(call, await records.runs.events(runId))
    const outcome = await records.runs.decide(runId, question, decision)
    if (outcome.outcome === 'kept') return { call, decision }
    if (outcome.outcome === 'taken') throw leftAlready(runId, outcome.by)
  }
  throw movedOn(runId)
}

/** @throws APPROVAL_NOT_FOUND, APPROVAL_AMBIGUOUS; APPROVAL_DECIDED for a call that does not wait any more */
async function namedCall(
  records: Pick<Records, 'runs'>,
  run: WaitingCall['run'],
  callId: string | undefined,
): Promise<WaitingCall> {
  const { run_id } = run.header
  const waiting = await waitingCallsOf(records, run)
  try {
    return findWaitingCall(waiting, run_id, callId)
  } catch (error) {
    if (!(error instanceof WaybillError) || error.code !== 'APPROVAL_NOT_FOUND') throw error
    const decided = decidedBefore(await records.runs.events(run_id), { call: callId })
    throw decided === undefined
      ? error
      : alreadyDecided(decided, `\`waybill runs show ${run_id}\` shows what followed`)
  }
}

function leftAlready(runId: string, decided: LeftDecision): WaybillError {
  return alreadyDecided(decided, `it takes effect with \`waybill resume ${runId}\``)
}

/** Returns a decision as it is stored. @throws APPROVAL_VERDICT_INVALID, ARGUMENTS_REFUSED, ANSWER_REFUSED */
export function checkedDecision(
  run: WaitingCall['run'],
  call: WaitingCall['call'],
  { verdict, by, why, result, arguments: args, answers: own, content }: PersonsDecision,
): PersonDecided {
  if (!fits(call, { verdict })) throw unfitting(call, verdict)
  const answers = verdict === 'answer' ? answersGiven(call, { answers: own, content }) : undefined
  const given: PersonDecided = {
    type: 'person.decided',
    call_id: call.id,
    verdict,
    by,
    ...defined({ why, result, arguments: args, answers }),
  }
  const fact = cleanDecision(given, run.plan)
  if (verdict === 'edit') assertEditable(run, call, given, fact)
  if (answers !== undefined) assertStorable(call, answers, fact.answers)
  return fact
}

function unfitting(call: WaitingCall['call'], verdict: string): WaybillError {
  const { message, hint } = UNFITTING[asksOf(call)](call.tool, verdict)
  return new WaybillError('APPROVAL_VERDICT_INVALID', { fault: 'usage', message, hint })
}

const UNFITTING: Readonly<
  Record<Asks, (tool: string, verdict: string) => { readonly message: string; readonly hint: string }>
> = {
  approval: (tool, verdict) => ({
    message: `${tool} has not been called yet: there is nothing to ${verdict}`,
    hint: 'approve, edit or deny it',
  }),
  input: (tool, verdict) => ({
    message: `the server of ${tool} asks a question: it is answered or declined, and there is nothing to ${verdict}`,
    hint: '`waybill approvals answer`; to decline, add `--decline`, or deny it',
  }),
  unknown: (tool, verdict) => ({
    message: `${tool} may have taken effect already: ${ownMember(UNKNOWN, verdict) ?? 'an approval does not say whether to send it again'}`,
    hint: 'assume (it was done), resend, or deny (it was not done)',
  }),
}

const UNKNOWN: Readonly<Record<string, string>> = {
  edit: 'its arguments cannot be changed any more',
  answer: 'its server does not wait for an answer any more',
}
