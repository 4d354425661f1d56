import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo, LookupFunction } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { Agent, buildConnector, type Dispatcher, fetch, WebSocket } from 'undici'

async function serve(t: TestContext, listener: RequestListener): Promise<number> {
  const server = createServer(listener)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** An agent whose connections are made by a connector with this lookup, as those of the guarded fetch are. */
function agentWith(t: TestContext, lookup: LookupFunction, seen: unknown[] = []): Agent {
  const connect = buildConnector({ timeout: 5000, lookup })
  const agent = new Agent({
    connect(target, callback) {
      seen.push([target.protocol, target.hostname, target.port])
      connect(target, callback)
    },
  })
  t.after(() => agent.destroy())
  return agent
}

const loopback: LookupFunction = (_hostname, options, callback) => {
  if (options.all === true) callback(null, [{ address: '127.0.0.1', family: 4 }])
  else callback(null, '127.0.0.1', 4)
}

function refusing(error: Error): LookupFunction {
  return (_hostname, _options, callback) => callback(error as NodeJS.ErrnoException, [])
}

function causesOf(error: unknown): unknown[] {
  const cause = (error as { cause?: unknown } | undefined)?.cause
  return cause === undefined ? [error] : [error, ...causesOf(cause)]
}

/** What `src/adapters/net/guarded-fetch.ts` and the WebSocket of MCP rely on. */
describe('undici', () => {
  test('every connection is made by the `connect` of the agent, with protocol, host and port', async (t) => {
    const port = await serve(t, (_, response) => response.end('ok'))
    const seen: unknown[] = []
    const dispatcher = agentWith(t, loopback, seen)
    const response = await fetch(`http://name.example:${port}/x`, { dispatcher })
    assert.equal(await response.text(), 'ok')
    assert.deepEqual(seen, [['http:', 'name.example', String(port)]])
  })

  test('fetch takes the beginning of a compressed body for a whole one, and an interceptor can refuse its end', async (t) => {
    const bytes = gzipSync('whole').subarray(0, -5)
    const port = await serve(t, (_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bytes),
    )
    const dispatcher = agentWith(t, loopback)
    assert.equal(await (await fetch(`http://name.example:${port}/`, { dispatcher })).text(), 'whole')
    const refusal = new Error('cut')
    const refused = dispatcher.compose((dispatch) => (options, handler) => {
      const own: Dispatcher.DispatchHandler = {
        onRequestStart: (...given) => handler.onRequestStart?.(...given),
        onResponseStart: (...given) => handler.onResponseStart?.(...given),
        onResponseData: (...given) => handler.onResponseData?.(...given),
        onResponseEnd(controller) {
          setImmediate(() => handler.onResponseError?.(controller, refusal))
        },
        onResponseError: (...given) => handler.onResponseError?.(...given),
      }
      return dispatch(options, own)
    })
    const response = await fetch(`http://name.example:${port}/`, { dispatcher: refused })
    await assert.rejects(response.text(), (error) => causesOf(error).includes(refusal))
  })

  test('a name is resolved by the `lookup` of the connector, once for each connection', async (t) => {
    const port = await serve(t, (_, response) => response.end('ok'))
    const names: string[] = []
    const lookup: LookupFunction = (hostname, options, callback) => {
      names.push(hostname)
      loopback(hostname, options, callback)
    }
    const connections: unknown[] = []
    const dispatcher = agentWith(t, lookup, connections)
    for (let times = 0; times < 2; times++) {
      await (await fetch(`http://name.example:${port}/`, { dispatcher })).text()
    }
    assert.deepEqual(names, Array(connections.length).fill('name.example'))
  })

  test('what the lookup refuses is never connected to, and the error is a cause of the one of fetch', async (t) => {
    let asked = 0
    const port = await serve(t, (_, response) => {
      asked += 1
      response.end()
    })
    const refusal = new Error('refused')
    const dispatcher = agentWith(t, refusing(refusal))
    await assert.rejects(fetch(`http://name.example:${port}/`, { dispatcher }), (error) => {
      assert.ok(error instanceof TypeError)
      return causesOf(error).includes(refusal)
    })
    assert.equal(asked, 0)
  })

  test('a refused connection and a server that stays silent have codes in the chain of causes', async (t) => {
    const codes = async (work: Promise<unknown>) => {
      const error = await work.then(
        () => assert.fail('it succeeded'),
        (failed: unknown) => failed,
      )
      return causesOf(error).map((cause) => (cause as { code?: unknown }).code)
    }
    const closed = createServer()
    const free = await new Promise<number>((listening) =>
      closed.listen(0, '127.0.0.1', () => listening((closed.address() as AddressInfo).port)),
    )
    await new Promise((ended) => closed.close(ended))
    const dispatcher = agentWith(t, loopback)
    assert.ok((await codes(fetch(`http://127.0.0.1:${free}/`, { dispatcher }))).includes('ECONNREFUSED'))

    const silent = await serve(t, () => {})
    const impatient = new Agent({ headersTimeout: 1, bodyTimeout: 1 })
    t.after(() => impatient.destroy())
    const waited = await codes(fetch(`http://127.0.0.1:${silent}/`, { dispatcher: impatient }))
    assert.ok(waited.includes('UND_ERR_HEADERS_TIMEOUT'), String(waited))
  })

  test('a redirect is handed over with its place when it is to be handled by hand', async (t) => {
    const port = await serve(t, (_, response) => response.writeHead(302, { location: '/next' }).end())
    const dispatcher = agentWith(t, loopback)
    const response = await fetch(`http://a.example:${port}/`, { redirect: 'manual', dispatcher })
    assert.deepEqual([response.status, response.headers.get('location')], [302, '/next'])
    await response.body?.cancel()
  })

  test('the signal of a request aborts it with its own reason', async (t) => {
    const port = await serve(t, () => {})
    const reason = new Error('enough')
    const stop = new AbortController()
    const dispatcher = agentWith(t, loopback)
    const asked = fetch(`http://a.example:${port}/`, { dispatcher, signal: stop.signal })
    stop.abort(reason)
    await assert.rejects(asked, (error) => error === reason)
  })

  test('a WebSocket connects by its dispatcher, with headers and protocol, and reports what failed', async (t) => {
    const seen: unknown[] = []
    const port = await serve(t, (_, response) => response.end())
    const upgraded = new Promise((resolve) => {
      const server = createServer()
      server.on('upgrade', ({ headers }, socket) => {
        resolve([headers['sec-websocket-protocol'], headers['x-note']])
        socket.destroy()
      })
      server.listen(0, '127.0.0.1', () => {
        t.after(() => server.close())
        const { port } = server.address() as AddressInfo
        const dispatcher = agentWith(t, loopback, seen)
        const socket = new WebSocket(`ws://a.example:${port}/`, {
          protocols: ['mcp'],
          dispatcher,
          headers: { 'x-note': 'n' },
        })
        socket.addEventListener('error', () => {})
      })
    })
    assert.deepEqual(await upgraded, ['mcp', 'n'])
    assert.equal(seen.length, 1)

    const refused = new WebSocket(`ws://a.example:${port}/`, {
      dispatcher: agentWith(t, refusing(new Error('no'))),
    })
    const event = await new Promise<{ error: unknown; message: string }>((resolve) =>
      refused.addEventListener('error', resolve),
    )
    assert.equal(typeof event.message, 'string')
    assert.ok('error' in event)
  })
})
