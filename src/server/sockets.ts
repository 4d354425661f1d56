import { on, once } from 'node:events'
import { type IncomingHttpHeaders, type IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type * as Ws from 'ws'
import { WaybillError } from '../document/issue.ts'
import type { Problem } from '../http/problem.ts'
import { handoffFailed } from '../state/stream/read-handoff.ts'
import { MAX_LINE_BYTES } from '../state/stream/write-handoff.ts'

/** How long the next message may take, in milliseconds. */
const IDLE_MS = 30_000
/** Messages that are received before the one that is handled; then the connection is not read. */
const AHEAD = 2

/** Codes of RFC 6455, section 7.4.1. */
const DONE = 1000
const REFUSED = 1008
const FAILED = 1011

interface Upgrade {
  readonly socket: Duplex
  readonly head: Buffer
}

/**
 * WebSockets of the server. A request for one passes the same checks as all others (host, token, role, scope) and its
 * route, before the protocol is changed; a refusal is an HTTP answer.
 */
export class Sockets {
  readonly #paths: readonly string[]
  readonly #problemOf: (error: unknown) => Problem
  readonly #upgrades = new WeakMap<IncomingMessage, Upgrade>()

  /** @param paths those that open WebSockets: other requests to change the protocol are answered as if they had not asked */
  constructor(paths: readonly string[], problemOf: (error: unknown) => Problem) {
    this.#paths = paths
    this.#problemOf = problemOf
  }

  isWanted({ method, url = '', headers }: IncomingMessage): boolean {
    const [path = ''] = url.split('?')
    return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket' && this.#paths.includes(path)
  }

  serve(app: FastifyInstance): void {
    app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      this.#upgrades.set(request, { socket, head })
      socket.on('error', () => socket.destroy())
      const response = new ServerResponse(request)
      response.assignSocket(socket as Parameters<typeof response.assignSocket>[0])
      response.shouldKeepAlive = false
      response.on('finish', () => socket.end())
      app.routing(request, response)
    })
  }

  /**
   * Changes the protocol, and passes the messages on as lines.
   * @param act its result is the last message
   * @param admit counts the WebSocket; returns what is called at its end
   * @throws REQUESTS_EXCEEDED
   */
  async accept(
    request: FastifyRequest,
    reply: FastifyReply,
    act: (input: AsyncIterable<Uint8Array>) => Promise<unknown>,
    { admit, stopping }: { readonly admit: () => () => void; readonly stopping: AbortSignal },
  ): Promise<FastifyReply> {
    const upgrade = this.#upgrades.get(request.raw)
    if (upgrade === undefined) throw new TypeError('the server did not change the protocol')
    const done = admit()
    try {
      const { WebSocketServer } = await import('ws')
      const { socket, head } = upgrade
      reply.hijack()
      reply.raw.detachSocket(socket as Parameters<typeof reply.raw.detachSocket>[0])
      const server = new WebSocketServer({
        noServer: true,
        perMessageDeflate: false,
        maxPayload: MAX_LINE_BYTES,
      })
      const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
      server.handleUpgrade(request.raw, socket, head, (opened) => {
        this.#answer(opened, act, stopping).catch(() => opened.terminate())
      })
      await closed
    } finally {
      done()
    }
    return reply
  }

  async #answer(
    socket: Ws.WebSocket,
    act: (input: AsyncIterable<Uint8Array>) => Promise<unknown>,
    stopping: AbortSignal,
  ): Promise<void> {
    socket.on('error', () => {})
    const end = (code: number, last: unknown) =>
      socket.send(JSON.stringify(last), () => {
        socket.close(code)
        // What was sent meanwhile is read and dropped, so that the other side can close.
        socket.resume()
      })
    try {
      end(DONE, await act(linesOf(socket, stopping)))
    } catch (error) {
      const problem = this.#problemOf(error)
      end(problem.status < 500 ? REFUSED : FAILED, problem)
    }
  }
}

async function* linesOf(socket: Ws.WebSocket, stopping: AbortSignal): AsyncGenerator<Uint8Array> {
  const idle = new AbortController()
  const signal = AbortSignal.any([stopping, idle.signal])
  const messages = on(socket, 'message', {
    signal,
    close: ['close'],
    highWaterMark: AHEAD,
    lowWaterMark: 1,
  })
  try {
    for (let isLast = false; ; ) {
      const timer = setTimeout(() => idle.abort(), IDLE_MS)
      const message = messages.next()
      const next = await (isLast ? Promise.race([message, answeredPing(socket)]) : message).finally(() =>
        clearTimeout(timer),
      )
      if (next.done === true) return
      const line = lineOf(next.value as [Buffer, boolean])
      isLast = isComplete(line)
      yield line
    }
  } catch (error) {
    if (stopping.aborted) throw stopping.reason
    if (idle.signal.aborted)
      throw handoffFailed(`no message arrived within ${IDLE_MS / 1000} s`, 'AAIF-8.3-11')
    if (error instanceof WaybillError) throw error
    throw handoffFailed(`the WebSocket failed: ${(error as Error).message}`, 'AAIF-8.3-02')
  } finally {
    await messages.return?.()
  }
}

/**
 * A WebSocket has no end that leaves room for an answer. The other side answers a ping in the order of its messages, so
 * what it has sent after `handoff_complete` arrives before the answer, and is refused.
 */
async function answeredPing(socket: Ws.WebSocket): Promise<{ readonly done: true }> {
  const pong = once(socket, 'pong')
  socket.ping()
  await pong
  return { done: true }
}

function isComplete(line: Buffer): boolean {
  if (!line.includes('handoff_complete')) return false
  try {
    return JSON.parse(String(line)).type === 'handoff_complete'
  } catch {
    return false
  }
}

const LINE_FEED = Buffer.from('\n')

/** @throws HANDOFF_FAILED for a message that is not one line of text */
function lineOf([data, isBinary]: [Buffer, boolean]): Buffer {
  if (isBinary) throw handoffFailed('a message of the WebSocket is not text', 'AAIF-8.3-01')
  if (data.includes(LINE_FEED[0] as number))
    throw handoffFailed('a message of the WebSocket has several lines', 'AAIF-8.3-02')
  return Buffer.concat([data, LINE_FEED])
}

/** @throws REQUEST_INVALID for a request that does not ask for a WebSocket */
export function assertAsksForSocket({ upgrade }: IncomingHttpHeaders): void {
  if (upgrade?.toLowerCase() === 'websocket') return
  throw new WaybillError('REQUEST_INVALID', {
    message: 'this request opens a WebSocket, and it does not ask for one',
    hint: 'open wss://…/v1/handoff with a WebSocket client, or send the handoff with POST',
  })
}
