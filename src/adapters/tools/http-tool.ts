import type { Json, JsonObject } from '../../document/issue.ts'
import type { PlannedTool } from '../../plan/plan.ts'
import type { SecretGrant } from '../../policy/secret-grant.ts'
import { ToolFailure, type ToolPort } from '../../run/ports.ts'
import { causeOf, GateRefusal, networkCodeOf, ResponseTooLarge } from '../net/gate-refusal.ts'
import { redactor, shorten } from '../net/shorten.ts'
import { authorizeTool } from './tool-auth.ts'

export interface HttpToolOptions {
  /** Must be the guarded one: endpoints come out of documents. */
  readonly fetch: typeof fetch
  readonly env: Readonly<Record<string, string | undefined>>
  readonly secrets: readonly SecretGrant[]
}

/**
 * Calls tools over HTTP: the arguments are the JSON body of a POST, or of the method that the operator set; with
 * GET and HEAD they are the query (AAIF §4.4). The call's key goes along as `Idempotency-Key`.
 */
export function createHttpTool({ fetch, env, secrets }: HttpToolOptions): ToolPort {
  return {
    async call({ tool, args, key }, { signal }) {
      signal.throwIfAborted()
      const method = (tool.method ?? 'POST').toUpperCase()
      const url = URL.parse(tool.endpoint ?? '')
      if (url === null) {
        throw new ToolFailure(
          'TOOL_ENDPOINT_INVALID',
          `${tool.name} has no endpoint that can be called`,
          'unsent',
        )
      }
      const headers = new Headers({ accept: 'application/json, text/*;q=0.8', 'idempotency-key': key })
      const secret = authorizeTool(tool, url, headers, env, secrets)
      const redact = redactor(
        secret === undefined ? [] : [secret, headers.get('authorization')?.split(' ')[1]],
      )
      const inQuery = method === 'GET' || method === 'HEAD'
      if (inQuery) putInQuery(url, args)
      else headers.set('content-type', 'application/json')
      try {
        const init = { method, headers, signal, ...(!inQuery && { body: JSON.stringify(args) }) }
        return await readResult(tool, await fetch(url, init))
      } catch (error) {
        signal.throwIfAborted()
        const { code, message, outcome } = asFailure(tool, error)
        throw new ToolFailure(code, redact(message), outcome)
      }
    },
  }
}

/** Lists repeat their name; objects are written as JSON. */
function putInQuery(url: URL, args: JsonObject): void {
  for (const [name, value] of Object.entries(args)) {
    for (const item of Array.isArray(value) ? (value as readonly Json[]) : [value]) {
      url.searchParams.append(name, typeof item === 'string' ? item : JSON.stringify(item))
    }
  }
}

async function readResult(tool: PlannedTool, response: Response): Promise<Json> {
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

/** Errors that come before the first byte of the request has left. */
const NEVER_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
])

function asFailure(tool: PlannedTool, error: unknown): ToolFailure {
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
  const unsent = badPort || (code !== undefined && NEVER_SENT.has(code))
  const why = code ?? (error instanceof Error ? shorten(error.message) : 'unknown error')
  const what = unsent ? 'cannot be reached' : 'gave no answer; it may have acted on the call'
  return new ToolFailure('TOOL_UNREACHABLE', `${tool.name} ${what} (${why})`, unsent ? 'unsent' : 'unknown')
}
