import type { Json } from '../../document/json.ts'
import type { PlannedTool } from '../../plan/plan.ts'
import { ToolFailure } from '../../run/ports.ts'
import { causeOf, GateRefusal, networkCodeOf, neverLeft, ResponseTooLarge } from '../net/gate-refusal.ts'
import { shorten } from '../net/shorten.ts'

/**
 * What a tool answered over HTTP: JSON as data, other text as text, nothing as null.
 * @throws ToolFailure for a status that is no success, and for what is neither
 */
export async function readResult(tool: PlannedTool, response: Response): Promise<Json> {
  if (!response.ok) {
    const said = shorten(await response.text())
    const status = `${response.status} ${response.statusText}`.trim()
    // A gateway that gave up on the tool does not know whether the tool went on.
    const outcome = response.status === 502 || response.status === 504 ? 'unknown' : 'answered'
    const message = `${tool.name} answered ${status}${said === '' ? '' : `: ${said}`}`
    throw new ToolFailure('TOOL_HTTP_STATUS', message, outcome)
  }
  const bytes = await response.arrayBuffer()
  if (bytes.byteLength === 0) return null
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new ToolFailure(
      'TOOL_RESULT_NOT_TEXT',
      `${tool.name} answered with data that is no text`,
      'answered',
    )
  }
  if (!/^application\/([\w.+-]+\+)?json\b/i.test(response.headers.get('content-type') ?? '')) return text
  try {
    return JSON.parse(text)
  } catch {
    throw new ToolFailure(
      'TOOL_RESULT_NOT_JSON',
      `${tool.name} announced JSON but answered: ${shorten(text)}`,
      'answered',
    )
  }
}

/** What is known about a call that gave no answer: whether it left, and why. */
export function asFailure(tool: PlannedTool, error: unknown): ToolFailure {
  if (error instanceof ToolFailure) return error
  const refusal = causeOf(error, GateRefusal)
  if (refusal !== undefined) {
    const call = refusal.unsent
      ? `${tool.name} was not called`
      : `the answer of ${tool.name} was not followed`
    return new ToolFailure(
      refusal.code,
      `${call}: ${refusal.message}`,
      refusal.unsent ? 'unsent' : 'answered',
    )
  }
  if (causeOf(error, ResponseTooLarge) !== undefined) {
    return new ToolFailure(
      'TOOL_RESULT_TOO_LARGE',
      `${tool.name} gave an answer larger than this host reads`,
      'answered',
    )
  }
  const code = networkCodeOf(error)
  // Browsers' list of ports that no HTTP server lives on, which fetch obeys.
  const badPort = error instanceof Error && error.cause instanceof Error && error.cause.message === 'bad port'
  const unsent = badPort || neverLeft(error)
  const why = code ?? (error instanceof Error ? shorten(error.message) : 'unknown error')
  const what = unsent ? 'cannot be reached' : 'gave no answer; it may have acted on the call'
  return new ToolFailure('TOOL_UNREACHABLE', `${tool.name} ${what} (${why})`, unsent ? 'unsent' : 'unknown')
}
