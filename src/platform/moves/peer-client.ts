import { WaybillError } from '../../document/issue.ts'
import { isObject, type JsonObject } from '../../document/json.ts'
import { strictJson } from '../../document/strict-json.ts'
import type { PeerAddress } from './peer-rows.ts'

export type PeerBody = string | Uint8Array | AsyncIterable<string>

/** Sends requests to other platforms. Implemented by an adapter, through the endpoint gate. */
export interface PeerPort {
  /** @throws if there is no answer */
  request(
    url: string,
    options: {
      readonly method: string
      readonly headers: Readonly<Record<string, string>>
      /** Texts are sent one by one, as the receiver takes them. */
      readonly body?: PeerBody
      readonly signal: AbortSignal
    },
  ): Promise<{ readonly status: number; readonly text: string }>
  /**
   * Absent: this host opens none. Opens a WebSocket and sends each text as a message. @returns the last message of the other side, with the status that it
   * would have as an answer
   * @throws if there is none
   */
  socket?(
    url: string,
    options: {
      readonly headers: Readonly<Record<string, string>>
      readonly body: AsyncIterable<string>
      readonly signal: AbortSignal
    },
  ): Promise<{ readonly status: number; readonly text: string }>
}

/** An answer of another platform. `problem`: it is an error, in the form of problem+json. */
export type PeerAnswer =
  | { readonly status: number; readonly json: JsonObject }
  | { readonly status: number; readonly problem: { readonly code: string; readonly message: string } }

export interface PeerRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly body?: PeerBody
  readonly mediaType?: string
  /** The lines of the body are sent as messages of a WebSocket. */
  readonly socket?: boolean
  readonly signal: AbortSignal
}

/** How long a request to another platform may take, in milliseconds; of a stream: since its last line was taken. */
const TIMEOUT_MS = 20_000
/** The same for the answer to a stream, which the receiver stores first. */
const STREAM_ANSWER_MS = 60_000

/** @throws PEER_UNREACHABLE if there is no answer that says anything */
export async function askPeer(
  port: PeerPort,
  { name, url, token }: PeerAddress,
  { method, path, body, mediaType = 'application/json', socket = false, signal: given }: PeerRequest,
): Promise<PeerAnswer> {
  let answer: { readonly status: number; readonly text: string }
  const patience = new Patience(body !== undefined && isLines(body) ? STREAM_ANSWER_MS : TIMEOUT_MS)
  const signal = AbortSignal.any([given, patience.signal])
  const authorization = `Bearer ${token}`
  const address = new URL(path, url).href
  try {
    answer =
      socket && body !== undefined && isLines(body) && port.socket !== undefined
        ? await port.socket(address, { headers: { authorization }, body: patience.with(body), signal })
        : await port.request(address, {
            method,
            headers: {
              authorization,
              accept: 'application/json',
              ...(body !== undefined && { 'content-type': mediaType }),
            },
            ...(body !== undefined && { body: isLines(body) ? patience.with(body) : body }),
            signal,
          })
  } catch (cause) {
    throw unreachable(name, url, reasonOf(cause), cause)
  } finally {
    patience.end()
  }
  const json = parsed(answer.text)
  if (answer.status >= 200 && answer.status < 300 && json !== null) return { status: answer.status, json }
  if (answer.status >= 400 && answer.status < 500 && json !== null && typeof json.code === 'string') {
    const message = typeof json.detail === 'string' ? json.detail : json.code
    return { status: answer.status, problem: { code: json.code, message: message.slice(0, 1000) } }
  }
  throw unreachable(name, url, `it answered with status ${answer.status}`)
}

/** Aborts a request that makes no progress. */
class Patience {
  readonly #controller = new AbortController()
  readonly #answerMs: number
  #timer: NodeJS.Timeout

  constructor(answerMs: number) {
    this.#answerMs = answerMs
    this.#timer = this.#within(TIMEOUT_MS)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Passes lines on, and waits as long again after each one that is taken. */
  async *with(lines: AsyncIterable<string>): AsyncGenerator<string> {
    for await (const line of lines) {
      this.#again(TIMEOUT_MS)
      yield line
    }
    this.#again(this.#answerMs)
  }

  end(): void {
    clearTimeout(this.#timer)
  }

  #again(ms: number): void {
    clearTimeout(this.#timer)
    if (!this.signal.aborted) this.#timer = this.#within(ms)
  }

  #within(ms: number): NodeJS.Timeout {
    return setTimeout(
      () => this.#controller.abort(new DOMException('there was no progress', 'TimeoutError')),
      ms,
    )
  }
}

function isLines(body: PeerBody): body is AsyncIterable<string> {
  return typeof body === 'object' && Symbol.asyncIterator in body
}

/**
 * Returns whether a refusal says something about this request: those about the moment, and about the token of the
 * operator, are tried again.
 */
export function isFinal({ status }: { readonly status: number }): boolean {
  return status !== 401 && status !== 408 && status !== 421 && status !== 429
}

function parsed(text: string): JsonObject | null {
  try {
    const json = strictJson(text)
    return isObject(json) ? json : null
  } catch {
    return null
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'it did not answer in time'
  const { cause } = error as { readonly cause?: { readonly code?: unknown; readonly message?: unknown } }
  const code = cause?.code ?? (error as { readonly code?: unknown }).code
  if (typeof code === 'string') return code
  // The message of fetch itself is "fetch failed".
  if (typeof cause?.message === 'string') return cause.message
  return error instanceof Error ? error.message : String(error)
}

function unreachable(name: string, url: string, why: string, cause?: unknown): WaybillError {
  return new WaybillError('PEER_UNREACHABLE', {
    fault: 'failed',
    message: `the platform ${name} at ${url} cannot be used: ${why.slice(0, 300)}`,
    hint: 'check its URL and that it runs; a private host must be in allow_hosts, a private authority in ca_files',
    cause,
  })
}
