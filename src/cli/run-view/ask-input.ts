import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import { checkAnswers, fieldsOf } from '../../run/check-answers.ts'
import type { QuestionAnswer, QuestionAnswers, ServerQuestion } from '../../run/elicitation.ts'
import type { Io } from '../io.ts'
import { chooseDeliberately, type Entry } from '../terminal/choose-deliberately.ts'
import { type Paint, painter } from '../terminal/paint.ts'
import { plainLine } from '../terminal/plain-text.ts'
import { openPrompts } from '../terminal/prompts.ts'
import { choicesOf, fieldText, fieldValue } from './field-value.ts'

/** What a person does about the questions of a server: answers them, decides later, or leaves the prompt. */
export type InputAnswer = { readonly answers: QuestionAnswers } | 'later' | undefined

/** Asks the person at the terminal each question of a server, field by field. Nothing is sent before all are answered. */
export async function askInput(
  questions: readonly ServerQuestion[],
  server: string,
  io: Io,
  signal?: AbortSignal,
): Promise<InputAnswer> {
  const answers: [string, QuestionAnswer][] = []
  for (const question of questions) {
    const answer = await askQuestion(question, server, io, signal)
    if (answer === undefined || answer === 'later') return answer
    answers.push([question.key, answer])
  }
  return { answers: Object.fromEntries(answers) }
}

type Choice = 'later' | 'accept' | 'decline'

async function askQuestion(
  question: ServerQuestion,
  server: string,
  io: Io,
  signal: AbortSignal | undefined,
): Promise<QuestionAnswer | 'later' | undefined> {
  const isUrl = question.mode === 'url'
  const options: readonly Entry<Choice>[] = [
    {
      value: 'accept',
      label: isUrl ? 'I have visited it' : 'Answer',
      hint: isUrl ? 'the call is made' : 'field by field; a password belongs in no form',
    },
    { value: 'decline', label: 'Decline', hint: 'the server decides what follows' },
    { value: 'later', label: 'Decide later', hint: 'the run is saved and waits' },
  ]
  const message = `What do you answer to the server ${plainLine(server, 60)}?`
  for (;;) {
    const choice = await chooseDeliberately(
      { message, options, safe: 'later', ...(signal && { signal }) },
      io,
    )
    if (choice === undefined || choice === 'later') return choice
    if (choice === 'decline') return { action: 'decline' }
    if (isUrl) return { action: 'accept' }
    const content = await askFields(question, io, signal)
    if (content === undefined) return undefined
    const checked = checkAnswers({ questions: [question] }, { [question.key]: { action: 'accept', content } })
    if (checked.ok) return { action: 'accept', content }
    io.err(`${painter(io.color)('bad', '✗')} ${plainLine(checked.why, 400)}\n`)
  }
}

/** @returns undefined if the person leaves */
async function askFields(
  question: ServerQuestion,
  io: Io,
  signal: AbortSignal | undefined,
): Promise<JsonObject | undefined> {
  const { prompts, streams } = await openPrompts(io)
  const required: Json = question.schema?.required ?? []
  const content: [string, Json][] = []
  for (const [name, field] of fieldsOf(question)) {
    const isRequired = Array.isArray(required) && required.includes(name)
    const message = plainLine(fieldText(name, field, isRequired), 300)
    const choices = choicesOf(field)
    const given =
      choices === undefined || field.type === 'array'
        ? await prompts.text({ ...streams, ...(signal && { signal }), message })
        : await prompts.select({
            ...streams,
            ...(signal && { signal }),
            message,
            options: [
              ...(isRequired && field.default === undefined ? [] : [{ value: '', label: '(leave it out)' }]),
              ...choices.map(({ value, label }) => ({ value, label: plainLine(label, 60) })),
            ],
          })
    if (prompts.isCancel(given)) return undefined
    const text = given ?? ''
    // An empty field gets its default, or is left out.
    if (text !== '') content.push([name, fieldValue(field, text)])
  }
  return Object.fromEntries(content)
}

/** Returns the questions of a server for a person to read, as rows: a name, and a text. */
export function questionRows(
  questions: readonly ServerQuestion[],
  paint: Paint,
): readonly (readonly [name: string, text: string])[] {
  return questions.flatMap((question, index) => {
    const { message, mode, url = '' } = question
    const required = isObject(question.schema) ? question.schema.required : undefined
    const name = questions.length === 1 ? 'asks' : `asks ${index + 1}`
    const key = questions.length === 1 ? '' : ` [${plainLine(question.key, 60)}]`
    return [
      [name, `${plainLine(message, 1000)}${key}`] as const,
      ...(mode === 'url'
        ? [
            ['visit', plainLine(url, 8000)] as const,
            ['host', paint('warn', plainLine(URL.canParse(url) ? new URL(url).host : url, 300))] as const,
          ]
        : fieldsOf(question).map(
            ([field, schema]) =>
              [
                'field',
                plainLine(fieldText(field, schema, Array.isArray(required) && required.includes(field)), 400),
              ] as const,
          )),
    ]
  })
}
