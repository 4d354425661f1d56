import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/client'
import { parseExact } from '../../document/exact-numbers.ts'
import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import { outlineJson } from '../../document/json-outline.ts'
import { ASKED_BY } from './asked-by.ts'
import { ANSWER, type CallAnswer, UNREADABLE } from './call-answer.ts'
import { LOST_CODE } from './failure.ts'

/** Deeper values are given as text. */
const MAX_DEPTH = 150
/** The code of an error that has none (JSON-RPC 2.0 §5.1: from -32000 on, codes are those of the server). */
const SERVER_ERROR = -32_000
/** How much of an answer is kept that cannot be read, in UTF-16 units. */
const BEGINNING = 64 * 1024

/**
 * The requests of a connection that are not answered. A message with the id of one settles it at once, however odd it is:
 * the library would drop an answer that does not match its schemas, and the call would wait for its time limit. The answer
 * of a call reaches {@link CallAnswer} as the server has sent it; of other answers only optional nulls and forms are corrected.
 */
export class OpenRequests {
  /** By the text of the id: some servers answer with 3 as "3". */
  readonly #open = new Map<string, { readonly id: RequestId; readonly method: string }>()

  /** Notes a message that is sent. */
  sent(message: JSONRPCMessage | readonly JSONRPCMessage[]): void {
    if (Array.isArray(message)) {
      for (const one of message as readonly JSONRPCMessage[]) this.sent(one)
      return
    }
    const { id, method, params } = message as {
      id?: unknown
      method?: string
      params?: { requestId?: unknown }
    }
    if (method === 'notifications/cancelled') this.#open.delete(String(params?.requestId))
    else if (method !== undefined && (typeof id === 'number' || typeof id === 'string'))
      this.#open.set(String(id), { id, method })
  }

  /** Returns the ids of calls that are open. */
  calls(): readonly RequestId[] {
    return [...this.#open.values()].flatMap(({ id, method }) => (method === 'tools/call' ? [id] : []))
  }

  /**
   * Reads a text that should be a message, or a list of messages.
   * @param call the idempotency key of the call in whose answer it came, if it is known
   * @returns the messages for the library; none if it is something else, such as a line of a log
   */
  read(text: string, call?: string): readonly JSONRPCMessage[] {
    let value: Json
    try {
      value = parseExact(text)
    } catch {
      return this.#broken(text, 'is not valid JSON')
    }
    const messages = Array.isArray(value) ? (value as readonly Json[]) : [value]
    const deep = outlineJson(text, MAX_DEPTH).tooDeepAt === undefined ? undefined : text
    return messages.flatMap((message) => (isObject(message) ? this.#message(message, deep, call) : []))
  }

  /** Settles a call with what is known of its answer. */
  settle(id: RequestId, answer: CallAnswer): JSONRPCMessage {
    this.#open.delete(String(id))
    return {
      jsonrpc: '2.0',
      id,
      result: { resultType: 'complete', content: [], _meta: answer as unknown as Record<string, unknown> },
    }
  }

  /** A text that cannot be parsed settles the call whose id it has. */
  #broken(text: string, why: string): readonly JSONRPCMessage[] {
    if (!/^\s*[{[]/.test(text) || !/"(result|error)"\s*:/.test(text)) return []
    const id = this.idIn(text)
    if (id === undefined) return []
    return [this.settle(id, { [UNREADABLE]: { why, answer_begins: text.slice(0, BEGINNING) } })]
  }

  /** Returns the id of an open call that a broken text has. */
  idIn(text: string): RequestId | undefined {
    return this.calls().find((id) => new RegExp(`"id"\\s*:\\s*"?${id}(?:\\.0+)?"?\\s*[,}]`).test(text))
  }

  /** @param deep the text, if it is nested too deeply to be passed on as data */
  #message(
    message: JsonObject,
    deep: string | undefined,
    call: string | undefined,
  ): readonly JSONRPCMessage[] {
    const { id, method, params, result, error } = message
    if (typeof method === 'string') {
      if (deep !== undefined) return []
      const { params: _params, ...rest } = message
      const given = isObject(params) ? withoutNulls(params) : undefined
      const known = method === 'elicitation/create' ? askedIn(given, call) : given
      return [{ ...rest, jsonrpc: '2.0', ...(known !== undefined && { params: known }) } as never]
    }
    const open = typeof id === 'number' || typeof id === 'string' ? this.#open.get(String(id)) : undefined
    // The library ignores it.
    if (open === undefined) return []
    const hasError = error !== undefined && error !== null
    const hasResult = result !== undefined && result !== null
    if (hasError && !hasResult) {
      this.#open.delete(String(id))
      return [
        {
          jsonrpc: '2.0',
          id: open.id,
          error: readableError(deep === undefined ? error : deep.slice(0, BEGINNING)),
        },
      ]
    }
    if (open.method !== 'tools/call') {
      this.#open.delete(String(id))
      return [{ jsonrpc: '2.0', id: open.id, result: isObject(result) ? withoutNulls(result) : {} } as never]
    }
    if (deep !== undefined) {
      const answer = { why: 'is nested too deeply', answer_begins: deep.slice(0, BEGINNING) }
      return [this.settle(open.id, { [UNREADABLE]: answer })]
    }
    return [this.settle(open.id, { [ANSWER]: { result: result ?? null, ...(hasError && { error }) } })]
  }
}

/** Adds the call in whose answer a question came. A server must not name another one. */
function askedIn(params: JsonObject = {}, call: string | undefined): JsonObject {
  const { [ASKED_BY]: _claimed, ...meta } = isObject(params._meta) ? params._meta : {}
  return { ...params, _meta: { ...meta, ...(call !== undefined && { [ASKED_BY]: call }) } }
}

/** Some servers write null for optional members. */
function withoutNulls(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null))
}

function readableError(error: Json): { code: number; message: string; data?: unknown } {
  const { code, message, data } = isObject(error) ? error : {}
  const isOwn = code === LOST_CODE
  const text =
    typeof message === 'string' ? message : typeof error === 'string' ? error : JSON.stringify(error)
  return {
    code: typeof code === 'number' && Number.isSafeInteger(code) && !isOwn ? code : SERVER_ERROR,
    message: text,
    ...(data !== undefined && data !== null && { data }),
  }
}
