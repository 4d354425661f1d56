import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { registerOpenAi } from '../../src/server/openai/register-openai.ts'
import { serveFake } from './served.ts'

async function served(t: TestContext) {
  const { server, token, platform } = await serveFake(t, { register: registerOpenAi })
  const { port } = new URL(await server.listen({ host: '127.0.0.1', port: 0 }))
  /** Sends a text, and returns everything that comes back until the server closes the connection. */
  const exchange = (text: string): Promise<string> =>
    new Promise((resolve) => {
      let received = ''
      const socket = connect(Number(port), '127.0.0.1', () => socket.write(Buffer.from(text, 'latin1')))
      t.after(() => socket.destroy())
      socket.on('data', (chunk) => {
        received += String(chunk)
      })
      socket.on('error', () => undefined).on('close', () => resolve(received))
    })
  return { exchange, token, other: platform.token('other', 'admin') }
}

const statusOf = (received: string) => Number(/^HTTP\/1.1 (\d+)/.exec(received)?.[1])
const GET = (headers: string, target = '/healthz', version = '1.1') =>
  `GET ${target} HTTP/${version}\r\n${headers}connection: close\r\n\r\n`
const POST = (headers: string, body = '') =>
  `POST /v1/stop HTTP/1.1\r\nhost: localhost\r\n${headers}connection: close\r\n\r\n${body}`

