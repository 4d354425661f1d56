import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import type { Door } from '../../src/server/door.ts'
import { OPENAI_OPERATIONS } from '../../src/server/openai/openai-operations.ts'
import { registerOpenAi } from '../../src/server/openai/register-openai.ts'
import { type Received, serveFake } from './served.ts'

/** A second door, as a later protocol would have it. */
const OTHER_DOOR: Door = {
  prefix: '/other',
  failed: ({ code }) => ({
    status: 418,
    mediaType: 'application/json',
    body: JSON.stringify({ errorCode: code }),
  }),
}

const served = (t: TestContext, more: Parameters<typeof serveFake>[1] = {}) =>
  serveFake(t, {
    furtherOperations: OPENAI_OPERATIONS,
    register: (app, server) => {
      server.addDoor(OTHER_DOOR)
      app.post('/other/echo', { bodyLimit: 10, config: { scope: 'other:write' } }, async () => ({}))
      return registerOpenAi(app, server)
    },
    ...more,
  })

const CHAT = '/openai/v1/chat/completions'

function assertOpenAi(answer: Received, status: number, code: string): void {
  assert.equal(answer.status, status, answer.text)
  assert.match(String(answer.headers['content-type']), /^application\/json/)
  assert.deepEqual(Object.keys(answer.json), ['error'])
  assert.deepEqual(Object.keys(answer.json.error), ['message', 'type', 'param', 'code'])
  assert.equal(answer.json.error.code, code, answer.text)
}

describe('errors below the prefix of a door', () => {
  test('have the form of its protocol, whatever refuses the request', async (t) => {
    const { send, token, platform, log } = await served(t, { limits: { burst: 3, requestsPerSecond: 0.001 } })
    const json = { 'content-type': 'application/json' }
    for (const path of ['/responses', '/embeddings', '/completions', '/models/a/b', ''])
      assertOpenAi(await send('POST', `/openai/v1${path}`, { token, json: {} }), 404, 'ROUTE_NOT_FOUND')
    const unknown = await send('GET', '/openai/v1/files?purpose=x', { token })
    assertOpenAi(unknown, 404, 'ROUTE_NOT_FOUND')
    assert.match(unknown.json.error.message, /only GET \/models and POST \/chat\/completions/)
    const wrong = await send('DELETE', '/openai/v1/models', { token })
    assertOpenAi(wrong, 405, 'METHOD_NOT_ALLOWED')
    assert.equal(wrong.headers.allow, 'GET, HEAD')
    assertOpenAi(await send('GET', CHAT, { token }), 405, 'METHOD_NOT_ALLOWED')
    assertOpenAi(await send('POST', CHAT, { json: {} }), 401, 'invalid_api_key')
    assertOpenAi(await send('POST', CHAT, { token: 'wbt_wrong', json: {} }), 401, 'invalid_api_key')
    assertOpenAi(await send('GET', '/openai/v1/models/%FF', { token }), 400, 'REQUEST_MALFORMED')
    assertOpenAi(
      await send('GET', '/openai/v1/models', { token, headers: { host: 'evil.example' } }),
      421,
      'HOST_REFUSED',
    )
    const large = 'x'.repeat(8 * 1024 * 1024 + 1)
    assertOpenAi(await send('POST', CHAT, { token, body: large, headers: json }), 413, 'BODY_TOO_LARGE')
    assertOpenAi(
      await send('POST', CHAT, { token, body: '{}', headers: { 'content-type': 'text/plain' } }),
      415,
      'MEDIA_TYPE_UNSUPPORTED',
    )
    const viewer = platform.token('acme', 'viewer')
    assertOpenAi(await send('POST', CHAT, { token: viewer, json: {} }), 403, 'ROLE_MISSING')
    platform.failure = Object.assign(new Error('terminating connection'), { code: '57P01' })
    const away = await send('GET', '/openai/v1/models', { token })
    assertOpenAi(away, 503, 'DATABASE_UNREACHABLE')
    assert.equal(away.headers['retry-after'], '1')
    assert.deepEqual(
      log.map(({ level }) => level),
      ['warn'],
    )
    platform.failure = new Error('unexpected')
    assertOpenAi(await send('GET', '/openai/v1/models', { token }), 500, 'INTERNAL')
    platform.failure = undefined
    let limited = await send('GET', '/openai/v1/models', { token })
    for (let n = 0; n < 4 && limited.status === 200; n++)
      limited = await send('GET', '/openai/v1/models', { token })
    assertOpenAi(limited, 429, 'RATE_EXCEEDED')
  })

  test('of another door have its own form, and those beside it ours', async (t) => {
    const { send, token } = await served(t)
    assert.deepEqual((await send('GET', '/other/nothing', { token })).json, { errorCode: 'ROUTE_NOT_FOUND' })
    assert.deepEqual((await send('GET', '/other')).json, { errorCode: 'ROUTE_NOT_FOUND' })
    assert.deepEqual((await send('POST', '/other/echo', { json: {} })).json, { errorCode: 'TOKEN_REFUSED' })
    const large = await send('POST', '/other/echo', { token, json: { a: 'longer than ten bytes' } })
    assert.deepEqual([large.status, large.json], [418, { errorCode: 'BODY_TOO_LARGE' }])
    for (const path of ['/others', '/openai/v10/models', '/openai/v2/models', '/openai', '/v1/openai/v1']) {
      const answer = await send('GET', path, { token })
      assert.equal(answer.headers['content-type'], 'application/problem+json', path)
      assert.equal(answer.json.code, 'ROUTE_NOT_FOUND')
    }
  })
})

describe('methods', () => {
  test('a path without a parameter comes before one with it, also for Allow', async (t) => {
    const { send, token } = await served(t)
    const preview = await send('DELETE', '/v1/rules/preview', { token })
    assert.equal(preview.status, 405, preview.text)
    assert.equal(preview.headers.allow, 'POST')
    assert.equal((await send('OPTIONS', '/v1/rules/preview', { token })).headers.allow, 'POST')
    assert.equal((await send('OPTIONS', '/v1/rules/other', { token })).headers.allow, 'DELETE')
    assert.equal((await send('OPTIONS', '/v1/audit/verify', { token })).headers.allow, 'GET, HEAD')
  })

  for (const [method, status] of [
    ['QUERY', 405],
    ['PATCH', 405],
    ['PROPFIND', 405],
    ['TRACE', 405],
  ] as const)
    for (const body of ['', 'content-length: 2\r\n\r\n{}'])
      test(`${method} ${body === '' ? 'without' : 'with'} a body is answered ${status} with the methods that exist`, async (t) => {
        const { server, token } = await served(t)
        const { port } = new URL(await server.listen({ host: '127.0.0.1', port: 0 }))
        for (const path of ['/v1/agents', '/v1/runs/r1', '/openai/v1/models']) {
          const received = await exchange(
            Number(port),
            `${method} ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\nauthorization: Bearer ${token}\r\n${body === '' ? '\r\n' : `content-type: application/json\r\n${body}`}`,
          )
          assert.match(received, new RegExp(`^HTTP/1.1 ${status} `), `${method} ${path}`)
          assert.match(received, /allow: [A-Z, ]*GET/)
          assert.match(received, /METHOD_NOT_ALLOWED/)
        }
      })
})

function exchange(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    socket.on('data', (chunk) => (received += String(chunk)))
    socket.on('close', () => resolve(received)).on('error', reject)
  })
}
