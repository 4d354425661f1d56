import { parseExact } from '../../document/exact-numbers.ts'
import { isObject, type Json, type JsonObject, valueAt } from '../../document/json.ts'
import type { PlannedTool } from '../../plan/plan.ts'
import { ToolFailure } from '../../run/ports.ts'
import { type Redact, shorten } from '../net/shorten.ts'
import { madeWithout } from '../tools/call-outcome.ts'
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
 * @throws ToolFailure MCP_TOOL_ERROR if the tool says that it has failed; MCP_CALL_REFUSED if the server asks a question first
 */
export function resultOfCall(answer: Partial<Record<string, Json>>, tool: PlannedTool, redact: Redact): Json {
  const unreadable = answer[UNREADABLE]
  if (isObject(unreadable)) {
    const { why, ...seen } = unreadable
    return madeWithout(tool, { code: 'MCP_RESULT_INVALID', why: String(why), seen })
  }
  const { result = null, error } = answer[ANSWER] as { readonly result?: Json; readonly error?: Json }
  const question = isObject(result) ? questionIn(result) : undefined
  if (question !== undefined)
    throw new ToolFailure(
      'MCP_CALL_REFUSED',
      `the server has not made the call of ${tool.name}: it asks a question first, which cannot be answered here${redact(shorten(question))}`,
      'answered',
    )
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

/** Returns the text of the questions that a server asks within a call; undefined if it has made the call. */
function questionIn({ resultType, inputRequests }: JsonObject): string | undefined {
  if (resultType !== 'input_required') return undefined
  const texts = Object.values(isObject(inputRequests) ? inputRequests : {}).flatMap((asked) => {
    const text = valueAt(asked ?? null, '/params/message')
    return typeof text === 'string' ? [text] : []
  })
  return texts.length === 0 ? '' : `: ${texts.join('; ')}`
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
