import { parseExact } from '../../document/exact-numbers.ts'
import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import type { PlannedTool } from '../../plan/plan.ts'
import { ToolFailure, ToolQuestions } from '../../run/ports.ts'
import { type Redact, shorten } from '../net/shorten.ts'
import { madeWithout } from '../tools/call-outcome.ts'
import { readInputRequired, UnaskedQuestion } from './read-questions.ts'
import { contentText } from './result-content.ts'

export const ANSWER = 'waybill/answer'
export const UNREADABLE = 'waybill/unreadable'

/** The answer of a call as the server has sent it, in the `_meta` of the result that the library gets. */
export type CallAnswer =
  | { readonly [ANSWER]: { readonly result: Json; readonly error?: Json } }
  | { readonly [UNREADABLE]: { readonly why: string } & JsonObject }

/**
 * Returns the result of a call as data: its structured content, else its texts, else what it is. See `call-outcome.ts` for
 * what cannot be read.
 * @throws ToolFailure MCP_TOOL_ERROR if the tool says that it has failed; MCP_CALL_REFUSED if the server asks first for what
 * cannot be given
 * @throws Retry, ToolQuestions if the server asks a person something first
 */
export function resultOfCall(answer: Partial<Record<string, Json>>, tool: PlannedTool, redact: Redact): Json {
  const unreadable = answer[UNREADABLE]
  if (isObject(unreadable)) {
    const { why, ...seen } = unreadable
    return madeWithout(tool, { code: 'MCP_RESULT_INVALID', why: String(why), seen })
  }
  const { result = null, error } = answer[ANSWER] as { readonly result?: Json; readonly error?: Json }
  const asked = isObject(result) ? askedBy(result, tool, redact) : undefined
  if (asked !== undefined) throw asked
  if (isObject(result) && result.isError === true) {
    const detail = redact(shorten(contentText(result.content)))
    const reason = detail === '' ? 'it gave no reason' : detail
    throw new ToolFailure('MCP_TOOL_ERROR', `${tool.name} failed: ${reason}`, 'answered')
  }
  // A server must not send both: neither is dropped.
  if (error !== undefined) {
    const seen = { result: dataOf(result, tool), error }
    return madeWithout(tool, { code: 'MCP_RESULT_INVALID', why: 'has a result and an error', seen })
  }
  if (result === null) return madeWithout(tool, { code: 'MCP_RESULT_INVALID', why: 'has no result' })
  return dataOf(result, tool)
}

/** The server wants the same call again at once, with this state and without answers. */
export class Retry extends Error {
  override readonly name = 'Retry'
  readonly requestState: string | undefined

  constructor(requestState: string | undefined) {
    super('the server wants the same call again')
    this.requestState = requestState
  }
}

/** Returns what a server asks in place of a result; undefined if it has made the call. */
function askedBy(result: JsonObject, { name }: PlannedTool, redact: Redact): Error | undefined {
  try {
    const asked = readInputRequired(result)
    if (asked === undefined) return undefined
    const { questions, requestState } = asked
    return questions.length === 0 ? new Retry(requestState) : new ToolQuestions(questions, requestState)
  } catch (error) {
    if (!(error instanceof UnaskedQuestion)) throw error
    return notAsked(name, error, redact)
  }
}

/** Returns the failure of a call whose server asks for what cannot be given. */
export function notAsked(name: string, { message }: UnaskedQuestion, redact: Redact): ToolFailure {
  return new ToolFailure(
    'MCP_CALL_REFUSED',
    `the server has not made the call of ${name}: it ${redact(shorten(message))}`,
    'answered',
  )
}

function dataOf(result: Json, { output_schema }: PlannedTool): Json {
  if (!isObject(result)) return result
  const { content, structuredContent, toolResult, _meta, isError, resultType, ...rest } = result
  if (structuredContent !== undefined && structuredContent !== null) return structuredContent
  if (content !== undefined && content !== null) {
    if (Array.isArray(content) && content.length === 0) return null
    const text = contentText(content)
    return output_schema === undefined ? text : parsed(text)
  }
  // As in revision 2024-10-07.
  if (toolResult !== undefined && toolResult !== null) return toolResult
  return Object.keys(rest).length === 0 ? null : rest
}

/** A tool with an output schema may send its data as JSON in a text. */
function parsed(text: string): Json {
  try {
    return parseExact(text)
  } catch {
    return text
  }
}
