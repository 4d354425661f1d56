import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  Client,
  type JSONRPCMessage,
  ProtocolError,
  parseJSONRPCMessage,
  ReadBuffer,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SSEClientTransport,
  SseError,
  StreamableHTTPClientTransport,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client'

const URL_OF_SERVER = new URL('https://tools.example/mcp')
const REQUEST = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} } as const

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => assert.fail('it succeeded'),
    (error: unknown) => error,
  )
}

/** A server inside this process: it answers each request with what `answer` returns, or not at all. */
class Answering implements Transport {
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
  onmessage?: Transport['onmessage']
  readonly #answer: (method: string) => object | undefined

  constructor(answer: (method: string) => object | undefined) {
    this.#answer = answer
  }

  async start(): Promise<void> {}

  async send(message: JSONRPCMessage): Promise<void> {
    if (!('method' in message) || !('id' in message)) return
    const answer = this.#answer(message.method)
    if (answer !== undefined)
      this.onmessage?.({ jsonrpc: '2.0', id: message.id, ...answer } as JSONRPCMessage)
  }

  async close(): Promise<void> {
    this.onclose?.()
  }
}

const GREETING = {
  result: {
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'answering', version: '1' },
  },
}

async function connected(answer: (method: string) => object | undefined): Promise<Client> {
  const client = new Client({ name: 'waybill', version: '1' }, { versionNegotiation: { mode: 'legacy' } })
  await client.connect(new Answering((method) => (method === 'initialize' ? GREETING : answer(method))))
  return client
}

/** What `src/adapters/mcp` relies on beside what its tests against servers show. */
describe('@modelcontextprotocol/client: messages', () => {
  test('a message is one line, and a buffer gives it back', () => {
    const buffer = new ReadBuffer()
    const line = serializeMessage(REQUEST)
    assert.match(line, /^[^\n]+\n$/)
    buffer.append(Buffer.from(line.slice(0, 10)))
    assert.equal(buffer.readMessage(), null)
    buffer.append(Buffer.from(line.slice(10)))
    assert.deepEqual(buffer.readMessage(), REQUEST)
    assert.equal(buffer.readMessage(), null)
  })

  test('a line that is not a message throws or is skipped, and the next one is read', () => {
    const buffer = new ReadBuffer()
    buffer.append(Buffer.from(`starting …\n{"a":1}\n${serializeMessage(REQUEST)}`))
    for (let tries = 0; tries < 4; tries++) {
      try {
        const message = buffer.readMessage()
        if (message === null) break
        assert.deepEqual(message, REQUEST)
        return
      } catch (error) {
        assert.ok(error instanceof Error && error.name !== 'AssertionError', String(error))
      }
    }
    assert.fail('the message was not read')
  })

  test('a buffer holds at most `maxBufferSize`', () => {
    const buffer = new ReadBuffer({ maxBufferSize: 100 })
    assert.throws(() => {
      for (let times = 0; times < 20; times++) buffer.append(Buffer.alloc(10, 0x61))
    })
  })

  test('what is no message of JSON-RPC is refused', () => {
    assert.deepEqual(parseJSONRPCMessage(REQUEST), REQUEST)
    for (const wrong of [{}, { jsonrpc: '1.0', id: 1, method: 'x' }, 'x', null]) {
      assert.throws(() => parseJSONRPCMessage(wrong))
    }
  })
})

describe('@modelcontextprotocol/client: errors', () => {
  test('an error of the server is a ProtocolError with its code', async () => {
    const client = await connected(() => ({ error: { code: -32_077, message: 'the answer broke off' } }))
    const error = await failureOf(client.request({ method: 'tools/list' }))
    assert.ok(error instanceof ProtocolError)
    assert.equal(error.code, -32_077)
    await client.close()
  })

  test('a call that is not answered in time is an SdkError of that code', async () => {
    const client = await connected(() => undefined)
    const error = await failureOf(client.request({ method: 'tools/list' }, { timeout: 1 }))
    assert.ok(error instanceof SdkError)
    assert.equal(error.code, SdkErrorCode.RequestTimeout)
    await client.close()
  })

  test('a client that is closed says so, by its code or in these words, and calls `onclose`', async () => {
    const client = await connected(() => undefined)
    let closed = false
    client.onclose = () => {
      closed = true
    }
    await client.close()
    assert.equal(closed, true)
    const error = await failureOf(client.request({ method: 'tools/list' }))
    const known = error instanceof SdkError ? error.code === SdkErrorCode.NotConnected : false
    assert.ok(known || (error as Error).message === 'Not connected', String(error))
  })

  test('the codes that the adapter distinguishes exist', () => {
    for (const name of [
      'InvalidResult',
      'UnsupportedResultType',
      'InputRequiredRoundsExceeded',
      'CapabilityNotSupported',
    ] as const) {
      assert.ok(SdkErrorCode[name] !== undefined, name)
    }
  })
})

