import { decodeResponse } from '../../document/decode-response.ts'
import type { Json } from '../../document/json.ts'
import { messageOf } from '../../document/message-of.ts'
import type { PlannedTool } from '../../plan/plan.ts'
import { ToolFailure } from '../../run/ports.ts'
import { causeOf, GateRefusal, networkCodeOf, neverLeft, ResponseTooLarge } from '../net/gate-refusal.ts'
import { shorten } from '../net/shorten.ts'
import { toJsonData } from './json-data.ts'

/**
 * Returns the HTTP answer of a tool: JSON as data, other text as a string, an empty body as null.
 * @throws ToolFailure for an error status, for binary data, and for JSON that is nested too deeply
 */
export async function readResult(tool: PlannedTool, response: Response): Promise<Json> {
  if (!response.ok) {
    const detail = shorten(textOf(await response.arrayBuffer(), response) ?? '')
    const status = `${response.status} ${response.statusText}`.trim()
    // After a gateway timeout it is unknown whether the tool continued.
    const outcome = response.status === 502 || response.status === 504 ? 'unknown' : 'answered'
    const message = `${tool.name} answered ${status}${detail === '' ? '' : `: ${detail}`}`
    throw new ToolFailure('TOOL_HTTP_STATUS', message, outcome)
  }
  const bytes = await response.arrayBuffer()
  if (bytes.byteLength === 0) return null
  const text = textOf(bytes, response)
  if (text === null) {
    const what = 'binary data, or text in an unknown encoding'
    throw new ToolFailure('TOOL_RESULT_NOT_TEXT', `${tool.name} answered with ${what}`, 'answered')
  }
  if (!/^application\/([\w.+-]+\+)?json\b/i.test(response.headers.get('content-type') ?? '')) return text
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new ToolFailure(
      'TOOL_RESULT_NOT_JSON',
      `${tool.name} declared JSON but answered: ${shorten(text)}`,
      'answered',
    )
  }
  try {
    return toJsonData(value)
  } catch (error) {
    const message = `the answer of ${tool.name} cannot be used: ${shorten(messageOf(error))}`
    throw new ToolFailure('TOOL_RESULT_NOT_JSON', message, 'answered')
  }
}

function textOf(bytes: ArrayBuffer, { headers }: Response): string | null {
  return decodeResponse(new Uint8Array(bytes), headers.get('content-type'))
}

/** Returns the failure of a call without an answer: whether it was sent, and the reason. */
export function asFailure(tool: PlannedTool, error: unknown): ToolFailure {
  if (error instanceof ToolFailure) return error
  const refusal = causeOf(error, GateRefusal)
  if (refusal !== undefined) {
    const call = refusal.unsent
      ? `${tool.name} was not called`
      : `the redirect of ${tool.name} was not followed`
    return new ToolFailure(
      refusal.code,
      `${call}: ${refusal.message}`,
      refusal.unsent ? 'unsent' : 'answered',
    )
  }
  if (causeOf(error, ResponseTooLarge) !== undefined) {
    return new ToolFailure(
      'TOOL_RESULT_TOO_LARGE',
      `the answer of ${tool.name} is larger than the limit`,
      'answered',
    )
  }
  const code = networkCodeOf(error)
  // fetch refuses the ports on the block list of browsers.
  const badPort = error instanceof Error && error.cause instanceof Error && error.cause.message === 'bad port'
  const unsent = badPort || neverLeft(error)
  const why = code ?? (error instanceof Error ? shorten(error.message) : 'unknown error')
  const what = unsent ? 'cannot be reached' : 'did not answer; the call may have taken effect'
  return new ToolFailure('TOOL_UNREACHABLE', `${tool.name} ${what} (${why})`, unsent ? 'unsent' : 'unknown')
}
