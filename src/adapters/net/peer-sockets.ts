import type { IncomingMessage } from 'node:http'
import type * as Ws from 'ws'
import { defined } from '../../document/defined.ts'
import { type Grants, judgeConnection } from '../../policy/endpoint-gate.ts'
import { believedAuthorities } from './authorities.ts'
import { GateRefusal } from './gate-refusal.ts'
import { checkedLookup, type GuardedFetchOptions } from './guarded-fetch.ts'

/** The largest answer of another platform, in bytes. */
const MOST_BYTES = 4 * 1024 * 1024
const HANDSHAKE_MS = 10_000
const OPEN = 1

interface Answer {
  readonly status: number
  readonly text: string
}

/**
 * Returns a function that opens a WebSocket through the endpoint gate, sends texts as messages, and returns the last
 * message of the other side: an answer of 201, or a problem with its status.
 */
export function createPeerSockets(
  grants: Grants,
  options: Pick<GuardedFetchOptions, 'lookup'> = {},
): (
  url: string,
  options: {
    readonly headers: Readonly<Record<string, string>>
    readonly body: AsyncIterable<string>
    readonly signal: AbortSignal
  },
) => Promise<Answer> {
  return async (url, { headers, body, signal }) => {
    const verdict = judgeConnection(url, grants)
    if (!verdict.allowed) throw new GateRefusal(verdict.code, verdict.reason, verdict.hint)
    const target = verdict.url
    // A token may never be sent in plain text.
    if (target.protocol !== 'https:') throw new TypeError('only https URLs are opened as WebSockets')
    const { WebSocket } = await import('ws')
    const socket = new WebSocket(new URL(target.href.replace(/^https/, 'wss')), {
      headers,
      followRedirects: false,
      handshakeTimeout: HANDSHAKE_MS,
      maxPayload: MOST_BYTES,
      perMessageDeflate: false,
      lookup: checkedLookup({ grants, ...options }, Number(target.port || 443)),
      ...defined({ ca: believedAuthorities(grants) }),
    })
    const abort = () => socket.terminate()
    signal.addEventListener('abort', abort, { once: true })
    try {
      if (signal.aborted) abort()
      return await exchanged(socket, body)
    } catch (error) {
      throw signal.aborted ? signal.reason : error
    } finally {
      signal.removeEventListener('abort', abort)
      socket.terminate()
    }
  }
}

/** Sends the texts one by one, as the connection takes them, until there is an answer. */
function exchanged(socket: Ws.WebSocket, body: AsyncIterable<string>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let last: string | undefined
    socket.on('message', (data, isBinary) => {
      if (!isBinary) last = String(data)
    })
    socket.on('unexpected-response', (_request, response) => readAnswer(response).then(resolve, reject))
    socket.on('error', reject)
    socket.on('close', (code) => {
      if (last === undefined)
        reject(new Error(`the WebSocket was closed with code ${code} and without an answer`))
      else resolve({ status: statusOf(last), text: last })
    })
    socket.on('open', () => {
      send(socket, body).catch((error) => {
        // The other side has answered before it has read everything.
        if (socket.readyState === OPEN) reject(error)
      })
    })
  })
}

async function send(socket: Ws.WebSocket, body: AsyncIterable<string>): Promise<void> {
  for await (const line of body) {
    if (socket.readyState !== OPEN) return
    // Resolves when the connection has taken the message: a slow receiver slows down the sender.
    await new Promise<void>((resolve, reject) =>
      socket.send(line.trimEnd(), (error) => (error == null ? resolve() : reject(error))),
    )
  }
}

/** A problem names its status; another answer is that of a request that made a run. */
function statusOf(text: string): number {
  try {
    const { code, status } = JSON.parse(text)
    return typeof code === 'string' && typeof status === 'number' ? status : 201
  } catch {
    return 502
  }
}

async function readAnswer(response: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response) {
    size += (chunk as Buffer).byteLength
    if (size > MOST_BYTES) throw new Error(`the answer has more than ${MOST_BYTES} bytes`)
    chunks.push(chunk as Buffer)
  }
  return { status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }
}
