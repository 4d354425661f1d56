import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import { ownMember } from '../../document/own-member.ts'
import { answersAll, fieldsOf } from '../../run/check-answers.ts'
import type { QuestionAnswer, QuestionAnswers, ServerQuestion } from '../../run/elicitation.ts'
import type { Io } from '../io.ts'
import { fieldValue } from '../run-view/field-value.ts'
import { usageError } from '../usage-error.ts'
import { type DecideOptions, readObject } from './decide-options.ts'

/**
 * Reads the answers of a person from the options of `waybill approvals answer`: what is given as content is accepted, and
 * questions without content are accepted as they are.
 * @throws USAGE
 */
export function readAnswers(
  questions: readonly ServerQuestion[],
  { content, set = [], decline }: Pick<DecideOptions, 'content' | 'set' | 'decline'>,
  io: Io,
): { readonly answers: QuestionAnswers } {
  if (decline === true) {
    if (content !== undefined || set.length > 0)
      throw usageError('--decline gives no content', 'leave out --content and --set')
    return { answers: answersAll({ questions }, 'decline') }
  }
  const whole =
    content === undefined ? {} : readObject(content, 'the fields of the form', '{"city":"Bern"}', io)
  const [only, ...others] = questions
  if (only !== undefined && others.length === 0)
    return { answers: { [only.key]: accepted(only, { ...whole, ...fieldsSet(only, set) }) } }
  const unknown = Object.keys(whole).find((key) => !questions.some((one) => one.key === key))
  if (unknown !== undefined)
    throw usageError(
      `the server has not asked ${JSON.stringify(unknown)}`,
      `its questions are ${questions.map(({ key }) => key).join(', ')}`,
    )
  const answers = questions.map((question): readonly [string, QuestionAnswer] => {
    const own = ownMember(whole, question.key)
    const prefix = `${question.key}.`
    const named = set.flatMap((text) => (text.startsWith(prefix) ? [text.slice(prefix.length)] : []))
    return [question.key, accepted(question, { ...(isObject(own) && own), ...fieldsSet(question, named) })]
  })
  return { answers: Object.fromEntries(answers) }
}

function accepted({ mode }: ServerQuestion, content: JsonObject): QuestionAnswer {
  return mode === 'url' ? { action: 'accept' } : { action: 'accept', content }
}

/** @throws USAGE */
function fieldsSet(question: ServerQuestion, set: readonly string[]): JsonObject {
  const fields = new Map(fieldsOf(question))
  const values = new Map<string, Json>()
  for (const text of set) {
    const at = text.indexOf('=')
    const name = at < 1 ? text : text.slice(0, at)
    const field = fields.get(name)
    if (at < 1 || field === undefined)
      throw usageError(
        at < 1 ? `"${text}" does not have the form NAME=VALUE` : `the form has no field "${name}"`,
        `its fields are ${[...fields.keys()].join(', ') || '(none)'}`,
      )
    const before = values.get(name)
    const value = fieldValue(field, text.slice(at + 1))
    values.set(name, Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value)
  }
  return Object.fromEntries(values)
}
