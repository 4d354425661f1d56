import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { withinIdle } from '../../src/server/request-time.ts'
import { MOVE_ROUTES } from '../../src/server/routes/move-routes.ts'
import { HANDOFF_TYPE } from '../../src/state/stream/streamed-state.ts'
import { serveFake } from './served.ts'

const PUBLIC = 'https://agents.ours.example'

/** A server behind a proxy that has ended TLS. */
async function served(t: TestContext, requestMs = 300) {
  const { server, token } = await serveFake(t, {
    publicUrl: PUBLIC,
    trustedProxies: ['127.0.0.1'],
    timeouts: { requestMs },
  })
  const url = new URL(await server.listen({ host: '127.0.0.1', port: 0 }))
  const head = (method: string, more: string) =>
    `${method} /v1/handoff HTTP/1.1\r\nhost: agents.ours.example\r\nx-forwarded-for: 203.0.113.9\r\nx-forwarded-proto: https\r\nauthorization: Bearer ${token}\r\n${more}\r\n`
  return { url, head, token }
}

/** Sends texts with pauses, and returns what the server answers until it closes the connection. */
async function exchange(url: URL, texts: readonly string[], pauseMs: number): Promise<string> {
  const socket = connect(Number(url.port), url.hostname)
  let received = ''
  socket.on('data', (chunk) => {
    received += String(chunk)
  })
  const closed = new Promise((resolve) => socket.on('close', resolve).on('error', () => undefined))
  for (const text of texts) {
    if (!socket.writable) break
    socket.write(text)
    await sleep(pauseMs)
  }
  await closed
  return received
}

const chunked = `content-type: ${HANDOFF_TYPE}\r\ntransfer-encoding: chunked\r\nconnection: close\r\n`

describe('a streaming handoff over HTTP', () => {
  test('may take longer than other requests, as long as it makes progress', async (t) => {
    const { url, head } = await served(t, 1000)
    const parts = [head('POST', chunked), ...Array(16).fill('1\r\nx\r\n'), '0\r\n\r\n']
    const answer = await exchange(url, parts, 100)
    assert.match(answer, /"code":"HANDOFF_FAILED"/)
  })

  test('is refused when nothing arrives for a while', async (t) => {
    const { url, head } = await served(t)
    const answer = await exchange(url, [head('POST', chunked), '1\r\nx\r\n'], 10)
    assert.match(answer, /^HTTP\/1.1 408 /)
    assert.match(answer, /"code":"REQUEST_TOO_SLOW"/)
  })

  test('parts of a body are passed on, and a late one is an error', async () => {
    async function* parts(delays: readonly number[]) {
      for (const delay of delays) {
        await sleep(delay, undefined, { ref: delay < 1000 })
        yield Uint8Array.of(delay)
      }
    }
    assert.deepEqual(
      (await Array.fromAsync(withinIdle(parts([1, 2, 3]), 5000))).map(([first]) => first),
      [1, 2, 3],
    )
    await assert.rejects(Array.fromAsync(withinIdle(parts([1, 60_000]), 20)), { code: 'REQUEST_TOO_SLOW' })
  })
})

describe('a WebSocket for a handoff', () => {
  const route = MOVE_ROUTES.find(({ name }) => name === 'openHandoff')
  const asked = async (headers: Record<string, string>, encrypted = true) =>
    route?.handle({ headers, encrypted } as never)

  test('AAIF-8.3-04: needs an encrypted connection, and a token instead of a cookie', async () => {
    const upgrade = 'WebSocket'
    const authorization = 'Bearer x'
    await assert.rejects(asked({ authorization }), { code: 'REQUEST_INVALID' })
    await assert.rejects(asked({ authorization, upgrade: 'h2c' }), { code: 'REQUEST_INVALID' })
    await assert.rejects(asked({ authorization, upgrade }, false), { code: 'TLS_REQUIRED' })
    await assert.rejects(asked({ upgrade, cookie: '__Host-waybill=x' }), { code: 'CSRF_REFUSED' })
    assert.ok('socket' in ((await asked({ authorization, upgrade })) ?? {}))
  })

  test('is answered with HTTP without TLS, and with a last message behind a proxy that has ended TLS', async (t) => {
    const plain = await serveFake(t)
    const inside = new URL(await plain.server.listen({ host: '127.0.0.1', port: 0 }))
    const refused = new WebSocket(`ws://${inside.host}/v1/handoff`, {
      headers: { authorization: `Bearer ${plain.token}` },
    })
    const status = await new Promise((resolve) => {
      refused.on('error', () => undefined)
      refused.on('unexpected-response', (_, response) => resolve(response.statusCode))
    })
    assert.equal(status, 426)
    const { url, token } = await served(t)
    const socket = new WebSocket(`ws://${url.host}/v1/handoff`, {
      headers: {
        host: 'agents.ours.example',
        authorization: `Bearer ${token}`,
        'x-forwarded-for': '203.0.113.9',
        'x-forwarded-proto': 'https',
      },
    })
    const last = new Promise((resolve) => socket.on('message', (data) => resolve(JSON.parse(String(data)))))
    const code = new Promise((resolve) => socket.on('close', resolve))
    socket.on('open', () => socket.send('{"type":"handoff_complete"}'))
    assert.equal(((await last) as { code: string }).code, 'HANDOFF_FAILED')
    assert.equal(await code, 1008)
  })

  test('other requests to change the protocol are answered as if they had not asked', async (t) => {
    const { url, head, token } = await served(t)
    const answer = await exchange(
      url,
      [
        `POST /v1/agents/x/runs HTTP/1.1\r\nhost: agents.ours.example\r\nx-forwarded-for: 203.0.113.9\r\nx-forwarded-proto: https\r\nauthorization: Bearer ${token}\r\nconnection: Upgrade, HTTP2-Settings, close\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABkAAQAAP__\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}`,
      ],
      0,
    )
    assert.match(answer, /^HTTP\/1.1 4\d\d /)
    assert.match(answer, /application\/problem\+json/)
    const elsewhere = await exchange(
      url,
      [head('POST', 'connection: Upgrade, close\r\nupgrade: websocket\r\n')],
      0,
    )
    assert.match(elsewhere, /"code":"MEDIA_TYPE_UNSUPPORTED"/)
  })

  test('is closed when the server shuts down', async (t) => {
    const { server, token } = await serveFake(t, { publicUrl: PUBLIC, trustedProxies: ['127.0.0.1'] })
    const url = new URL(await server.listen({ host: '127.0.0.1', port: 0 }))
    const socket = new WebSocket(`ws://${url.host}/v1/handoff`, {
      headers: {
        host: 'agents.ours.example',
        authorization: `Bearer ${token}`,
        'x-forwarded-for': '203.0.113.9',
        'x-forwarded-proto': 'https',
      },
    })
    await new Promise((resolve) => socket.on('open', resolve))
    const last = new Promise((resolve) => socket.on('message', (data) => resolve(JSON.parse(String(data)))))
    await server.close(5000)
    assert.equal(((await last) as { code: string }).code, 'SERVER_STOPPING')
  })
})