describe('@modelcontextprotocol/client: HTTP', () => {
  test('a status that is an error is an SdkHttpError with it', async () => {
    const fetch = async () => new Response('no', { status: 405 })
    const transport = new StreamableHTTPClientTransport(URL_OF_SERVER, { fetch })
    await transport.start()
    const error = await failureOf(transport.send(REQUEST))
    assert.ok(error instanceof SdkHttpError)
    assert.equal(error.status, 405)
    await transport.close()
  })

  test('every request is made by the given fetch, with the given headers', async () => {
    const seen: (readonly [string, string | null])[] = []
    const fetch = async (url: string | URL, init?: RequestInit) => {
      seen.push([String(url), new Headers(init?.headers).get('x-key')])
      return new Response(null, { status: 202 })
    }
    const transport = new StreamableHTTPClientTransport(URL_OF_SERVER, {
      fetch,
      requestInit: { headers: { 'x-key': 'k' } },
    })
    await transport.start()
    await transport.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
    assert.deepEqual(seen, [[URL_OF_SERVER.href, 'k']])
    await transport.close()
  })

  test('the end of an interrupted answer is reported to `onRequestStreamEnd`', async () => {
    const fetch = async () =>
      new Response(new ReadableStream({ start: (stream) => stream.close() }), {
        headers: { 'content-type': 'text/event-stream' },
      })
    const transport = new StreamableHTTPClientTransport(URL_OF_SERVER, { fetch })
    await transport.start()
    await new Promise<void>((ended, failed) => {
      transport.send(REQUEST, { onRequestStreamEnd: ended }).catch(failed)
    })
    await transport.close()
  })

  test('a client sends by the `send` that its transport has at that time', async () => {
    const fetch = async () => new Response(null, { status: 202 })
    const transport = new StreamableHTTPClientTransport(URL_OF_SERVER, { fetch })
    const methods: string[] = []
    transport.send = async (message) => {
      if (Array.isArray(message) || !('method' in message)) return
      methods.push(message.method)
      if ('id' in message)
        transport.onmessage?.({ jsonrpc: '2.0', id: message.id, ...GREETING } as JSONRPCMessage)
    }
    const client = new Client({ name: 'waybill', version: '1' }, { versionNegotiation: { mode: 'legacy' } })
    await client.connect(transport)
    assert.deepEqual(methods, ['initialize', 'notifications/initialized'])
    await client.close()
  })

  test('over SSE a refused message names its status in words, and a lost stream is an SseError', async () => {
    const events = new ReadableStream<Uint8Array>({
      start: (stream) => stream.enqueue(new TextEncoder().encode('event: endpoint\ndata: /post\n\n')),
    })
    const fetch = async (_url: string | URL, init?: RequestInit) =>
      init?.method === 'POST'
        ? new Response('unknown session', { status: 404 })
        : new Response(events, { headers: { 'content-type': 'text/event-stream' } })
    const transport = new SSEClientTransport(URL_OF_SERVER, { fetch })
    await transport.start()
    const error = await failureOf(transport.send(REQUEST))
    assert.match((error as Error).message, /^Error POSTing to endpoint \(HTTP 404\)/)
    await transport.close()

    const refused = new SSEClientTransport(URL_OF_SERVER, {
      fetch: async () => new Response(null, { status: 500 }),
    })
    assert.ok((await failureOf(refused.start())) instanceof SseError)
    await refused.close()
  })
})
