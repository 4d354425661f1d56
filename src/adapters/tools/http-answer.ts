import { decodeResponse } from '../../document/decode-response.ts'
import { defined } from '../../document/defined.ts'
import { parseExact } from '../../document/exact-numbers.ts'
import type { Json } from '../../document/json.ts'
import type { PlannedTool } from '../../plan/plan.ts'
import { ToolFailure } from '../../run/ports.ts'
import { causeOf, GateRefusal, networkCodeOf, neverLeft, ResponseTooLarge } from '../net/gate-refusal.ts'
import { type Redact, shorten } from '../net/shorten.ts'
import { madeWithout, outcomeOfStatus } from './call-outcome.ts'
import { toJsonData } from './json-data.ts'

export interface HttpCall {
  readonly tool: PlannedTool
  readonly url: URL
  readonly init: RequestInit & { readonly signal: AbortSignal }
  /** Must be the guarded fetch, because endpoints come from documents. */
  readonly fetch: typeof globalThis.fetch
  /** Removes the credential of the call from its errors. */
  readonly redact: Redact
}

/**
 * Performs the request of a call over HTTP, and returns its answer: JSON as data, other text as a string, an answer without
 * a body as its status and location. See `call-outcome.ts` for answers that cannot be used.
 * @throws ToolFailure; the reason of the signal
 */
export async function callOverHttp({ tool, url, init, fetch, redact }: HttpCall): Promise<Json> {
  try {
    const response = await fetch(url, init)
    const body = await readBody(response, init.signal)
    return hasFailed(response) ? fail(tool, response, body) : resultOf(tool, response, body)
  } catch (error) {
    init.signal.throwIfAborted()
    const { status } = causeOf(error, ResponseTooLarge) ?? {}
    // Its length was declared, so nothing of it was read.
    if (status !== undefined && status < 400)
      return madeWithout(tool, { code: 'TOOL_RESULT_TOO_LARGE', why: TOO_LARGE, seen: { status } })
    const { code, message, outcome } = asFailure(tool, error)
    throw new ToolFailure(code, redact(message), outcome)
  }
}

const TOO_LARGE = 'is larger than the limit'

/** 303 says that a write was made, and where its result is (RFC 9110 §15.4.4). */
function hasFailed({ ok, status }: Response): boolean {
  return !ok && status !== 303
}

interface Body {
  readonly bytes: Uint8Array
  /** Why it is only the beginning. */
  readonly cut?: unknown
}

/** How much of a body is kept that ends too early, or is too large. */
const BEGINNING_BYTES = 256 * 1024

/** Reads a body to its end, or to an error: the status has arrived, so the call has been answered. */
async function readBody({ body }: Response, signal: AbortSignal): Promise<Body> {
  const chunks: Uint8Array[] = []
  try {
    if (body !== null) for await (const chunk of body) chunks.push(chunk)
    return { bytes: Buffer.concat(chunks) }
  } catch (cut) {
    signal.throwIfAborted()
    return { bytes: Buffer.concat(chunks).subarray(0, BEGINNING_BYTES), cut }
  }
}

function fail(tool: PlannedTool, response: Response, { bytes, cut }: Body): never {
  const { status, headers } = response
  if (causeOf(cut, ResponseTooLarge) !== undefined) throw cut
  const detail = shorten(textOf(bytes, response) ?? '')
  const line = `${status} ${response.statusText}`.trim()
  const again = headers.get('retry-after')
  const wait = again === null ? '' : ` (retry-after: ${shorten(again)})`
  throw new ToolFailure(
    'TOOL_HTTP_STATUS',
    `${tool.name} answered ${line}${wait}${detail === '' ? '' : `: ${detail}`}`,
    outcomeOfStatus(status),
  )
}

function resultOf(tool: PlannedTool, response: Response, { bytes, cut }: Body): Json {
  const { status, headers } = response
  const head = { status, ...defined({ location: headers.get('location') ?? undefined }) }
  if (cut !== undefined) {
    const text = looseText(bytes)
    const isLarge = causeOf(cut, ResponseTooLarge) !== undefined
    const why = isLarge ? TOO_LARGE : `ended too early (${reasonOf(cut)})`
    const seen = { ...head, ...(text !== '' && { answer_begins: text }) }
    return madeWithout(tool, {
      code: isLarge ? 'TOOL_RESULT_TOO_LARGE' : 'TOOL_RESULT_INCOMPLETE',
      why: text === '' ? why : `${why}; its beginning is in answer_begins`,
      seen,
    })
  }
  const text = textOf(bytes, response)
  if (text === null) {
    const type = headers.get('content-type')
    return madeWithout(tool, {
      code: 'TOOL_RESULT_NOT_TEXT',
      why: 'is binary data, or text in an unknown encoding',
      seen: { ...head, bytes: bytes.byteLength, ...(type !== null && { content_type: type }) },
    })
  }
  if (text.trim() === '') return head
  if (!isJson(headers)) return text
  const value = dataIn(text)
  return value === null && (status !== 200 || head.location !== undefined) ? head : value
}

function isJson(headers: Headers): boolean {
  return /^application\/([\w.+-]+\+)?json\b/i.test(headers.get('content-type') ?? '')
}

/** Returns JSON as data; a text that is not JSON, or is nested too deeply, as it is. */
function dataIn(text: string): Json {
  try {
    return toJsonData(parseExact(text))
  } catch {
    return text
  }
}

/** Returns the text of a body. A text with invalid bytes has U+FFFD in their place. */
function textOf(bytes: Uint8Array, { headers }: Response): string | null {
  const type = headers.get('content-type')
  const text = decodeResponse(bytes, type)
  const isText = isJson(headers) || /^(text\/|application\/([\w.+-]+\+)?xml\b)/i.test(type ?? '')
  return text === null && isText ? looseText(bytes) || null : text
}

/** Returns the empty text for what is no text in UTF-8. */
function looseText(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes)
  return text.includes('\0') ? '' : text
}

/** Returns the failure of a call without an answer: whether it was sent, and the reason. */
function asFailure(tool: PlannedTool, error: unknown): ToolFailure {
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
  const large = causeOf(error, ResponseTooLarge)
  if (large !== undefined) {
    const outcome = outcomeOfStatus(large.status)
    return new ToolFailure('TOOL_RESULT_TOO_LARGE', `the answer of ${tool.name} ${TOO_LARGE}`, outcome)
  }
  // fetch refuses the ports on the block list of browsers.
  const badPort = error instanceof Error && error.cause instanceof Error && error.cause.message === 'bad port'
  const unsent = badPort || neverLeft(error)
  const what = unsent ? 'cannot be reached' : 'did not answer; the call may have taken effect'
  return new ToolFailure(
    'TOOL_UNREACHABLE',
    `${tool.name} ${what} (${reasonOf(error)})`,
    unsent ? 'unsent' : 'unknown',
  )
}

function reasonOf(error: unknown): string {
  return networkCodeOf(error) ?? (error instanceof Error ? shorten(error.message) : 'unknown error')
}
