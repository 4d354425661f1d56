import { defined } from '../../document/defined.ts'
import type { Program } from '../../plan/plan.ts'
import { answersAll, checkAnswers } from '../check-answers.ts'
import { type Elicitation, MOST_ROUNDS, type QuestionAnswers } from '../elicitation.ts'
import type { Decision, FactOf } from '../event.ts'
import type { CallEntry, RunState } from '../state.ts'
import { finishCall } from './settle-round.ts'

/** The result of a call whose server asks when no person can answer any more. */
export const NOT_ANSWERED =
  'not made: the server asked a person something first, and the run was about to end before a person answered'

/**
 * Puts the questions of a server to a person. The call was not made, so it is not unsettled; it is made again with the
 * answers. A server that asks round after round is refused.
 */
export function callAsked(
  program: Program,
  state: RunState,
  { call_id, questions, request_state }: FactOf<'call.asked'>,
  at: number,
): Decision | null {
  const call = state.calls.find(({ id }) => id === call_id)
  if (call?.status !== 'sent') return null
  const before = call.elicitation
  const round = (before?.round ?? 0) + 1
  if (round > MOST_ROUNDS) {
    const result = `MCP_CALL_REFUSED: the server of ${call.tool} asked a person something ${MOST_ROUNDS} times and has not made the call`
    return finishCall(program, state, call, { result, error: true }, at)
  }
  const elicitation: Elicitation = {
    round,
    questions,
    ...(request_state !== undefined && { request_state }),
    ...(before?.answers !== undefined && {
      before: [...(before.before ?? []), { questions: before.questions, answers: before.answers }],
    }),
  }
  const { lapses_at: _lapses, ...entry } = call
  return { judged: [{ ...entry, status: 'input_required', asked_at: at, elicitation }] }
}

/** Returns the call as it is made again after a person's decision; null if the decision does not answer the questions. */
export function callWithAnswers(
  call: CallEntry,
  { verdict, answers, fits }: FactOf<'person.decided'>,
): CallEntry | null {
  if (verdict === 'deny') return withAnswers(call, 'decline')
  if (verdict !== 'answer' || call.elicitation === undefined) return null
  const checked = checkAnswers(call.elicitation, answers ?? {}, fits === true)
  return checked.ok
    ? { ...call, status: 'sent', elicitation: answered(call.elicitation, checked.answers) }
    : null
}

/** Returns the call as it is made again when no question was accepted. */
export function withAnswers(call: CallEntry, action: 'decline' | 'cancel'): CallEntry {
  const { elicitation: asked } = call
  const elicitation = asked && answered(asked, answersAll(asked, action))
  return { ...call, status: 'sent', ...defined({ elicitation }) }
}

function answered(details: Elicitation, answers: QuestionAnswers): Elicitation {
  return { ...details, answers }
}
