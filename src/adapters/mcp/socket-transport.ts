import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { type Dispatcher, WebSocket } from 'undici'
import { NotSent } from './failure.ts'
import { OpenRequests } from './open-requests.ts'

export interface SocketTransportOptions {
  readonly headers: Headers
  /** Must be the guarded connect: it checks the resolved address before it connects. */
  readonly dispatcher: Dispatcher
  /** Returns the reason why no connection was made, which the socket does not report. */
  readonly why: () => Error | undefined
}

const OPEN = 1

/** Implements MCP over a WebSocket, one message per frame, with the sub-protocol `mcp`. */
export class SocketTransport implements Transport {
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
  onmessage?: Transport['onmessage']
  readonly #url: string
  readonly #options: SocketTransportOptions
  readonly #open = new OpenRequests()
  #socket: WebSocket | null = null

  constructor(url: string, options: SocketTransportOptions) {
    this.#url = url
    this.#options = options
  }

  async start(): Promise<void> {
    const { headers, dispatcher } = this.#options
    const socket = new WebSocket(this.#url, {
      protocols: ['mcp'],
      dispatcher,
      headers: Object.fromEntries(headers),
    })
    this.#socket = socket
    socket.binaryType = 'arraybuffer'
    socket.addEventListener('message', ({ data }) => {
      const text = data instanceof ArrayBuffer ? new TextDecoder().decode(data) : String(data)
      try {
        for (const message of this.#open.read(text)) this.onmessage?.(message)
      } catch (error) {
        this.onerror?.(error as Error)
      }
    })
    socket.addEventListener('close', () => this.onclose?.())
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener('open', () => resolve(), { once: true })
      socket.addEventListener('error', ({ error, message }) => {
        const reason = message === '' ? 'the WebSocket was refused or interrupted' : message
        const failure = this.#options.why() ?? new Error(reason, { cause: error })
        reject(failure)
        this.onerror?.(failure)
      })
    })
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const socket = this.#socket
    if (socket === null || socket.readyState !== OPEN) throw new NotSent('the socket is closed')
    this.#open.sent(message)
    socket.send(JSON.stringify(message))
  }

  async close(): Promise<void> {
    this.#socket?.close()
  }
}
