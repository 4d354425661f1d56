import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { LookupAddress } from 'node:dns'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { WebSocket } from 'undici'
import { GateRefusal, ResponseTooLarge } from '../../src/adapters/net/gate-refusal.ts'
import {
  createGuardedFetch,
  type GuardedFetchOptions,
  openGuardedTransport,
} from '../../src/adapters/net/guarded-fetch.ts'
import { parseHostGrant } from '../../src/policy/endpoint-gate.ts'

async function serve(
  t: TestContext,
  listener: RequestListener,
): Promise<{ url: string; port: number; seen: string[] }> {
  const seen: string[] = []
  const server: Server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers.authorization ?? '-'}`)
    listener(request, response)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, port, seen }
}

const allow = (...hosts: string[]) => ({ hosts: hosts.map((host) => parseHostGrant(host)) })
const resolving =
  (...addresses: string[]): NonNullable<GuardedFetchOptions['lookup']> =>
  (_name, _options, callback) =>
    callback(
      null,
      addresses.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
const refusal = (code: string, unsent: boolean) => (error: unknown) => {
  assert.ok(error instanceof GateRefusal, String(error))
  assert.equal(error.code, code)
  assert.equal(error.unsent, unsent)
  return true
}

describe('guarded fetch', () => {
  test('AAIF-12-02: a host that was not granted is never contacted', async (t) => {
    const { url, seen } = await serve(t, (_, response) => response.end('secret'))
    const fetch = createGuardedFetch({ grants: { hosts: [] } })
    await assert.rejects(fetch(`${url}/x`), refusal('ENDPOINT_ADDRESS_PRIVATE', true))
    assert.deepEqual(seen, [])
    assert.equal(
      await (await createGuardedFetch({ grants: allow('127.0.0.1') })(`${url}/x`)).text(),
      'secret',
    )
  })

  test('AAIF-12-01: a granted name that resolves to an internal address is refused before a connection', async (t) => {
    const { port, seen } = await serve(t, (_, response) => response.end('inside'))
    const grants = { hosts: [parseHostGrant('rebind.example', 'config')] }
    const fetch = createGuardedFetch({ grants, lookup: resolving('127.0.0.1') })
    await assert.rejects(fetch(`http://rebind.example:${port}/`), refusal('ENDPOINT_ADDRESS_PRIVATE', true))
    assert.deepEqual(seen, [])
  })

  test('of several addresses only those that pass are connected to', async (t) => {
    const { port, seen } = await serve(t, (_, response) => response.end('ok'))
    const fetch = createGuardedFetch({
      grants: allow('mixed.example'),
      lookup: resolving('169.254.169.254', '127.0.0.1'),
    })
    assert.equal(await (await fetch(`http://mixed.example:${port}/`)).text(), 'ok')
    assert.equal(seen.length, 1)
  })

  test('the name is resolved once for a connection, so DNS rebinding is not possible', async (t) => {
    const { port } = await serve(t, (_, response) => response.end('ok'))
    let asked = 0
    const fetch = createGuardedFetch({
      grants: allow('flip.example'),
      lookup: (name, options, callback) => {
        asked += 1
        resolving(asked === 1 ? '127.0.0.1' : '169.254.169.254')(name, options, callback)
      },
    })
    assert.equal(await (await fetch(`http://flip.example:${port}/`)).text(), 'ok')
    assert.equal(asked, 1)
  })

  test('a redirect to another origin is refused and the credential is not sent', async (t) => {
    const other = await serve(t, (_, response) => response.end('stolen'))
    const { url } = await serve(t, (_, response) => response.writeHead(302, { location: other.url }).end())
    const fetch = createGuardedFetch({ grants: allow('127.0.0.1') })
    const call = fetch(url, { headers: { authorization: 'Bearer k' } })
    await assert.rejects(call, refusal('ENDPOINT_REDIRECT_REFUSED', false))
    assert.deepEqual(other.seen, [])
  })

  test('a redirect within the origin is followed at most three times', async (t) => {
    const { url, seen } = await serve(t, (request, response) => {
      const step = Number(request.url?.slice(1))
      if (step === 0) response.end('there')
      else response.writeHead(307, { location: `/${step - 1}` }).end()
    })
    const fetch = createGuardedFetch({ grants: allow('127.0.0.1') })
    assert.equal(await (await fetch(`${url}/3`)).text(), 'there')
    assert.equal(seen.length, 4)
    await assert.rejects(fetch(`${url}/4`), refusal('ENDPOINT_REDIRECT_REFUSED', false))
  })

  test('a redirected POST is not sent again', async (t) => {
    const { url, seen } = await serve(t, (_, response) =>
      response.writeHead(308, { location: '/again' }).end(),
    )
    const fetch = createGuardedFetch({ grants: allow('127.0.0.1') })
    const call = fetch(url, { method: 'POST', body: '{}' })
    await assert.rejects(call, refusal('ENDPOINT_REDIRECT_REFUSED', false))
    assert.equal(seen.length, 1)
  })

  test('the limit of a body applies to its declared, streamed and decompressed size', async (t) => {
    const { url } = await serve(t, (request, response) => {
      if (request.url === '/announced') response.end('x'.repeat(5000))
      else if (request.url === '/packed') {
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(5000)))
      } else {
        response.write('x'.repeat(600))
        response.end('x'.repeat(600))
      }
    })
    const fetch = createGuardedFetch({ grants: allow('127.0.0.1'), maxResponseBytes: 1000 })
    await assert.rejects(fetch(`${url}/announced`), ResponseTooLarge)
    await assert.rejects(async () => (await fetch(`${url}/packed`)).text(), ResponseTooLarge)
    await assert.rejects(async () => (await fetch(`${url}/streamed`)).text(), ResponseTooLarge)
    const roomy = createGuardedFetch({ grants: allow('127.0.0.1'), maxResponseBytes: 5000 })
    assert.equal((await (await roomy(`${url}/packed`)).text()).length, 5000)
  })

  test('an abort ends a call that the server keeps open', async (t) => {
    const { url } = await serve(t, () => {})
    const stop = new AbortController()
    const call = createGuardedFetch({ grants: allow('127.0.0.1') })(url, { signal: stop.signal })
    setTimeout(() => stop.abort(new Error('enough')), 30)
    await assert.rejects(call, /enough/)
  })
})

test('a message of a WebSocket is limited like a body', async (t) => {
  const server = createServer()
  server.on('upgrade', (request, socket) => {
    const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`
    const accept = createHash('sha1').update(key).digest('base64')
    socket.on('error', () => {})
    t.after(() => socket.destroy())
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
    )
    // A text of 2000 bytes: 0x81, then 126 and the length in two bytes (RFC 6455 §5.2).
    socket.write(Buffer.concat([Buffer.from([0x81, 126, 0x07, 0xd0]), Buffer.alloc(2000, 'x')]))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  for (const [maxResponseBytes, outcome] of [
    [1000, 'closed'],
    [4000, 'received'],
  ] as const) {
    const { dispatcher } = await openGuardedTransport({
      grants: { hosts: [parseHostGrant(host)] },
      maxResponseBytes,
    })
    const socket = new WebSocket(`ws://${host}/`, { dispatcher })
    const first = await new Promise((resolve) => {
      socket.addEventListener('message', () => resolve('received'))
      socket.addEventListener('close', () => resolve('closed'))
    })
    await dispatcher.destroy()
    assert.equal(first, outcome)
  }
})