describe('requests that a proxy in front may read in another way', () => {
  for (const [what, text, status] of [
    ['two hosts, the first ours', GET('host: localhost\r\nhost: evil.example\r\n'), 400],
    ['two hosts, the last ours', GET('host: evil.example\r\nhost: localhost\r\n'), 400],
    ['two hosts that are the same', GET('host: localhost\r\nHOST: localhost\r\n'), 400],
    ['no host', GET(''), 400],
    ['no host in HTTP/1.0', GET('', '/healthz', '1.0'), 421],
    ['an empty host', GET('host: \r\n'), 400],
    ['a list of hosts', GET('host: localhost, evil.example\r\n'), 400],
    ['a host with a user', GET('host: evil.example@localhost\r\n'), 400],
    ['a host with a user and a port', GET('host: localhost:80@evil.example\r\n'), 400],
    ['a host with a path', GET('host: localhost/evil\r\n'), 400],
    ['a host with a backslash', GET('host: localhost\\evil\r\n'), 400],
    ['a host with a space', GET('host: localhost evil\r\n'), 400],
    ['a host with two ports', GET('host: localhost:80:81\r\n'), 400],
    ['a host in percent-encoding', GET('host: %6cocalhost\r\n'), 400],
    ['a folded host', GET('host: localhost\r\n evil.example\r\n'), 400],
    ['a host with a space before the colon', GET('host : localhost\r\n'), 400],
    ['a host with NUL', GET('host: localhost\0\r\n'), 400],
    ['another host', GET('host: evil.example\r\n'), 421],
    ['a name that begins with ours', GET('host: localhost.evil.example\r\n'), 421],
    ['the target of another host', GET('host: localhost\r\n', 'http://evil.example/healthz'), 400],
    ['the target with a user', GET('host: localhost\r\n', 'http://localhost@evil.example/healthz'), 400],
    ['our target, another host', GET('host: evil.example\r\n', 'http://localhost/healthz'), 400],
    ['the target of a host in another scheme', GET('host: localhost\r\n', 'ftp://localhost/healthz'), 400],
    ['a target with a fragment', GET('host: localhost\r\n', '/healthz#/v1/runs'), 400],
    ['a target with a host and no scheme', GET('host: localhost\r\n', '//evil.example/healthz'), 404],
    ['a folded header', GET('host: localhost\r\nx: a\r\n b\r\n'), 400],
    ['a header with NUL', GET('host: localhost\r\nx: a\0b\r\n'), 400],
    ['a header with CR alone', GET('host: localhost\r\nx: a\rb\r\n'), 400],
    ['two lengths', POST('content-length: 2\r\ncontent-length: 3\r\n', '{}'), 400],
    ['two lengths that are the same', POST('content-length: 2\r\ncontent-length: 2\r\n', '{}'), 400],
    ['a list of lengths', POST('content-length: 2, 2\r\n', '{}'), 400],
    ['a length with a sign', POST('content-length: +2\r\n', '{}'), 400],
    ['a length and chunks', POST('content-length: 2\r\ntransfer-encoding: chunked\r\n', '0\r\n\r\n'), 400],
    ['chunks twice', POST('transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n', '0\r\n\r\n'), 400],
    ['chunks that are coded', POST('transfer-encoding: gzip, chunked\r\n', '0\r\n\r\n'), 400],
    ['a coding that is unknown', POST('transfer-encoding: xchunked\r\n', '0\r\n\r\n'), 400],
    [
      'chunks in HTTP/1.0',
      'POST /v1/stop HTTP/1.0\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['lines that end with LF', 'GET /healthz HTTP/1.1\nhost: localhost\n\n', 400],
    ['another version', GET('host: localhost\r\n', '/healthz', '1.2'), 400],
    ['HTTP/2 without TLS', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['two types', POST('content-type: application/json\r\ncontent-type: text/plain\r\n'), 400],
  ] as const)
    test(`${what}: ${status}, as a problem, and the connection is closed`, async (t) => {
      const received = await (await served(t)).exchange(text)
      assert.equal(statusOf(received), status, received)
      assert.match(received, /content-type: application\/problem\+json/i)
      // One answer: what follows a refused request is not read as another one.
      assert.equal(received.split('HTTP/1.1 ').length, 2, received)
      assert.match(received, /connection: close/i)
    })

  test('two tokens: neither is used, in either order', async (t) => {
    const { exchange, token, other } = await served(t)
    const me = (...tokens: string[]) =>
      exchange(
        GET(
          `host: localhost\r\n${tokens.map((one) => `authorization: Bearer ${one}\r\n`).join('')}`,
          '/v1/runs',
        ),
      )
    assert.equal(statusOf(await me(token)), 200)
    assert.equal(statusOf(await me(other)), 200)
    assert.equal(statusOf(await me(token, other)), 400)
    assert.equal(statusOf(await me(other, token)), 400)
  })

  test('a request to change the protocol passes the same checks', async (t) => {
    const { exchange, token } = await served(t)
    const upgrade = `authorization: Bearer ${token}\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n`
    const ask = (hosts: string) => exchange(`GET /v1/handoff HTTP/1.1\r\n${hosts}${upgrade}\r\n`)
    assert.equal(statusOf(await ask('host: localhost\r\nhost: evil.example\r\n')), 400)
    assert.equal(statusOf(await ask('host: localhost/x\r\n')), 400)
    assert.equal(statusOf(await ask('host: evil.example\r\n')), 421)
  })

  test('below a door, the refusal has the form of its protocol', async (t) => {
    const { exchange } = await served(t)
    const received = await exchange(GET('host: localhost\r\nhost: evil.example\r\n', '/openai/v1/models'))
    assert.match(received, /^HTTP\/1.1 400 /)
    assert.match(received, /\r\n\r\n\{"error":\{/)
  })

  test('what is clear is accepted: ports, addresses, case, and the target of this host', async (t) => {
    const { exchange } = await served(t)
    for (const text of [
      GET('host: localhost\r\n'),
      GET('HOST: LocalHost:4400\r\n'),
      GET('host: 127.0.0.1:1\r\n'),
      GET('host: [::1]:4400\r\n'),
      GET('host: localhost:4400\r\n', 'http://localhost:4400/healthz'),
      GET('host: localhost\r\n', 'HTTP://LOCALHOST/healthz?'),
      GET('host: localhost\r\naccept: a/b\r\naccept: c/d\r\nx-forwarded-for: 1\r\nx-forwarded-for: 2\r\n'),
    ])
      assert.equal(statusOf(await exchange(text)), 200, text)
  })
})
