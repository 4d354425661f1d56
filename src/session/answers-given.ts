import { isDeepStrictEqual } from 'node:util'
import { WaybillError } from '../document/issue.ts'
import type { JsonObject } from '../document/json.ts'
import { checkAnswers } from '../run/check-answers.ts'
import type { QuestionAnswers } from '../run/elicitation.ts'
import type { CallEntry } from '../run/state.ts'

/** What a person gives to a server that asks. */
export interface GivenAnswers {
  /** By the keys of the questions. */
  readonly answers?: QuestionAnswers | undefined
  /** Where the server asks one question: what is accepted. */
  readonly content?: JsonObject | undefined
}

/**
 * Returns the answers to all questions of a call, with the defaults of its forms, before they are stored: stored answers
 * cannot be corrected.
 * @throws ANSWER_REFUSED if they do not fit; the question stays open
 */
export function answersGiven(call: CallEntry, { answers, content }: GivenAnswers): QuestionAnswers {
  const { elicitation = { questions: [] }, tool } = call
  const [only, ...others] = elicitation.questions
  if (answers !== undefined && content !== undefined)
    throw refused(tool, 'give `answers` or `content`, and not both', '/content')
  if (answers === undefined && others.length > 0)
    throw refused(
      tool,
      `the server asks ${elicitation.questions.length} questions: give \`answers\` with a member for each of ${elicitation.questions.map(({ key }) => JSON.stringify(key)).join(', ')}`,
      '/answers',
    )
  const given: QuestionAnswers =
    answers ??
    (only === undefined
      ? {}
      : { [only.key]: { action: 'accept', ...(content !== undefined && { content }) } })
  const checked = checkAnswers(elicitation, given)
  if (!checked.ok) throw refused(tool, checked.why, answers === undefined ? '/content' : checked.at)
  return checked.answers
}

/**
 * Checks that answers stay what they are when secrets and personal data are removed from them: the server would get the
 * marks that replace them.
 * @param clean as they would be stored
 * @throws ANSWER_REFUSED
 */
export function assertStorable(
  { tool }: CallEntry,
  given: QuestionAnswers,
  clean: QuestionAnswers | undefined,
): void {
  if (isDeepStrictEqual(given, clean)) return
  throw refused(
    tool,
    'it holds a secret or personal data, which is not stored with a decision; resume the run at a terminal, and answer there',
    '/answers',
  )
}

function refused(tool: string, why: string, at: string): WaybillError {
  return new WaybillError('ANSWER_REFUSED', {
    fault: 'refused',
    message: `the answer to the server of ${tool} is not sent: ${why}`,
    at,
    hint: '`waybill approvals show` shows the questions and their fields; correct the answer, or decline it: the question stays open',
  })
}
