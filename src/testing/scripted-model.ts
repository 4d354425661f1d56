import type { Code } from '../document/codes.ts'
import type { JsonObject } from '../document/json.ts'
import { type ModelAnswer, ModelFailure, type ModelPort, type ModelRequest } from '../run/ports.ts'
import type { Message, Usage } from '../run/state.ts'

/** The next answer of the model. A string is a final answer. */
export type ScriptedAnswer = string | ScriptedTurn | ((request: ModelRequest) => ModelAnswer)

export interface ScriptedTurn {
  readonly text?: string
  readonly calls?: readonly { readonly tool: string; readonly args?: JsonObject; readonly id?: string }[]
  /** The failure of the provider instead of an answer. */
  readonly fails?: ModelFailure
  readonly usage?: Usage
  readonly finish?: ModelAnswer['finish']
  /** A condition on the last message of the request. */
  readonly expect?: Expectation
}

export type Expectation =
  | ((last: Message, request: ModelRequest) => boolean)
  | {
      readonly role?: Message['role']
      /** The tool that the result belongs to. */
      readonly tool?: string
      readonly error?: boolean
      /** Searched in the text, or in the JSON of a result. */
      readonly contains?: string | RegExp
    }

export interface ScriptedModel extends ModelPort {
  /** Every question so far, in order. */
  readonly requests: readonly ModelRequest[]
  /**
   * Fails if the script was not followed. A run turns a model's failure into its own result, so a failed script can
   * go unnoticed: call this at the end.
   * @throws ModelFailure SCRIPT_EXHAUSTED, SCRIPT_EXPECTATION (the first one) or SCRIPT_UNFINISHED
   */
  assertDone(): void
}

/** Returns a model for tests that gives the answers of the script in order, and fails on any other request. */
export function scriptedModel(script: readonly ScriptedAnswer[]): ScriptedModel {
  const requests: ModelRequest[] = []
  let wrong: ModelFailure | undefined
  const fail = (code: Code, message: string): ModelFailure => {
    const failure = new ModelFailure('route', code, message)
    wrong ??= failure
    return failure
  }
  return {
    requests,
    async ask(request, { onText }) {
      const at = requests.push(request) - 1
      const next = script[at]
      if (next === undefined)
        throw fail(
          'SCRIPT_EXHAUSTED',
          `question ${at + 1} was asked, and the script has ${script.length} answers`,
        )
      const turn = typeof next === 'string' ? { text: next } : next
      if (typeof turn !== 'function') {
        const breach = turn.expect === undefined ? null : breachOf(turn.expect, request)
        if (breach !== null) throw fail('SCRIPT_EXPECTATION', `at question ${at + 1}: ${breach}`)
        if (turn.fails !== undefined) throw turn.fails
      }
      const answer = typeof turn === 'function' ? turn(request) : answerOf(turn, at)
      if (answer.message.text !== '') onText?.(answer.message.text)
      return answer
    },
    assertDone() {
      if (wrong !== undefined) throw wrong
      const left = script.length - requests.length
      if (left > 0)
        throw new ModelFailure(
          'route',
          'SCRIPT_UNFINISHED',
          `${left} of ${script.length} answers were never asked for`,
        )
    },
  }
}

function answerOf(turn: ScriptedTurn, at: number): ModelAnswer {
  const calls = (turn.calls ?? []).map(({ tool, args, id }, index) => ({
    id: id ?? `call_${at + 1}_${index + 1}`,
    tool,
    args: args ?? {},
  }))
  return {
    message: { role: 'assistant', text: turn.text ?? '', calls },
    finish: turn.finish ?? (calls.length > 0 ? 'tool_calls' : 'stop'),
    usage: turn.usage ?? { input_tokens: 10, output_tokens: 5 },
    warnings: [],
  }
}

function breachOf(expect: Expectation, request: ModelRequest): string | null {
  const last = request.messages.at(-1)
  if (last === undefined) return 'there is no message'
  if (typeof expect === 'function')
    return expect(last, request) ? null : `the last message is not as expected: ${excerpt(last)}`
  if (expect.role !== undefined && last.role !== expect.role)
    return `the last message is of ${last.role}, not of ${expect.role}`
  const tool = last.role === 'tool' ? last.tool : undefined
  if (expect.tool !== undefined && tool !== expect.tool)
    return `the last message is ${tool === undefined ? 'not the result of a tool' : `of ${tool}`}, not of ${expect.tool}`
  const failed = last.role === 'tool' && last.error === true
  if (expect.error !== undefined && failed !== expect.error)
    return `the last message ${failed ? 'is' : 'is not'} a failure: ${excerpt(last)}`
  if (expect.contains === undefined) return null
  const text = textOf(last)
  const found =
    typeof expect.contains === 'string' ? text.includes(expect.contains) : text.search(expect.contains) >= 0
  return found ? null : `${String(expect.contains)} is not in the last message: ${excerpt(last)}`
}

function textOf(message: Message): string {
  if (message.role !== 'tool') return message.text
  return typeof message.result === 'string' ? message.result : JSON.stringify(message.result)
}

function excerpt(message: Message): string {
  const text = textOf(message)
  return text.length <= 300 ? text : `${text.slice(0, 299)}…`
}
