import type { Program } from '../../plan/plan.ts'
import { isSameCall } from '../denied-calls.ts'
import type { Decision, FactOf } from '../event.ts'
import type { CallEntry, RunState } from '../state.ts'
import { asksPerson } from '../unsettled.ts'
import { finished, withCall } from '../with-call.ts'
import { callWithAnswers, withAnswers } from './ask-input.ts'
import { denialText } from './denied-before.ts'
import { callEdited } from './edit-call.ts'
import { approvalTimeoutAt } from './gate-approval.ts'
import { mergeDecisions } from './merge-decisions.ts'
import { laterDeadline } from './resumed.ts'
import { finishCall } from './settle-round.ts'

/** Handles a person's decision about a call. A verdict that does not fit what the call asks is ignored. */
export function personDecided(
  program: Program,
  state: RunState,
  fact: FactOf<'person.decided'>,
  at: number,
): Decision | null {
  const call = state.calls.find((entry) => entry.id === fact.call_id)
  if (call === undefined || !asksPerson(call)) return null
  const deadline = laterDeadline(state, fact, at)
  if (call.status === 'asking') {
    if (fact.verdict === 'approve' && call.unfit !== undefined) {
      const result = `${fact.by} approved this call, and it was not sent: ${call.unfit}`
      return mergeDecisions(deadline, finishCall(program, state, call, { result, error: true }, at))
    }
    if (fact.verdict === 'approve') return mergeDecisions(deadline, { set: { [call.id]: 'sent' } })
    if (fact.verdict === 'edit') return mergeDecisions(deadline, callEdited(program, state, call, fact, at))
    if (fact.verdict !== 'deny') return null
    const denial = { result: denialText(fact.by, fact.why), error: true }
    const { others, after } = sameCallsDenied(state, call, fact)
    return mergeDecisions(deadline, others, finishCall(program, after, call, denial, at))
  }
  if (call.status === 'input_required') {
    const entry = callWithAnswers(call, fact)
    return entry === null ? null : mergeDecisions(deadline, { judged: [entry] })
  }
  const answer = answerToUnknown(call, fact)
  if (answer?.done === undefined) return answer === null ? null : mergeDecisions(deadline, answer)
  const { result, error = false } = answer.done
  return mergeDecisions(deadline, finishCall(program, state, call, { result, error }, at))
}

/** Refuses other calls of the round that ask the same: a person decides once. */
function sameCallsDenied(
  state: RunState,
  call: CallEntry,
  { by, why }: FactOf<'person.decided'>,
): { readonly others: Decision; readonly after: RunState } {
  const same = state.calls.filter(
    (one) => one.id !== call.id && one.status === 'asking' && isSameCall(one, call),
  )
  if (same.length === 0) return { others: {}, after: state }
  const judged = same.map((one) => finished(one, denialText(by, why), true))
  const calls = judged.reduce((all, one) => withCall(all, one.id, () => one), state.calls)
  return { others: { judged }, after: { ...state, calls } }
}

/**
 * Returns the effect of a decision on a call whose outcome is unknown: it is sent again, or done. Returns
 * null if the verdict says neither.
 */
export function answerToUnknown(
  { id }: CallEntry,
  { verdict, result, by, why }: FactOf<'person.decided'>,
): Pick<Decision, 'set' | 'done'> | null {
  switch (verdict) {
    case 'resend':
      return { set: { [id]: 'sent' } }
    case 'assume':
      return { done: { call_id: id, result: result ?? 'done (confirmed by a person)' } }
    case 'deny': {
      const reason = why === undefined ? '' : `: ${why}`
      return {
        done: {
          call_id: id,
          result: `the call did not take effect, according to ${by}${reason}`,
          error: true,
        },
      }
    }
    case 'approve':
    case 'edit':
    case 'answer':
      return null
  }
}

/** Denies a call whose approval has timed out (AAIF §4.9), and cancels questions of a server: a timeout never approves. */
export function approvalLapsed(
  program: Program,
  state: RunState,
  fact: FactOf<'approval.lapsed'>,
  at: number,
): Decision | null {
  const call = state.calls.find((entry) => entry.id === fact.call_id)
  if (call === undefined) return null
  const lapses = approvalTimeoutAt(program, call)
  if (lapses === null || at < lapses) return null
  // The server hears that no person has answered, and decides what follows.
  if (call.status === 'input_required')
    return mergeDecisions(laterDeadline(state, fact, at), { judged: [withAnswers(call, 'cancel')] })
  const seconds = Math.round((lapses - (call.asked_at ?? lapses)) / 1000)
  const denial = `this call was not approved within ${seconds} s, so it was denied`
  return mergeDecisions(
    laterDeadline(state, fact, at),
    finishCall(program, state, call, { result: denial, error: true }, at),
  )
}
