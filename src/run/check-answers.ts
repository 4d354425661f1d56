import { isObject, type Json, type JsonObject } from '../document/json.ts'
import { escapeStep } from '../document/json-pointer.ts'
import { ownMember } from '../document/own-member.ts'
import { compileUserSchema } from '../schema/user-schema.ts'
import type { Elicitation, QuestionAnswer, QuestionAnswers, ServerQuestion } from './elicitation.ts'

/** Answers that may be sent, or why they may not. */
export type CheckedAnswers =
  | { readonly ok: true; readonly answers: QuestionAnswers }
  | { readonly ok: false; readonly at: string; readonly why: string }

/** Returns the same answer to every question. */
export function answersAll(
  { questions }: Pick<Elicitation, 'questions'>,
  action: 'decline' | 'cancel',
): QuestionAnswers {
  return Object.fromEntries(questions.map(({ key }) => [key, { action }]))
}

/**
 * Checks the answers of a person to all questions of a round, and adds the defaults of the schemas to what was accepted
 * (SEP-1034).
 * @param fits the content matches its schema when placeholders are replaced by the real values
 */
export function checkAnswers(
  { questions }: Pick<Elicitation, 'questions'>,
  given: QuestionAnswers,
  fits = false,
): CheckedAnswers {
  const unknown = Object.keys(given).find((key) => !questions.some((one) => one.key === key))
  if (unknown !== undefined)
    return {
      ok: false,
      at: `/answers/${escapeStep(unknown)}`,
      why: `the server has not asked ${JSON.stringify(unknown)}`,
    }
  const answers: [string, QuestionAnswer][] = []
  for (const question of questions) {
    const at = `/answers/${escapeStep(question.key)}`
    const answer: Json | undefined = ownMember(given as unknown as JsonObject, question.key)
    if (answer === undefined)
      return { ok: false, at, why: `the question ${JSON.stringify(question.key)} has no answer` }
    const { action, content = {} } = isObject(answer) ? answer : {}
    if (action === 'decline' || action === 'cancel') {
      answers.push([question.key, { action }])
      continue
    }
    if (action !== 'accept')
      return { ok: false, at: `${at}/action`, why: 'an answer is `accept` or `decline`' }
    if (question.mode === 'url') {
      answers.push([question.key, { action }])
      continue
    }
    if (!isObject(content)) return { ok: false, at: `${at}/content`, why: 'the content is not an object' }
    const complete = withDefaults(question, content)
    const why = fits ? null : breachOf(question, complete)
    if (why !== null) return { ok: false, at: `${at}/content`, why }
    answers.push([question.key, { action, content: complete }])
  }
  return { ok: true, answers: Object.fromEntries(answers) }
}

/** Returns the fields of a form, in the order of the server. */
export function fieldsOf({
  schema,
}: ServerQuestion): readonly (readonly [name: string, field: JsonObject])[] {
  const properties = schema?.properties
  if (!isObject(properties)) return []
  return Object.entries(properties).map(([name, field]) => [name, isObject(field) ? field : {}])
}

function withDefaults(question: ServerQuestion, content: JsonObject): JsonObject {
  const missing = fieldsOf(question).filter(
    ([name, field]) => !Object.hasOwn(content, name) && field.default !== undefined && field.default !== null,
  )
  if (missing.length === 0) return content
  return Object.fromEntries([
    ...Object.entries(content),
    ...missing.map(([name, field]) => [name, field.default as Json] as const),
  ])
}

/** Returns why the content of a form must not be sent; null: it fits. */
function breachOf(question: ServerQuestion, content: JsonObject): string | null {
  const fields = fieldsOf(question)
  const odd = Object.keys(content).find((name) => !fields.some(([known]) => known === name))
  if (odd !== undefined && fields.length > 0)
    return `the form has no field ${JSON.stringify(odd)}; its fields are ${fields.map(([name]) => name).join(', ')}`
  const nested = Object.entries(content).find(([, value]) => !isFlat(value))
  if (nested !== undefined)
    return `${JSON.stringify(nested[0])} is not a text, number, boolean or list of texts`
  if (question.schema === undefined) return null
  try {
    return compileUserSchema({ ...question.schema, type: 'object' })(content)
  } catch {
    // A schema that cannot be read restricts nothing: the server checks what it gets.
    return null
  }
}

/** The only values that MCP allows in a form. */
function isFlat(value: Json): boolean {
  if (Array.isArray(value)) return value.every((item: Json) => typeof item === 'string')
  return value !== null && typeof value !== 'object'
}
