import { defined } from '../../document/defined.ts'
import type { Program } from '../../plan/plan.ts'
import type { Decision, FactOf, JudgedBreach } from '../event.ts'
import type { CallEntry, RunState, RunWarning } from '../state.ts'
import { withRequest } from '../totals.ts'
import { answerJudged, blocked } from './gate-answer.ts'
import { sendOrRequestApproval } from './gate-approval.ts'
import { mergeDecisions } from './merge-decisions.ts'
import { refusedCall } from './open-round.ts'
import { costOf } from './request-cost.ts'
import { settleIfDone } from './settle-round.ts'

/** Handles the judge's verdict: calls that break a rule are refused, the others continue. */
export function judgeAnswered(
  program: Program,
  state: RunState,
  fact: FactOf<'judge.answered'>,
  at: number,
): Decision | null {
  const { review } = state
  if (review?.n !== fact.review || state.status === 'paused') return null
  const { after, used } = afterJudge(program, state, fact)
  const next =
    review.subject === 'answer'
      ? answerJudged(program, after, review.text, fact.breaches, at)
      : sendJudgedCalls(program, after, fact.breaches, at)
  return mergeDecisions(used, next)
}

/** Returns the state in which the usage of the judge counts, so that limits are checked with it. */
function afterJudge(
  { plan }: Program,
  state: RunState,
  fact: FactOf<'judge.answered' | 'judge.failed'>,
): { readonly after: RunState; readonly used: Decision } {
  const cost_usd = fact.usage === undefined ? undefined : costOf(plan.judge, fact.usage)
  return {
    after: { ...state, totals: withRequest(state.totals, fact, cost_usd) },
    used: defined({ cost_usd }),
  }
}

function sendJudgedCalls(
  program: Program,
  state: RunState,
  breaches: readonly JudgedBreach[],
  at: number,
): Decision {
  const judging = new Set(state.calls.flatMap(({ id, status }) => (status === 'judging' ? [id] : [])))
  // A verdict that names none of these calls, or a call that is not among them, stops all of them: it found a breach.
  const concerns = ({ call_id }: JudgedBreach, id: string) =>
    call_id === undefined || call_id === id || !judging.has(call_id)
  const calls = state.calls.map((entry): CallEntry => {
    if (entry.status !== 'judging') return entry
    const breach = breaches.find((found) => concerns(found, entry.id))
    if (breach !== undefined) return refusedCall(entry, breach)
    // A person has chosen these arguments.
    if (entry.proposed !== undefined) return { ...entry, status: 'sent' }
    return sendOrRequestApproval(program, state, entry, at)
  })
  const judged = calls.filter((entry, index) => entry !== state.calls[index])
  return mergeDecisions(
    { review: null, ...(breaches.length > 0 && { breaches }), judged },
    settleIfDone(program, state, calls, at),
  )
}

/**
 * Handles a missing verdict. Levels strict and regulated hold everything back; below that the rules in the
 * prompt must do, and a warning says so.
 */
export function judgeFailed(
  program: Program,
  state: RunState,
  fact: FactOf<'judge.failed'>,
  at: number,
): Decision | null {
  const { review } = state
  if (review?.n !== fact.review || state.status === 'paused') return null
  const { plan } = program
  const { after, used } = afterJudge(program, state, fact)
  const breaches = plan.constraints
    .filter(({ enforcement }) => enforcement === 'judge')
    .map(({ text }): JudgedBreach => ({ constraint: text, why: `it could not be judged: ${fact.message}` }))
  const strict = plan.safety_level === 'strict' || plan.safety_level === 'regulated'
  const warnings: readonly RunWarning[] = [
    { code: 'CONSTRAINT_UNJUDGED', message: `the judge gave no verdict: ${fact.message}` },
  ]
  if (review.subject === 'calls') {
    return mergeDecisions(used, { warnings }, sendJudgedCalls(program, after, strict ? breaches : [], at))
  }
  if (strict) return mergeDecisions(used, { review: null, warnings, breaches, end: blocked(breaches) })
  return mergeDecisions(used, { warnings }, answerJudged(program, after, review.text, [], at))
}
