import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { serveFake } from './served.ts'

async function served(t: TestContext) {
  const { server, token, log } = await serveFake(t, { timeouts: { headersMs: 300, requestMs: 600 } })
  const { hostname, port } = new URL(await server.listen({ host: '127.0.0.1', port: 0 }))
  /** Opens a connection, and returns everything that it receives until it is closed. */
  const exchange = async (act: (socket: Socket) => Promise<void> | void): Promise<string> => {
    const socket = connect(Number(port), hostname)
    t.after(() => socket.destroy())
    let received = ''
    socket.on('data', (chunk) => {
      received += String(chunk)
    })
    const closed = new Promise((resolve) => socket.on('close', resolve).on('error', () => undefined))
    await act(socket)
    await closed
    return received
  }
  const head = (more: string) =>
    `POST /v1/agents/x/runs HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\n${more}\r\n`
  return { exchange, head, log }
}

function assertAnswer(received: string, status: number, code: string): void {
  assert.match(received, new RegExp(`^HTTP/1.1 ${status} `))
  assert.match(received, /content-type: application\/problem\+json\r\n/)
  const body = JSON.parse(received.slice(received.indexOf('\r\n\r\n') + 4)) as {
    code: string
    status: number
  }
  assert.equal(body.code, code)
  assert.equal(body.status, status)
}

describe('broken requests over a socket', () => {
  test('a body that does not arrive in time ends with 408', async (t) => {
    const { exchange, head } = await served(t)
    const received = await exchange(async (socket) => {
      socket.write(head('content-length: 1000\r\n'))
      for (let sent = 0; sent < 20 && socket.writable; sent++) {
        socket.write('{')
        await sleep(100)
      }
    })
    assertAnswer(received, 408, 'REQUEST_TOO_SLOW')
  })

  test('headers that do not arrive in time end with 408', async (t) => {
    const { exchange } = await served(t)
    const received = await exchange((socket) => {
      socket.write('GET /healthz HTTP/1.1\r\nhost: localh')
    })
    assertAnswer(received, 408, 'REQUEST_TOO_SLOW')
  })

  test('a body that announces more than the limit is refused before it is sent', async (t) => {
    const { exchange, head } = await served(t)
    const received = await exchange((socket) => {
      socket.write(head('content-length: 9000000000\r\n'))
    })
    assertAnswer(received, 413, 'BODY_TOO_LARGE')
  })

  test('a chunked body is cut at the limit', async (t) => {
    const { exchange, head } = await served(t)
    const received = await exchange(async (socket) => {
      socket.write(head('transfer-encoding: chunked\r\n'))
      const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
      for (let sent = 0; sent < 40 && socket.writable; sent++) {
        socket.write(chunk)
        await sleep(2)
      }
    })
    assertAnswer(received, 413, 'BODY_TOO_LARGE')
  })

  test('a truncated body ends cleanly, without an entry in the log', async (t) => {
    const { exchange, head, log } = await served(t)
    await exchange((socket) => {
      socket.end(`${head('content-length: 1000\r\n')}{"input":`)
    })
    assert.deepEqual(log, [])
  })

  test('text that is not HTTP is answered 400', async (t) => {
    const { exchange } = await served(t)
    assertAnswer(await exchange((socket) => void socket.write('HELLO\r\n\r\n')), 400, 'REQUEST_MALFORMED')
  })

  test('headers that are too large are answered 431', async (t) => {
    const { exchange } = await served(t)
    const received = await exchange((socket) => {
      socket.write(`GET /healthz HTTP/1.1\r\nhost: localhost\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`)
    })
    assertAnswer(received, 431, 'HEADERS_TOO_LARGE')
  })

  test('a request without host is refused', async (t) => {
    const { exchange } = await served(t)
    const received = await exchange((socket) => {
      socket.write('GET /healthz HTTP/1.0\r\n\r\n')
    })
    assert.match(received, /^HTTP\/1.1 421 /)
  })
})
