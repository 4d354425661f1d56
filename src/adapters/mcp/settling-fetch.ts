import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/client'
import { messageOf } from '../../document/message-of.ts'
import { shorten } from '../net/shorten.ts'
import { KEY } from './asked-by.ts'
import { UNREADABLE } from './call-answer.ts'
import type { OpenRequests } from './open-requests.ts'

export interface SettlingFetchOptions {
  readonly fetch: typeof globalThis.fetch
  readonly open: OpenRequests
  /** Whether the answer to a POST answers its requests; else answers come over a stream of their own. */
  readonly answersInPost: boolean
}

/** How much of an answer is shown that is not a message, in UTF-16 units. */
const BEGINNING = 64 * 1024

/**
 * Returns a fetch for the transports of the library, whose answers are the messages that {@link OpenRequests} reads. An
 * answer with a status of success settles the call of its request, whatever its type and body are.
 */
export function settlingFetch({ fetch, open, answersInPost }: SettlingFetchOptions): typeof globalThis.fetch {
  let hasStream = false
  return (async (input, init) => {
    const posted = init?.method === 'POST' && typeof init.body === 'string' ? init.body : undefined
    const sent = posted === undefined ? [] : messagesIn(posted)
    open.sent(sent)
    const response = await fetch(input, init)
    const isStream = /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '')
    if (response.ok && isStream && response.body !== null) {
      hasStream ||= posted === undefined
      return copied(response, response.body.pipeThrough(readEvents(open, keyOfCall(sent))))
    }
    const [call] = sent.flatMap((message) =>
      'method' in message && message.method === 'tools/call' && 'id' in message ? [message.id] : [],
    )
    if (posted === undefined || !answersInPost) return response
    if (response.status === 202 && (call === undefined || hasStream)) return response
    const { text, cut } = await readText(response)
    const messages = messagesOf(open, text)
    const settles = (id: RequestId) => messages.some((message) => 'id' in message && message.id === id)
    if (!response.ok) {
      // A session that has ended is opened again, and the call is sent in it.
      const isSession = response.status === 404 || (response.status === 400 && /session/i.test(text))
      return call !== undefined && settles(call) && !isSession
        ? jsonOf(response, messages)
        : copied(response, text)
    }
    if (call !== undefined && !settles(call)) {
      const { status } = response
      const type = response.headers.get('content-type')
      const seen = { status, ...(text !== '' && { answer: text.slice(0, BEGINNING) }) }
      const why =
        cut !== undefined
          ? `ended too early (${cut})`
          : text.trim() === ''
            ? 'has no body'
            : `is not a message of MCP${type === null ? '' : ` (${shorten(type)})`}`
      return jsonOf(response, [...messages, open.settle(call, { [UNREADABLE]: { why, ...seen } })])
    }
    return messages.length === 0 ? copied(response, text) : jsonOf(response, messages)
  }) as typeof globalThis.fetch
}

function messagesIn(body: string): readonly JSONRPCMessage[] {
  const value = JSON.parse(body) as JSONRPCMessage | readonly JSONRPCMessage[]
  return Array.isArray(value) ? value : [value as JSONRPCMessage]
}

/** Returns the idempotency key of the call in a request, for the questions that its answer brings. */
function keyOfCall(sent: readonly JSONRPCMessage[]): string | undefined {
  const [call] = sent.flatMap((message) =>
    'method' in message && message.method === 'tools/call' ? [message.params?._meta] : [],
  )
  const key = call?.[KEY]
  return typeof key === 'string' ? key : undefined
}

/** Also of a stream of events that is declared as something else. */
function messagesOf(open: OpenRequests, text: string): readonly JSONRPCMessage[] {
  if (!/^(data|event|id|retry)?:/.test(text)) return open.read(text)
  return text.split(EVENT_END).flatMap((event) => open.read(dataOf(event)))
}

async function readText(response: Response): Promise<{ readonly text: string; readonly cut?: string }> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    if (response.body !== null)
      for await (const chunk of response.body) text += decoder.decode(chunk, { stream: true })
    return { text: text + decoder.decode() }
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') throw error
    return { text, cut: shorten(messageOf(error)) }
  }
}

/** With the headers of the answer, which may name the session. */
function jsonOf({ headers }: Response, messages: readonly JSONRPCMessage[]): Response {
  const own = new Headers(headers)
  for (const name of ['content-length', 'content-encoding']) own.delete(name)
  own.set('content-type', 'application/json')
  return new Response(JSON.stringify(messages.length === 1 ? messages[0] : messages), { headers: own })
}

function copied(
  { status, statusText, headers }: Response,
  body: ReadableStream<Uint8Array> | string,
): Response {
  const own = new Headers(headers)
  for (const name of ['content-length', 'content-encoding']) own.delete(name)
  const isEmpty = status === 204 || status === 205 || status === 304
  return new Response(isEmpty ? null : body, { status, statusText, headers: own })
}

const EVENT_END = /(?:\r\n|\r(?!\n)|\n){2}/

/** Replaces the data of events with the messages in it. */
function readEvents(open: OpenRequests, call: string | undefined): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  let rest = ''
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      rest += decoder.decode(chunk, { stream: true })
      // The second half of a line break may follow.
      if (rest.endsWith('\r')) return
      const events = rest.split(EVENT_END)
      rest = events.pop() ?? ''
      for (const event of events) controller.enqueue(encoder.encode(`${eventOf(open, event, call)}\n\n`))
    },
    // A stream that breaks off ends its last event, as the message in it may be complete.
    flush(controller) {
      const last = (rest + decoder.decode()).replace(/[\r\n]+$/, '')
      if (last !== '') controller.enqueue(encoder.encode(`${eventOf(open, last, call)}\n\n`))
    },
  })
}

function eventOf(open: OpenRequests, event: string, call: string | undefined): string {
  const lines = event.split(/\r\n|\r|\n/)
  const type =
    lines
      .find((line) => line.startsWith('event:'))
      ?.slice(6)
      .trim() ?? 'message'
  if (type !== 'message' && type !== '') return lines.join('\n')
  const messages = open.read(dataOf(event), call)
  if (messages.length === 0) return lines.join('\n')
  const others = lines.filter((line) => !/^data(:|$)/.test(line))
  return messages
    .map((message, index) => [...(index === 0 ? others : []), `data: ${JSON.stringify(message)}`].join('\n'))
    .join('\n\n')
}

function dataOf(event: string): string {
  return event
    .split(/\r\n|\r|\n/)
    .flatMap((line) => (/^data(:|$)/.test(line) ? [line.slice(5).replace(/^ /, '')] : []))
    .join('\n')
}
