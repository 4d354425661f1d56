import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { requestBody } from '../../src/adapters/net/request-body.ts'
import { commandFetch, typedHost } from '../../src/cli/network/command-fetch.ts'
import { serverPort } from '../../src/cli/remote/server-client.ts'
import { askPeer } from '../../src/platform/moves/peer-client.ts'

const MB = 1024 * 1024

/** Starts a server. @returns its URL */
async function serverOf(
  t: TestContext,
  answer: (request: IncomingMessage) => Promise<{ status: number; headers?: Record<string, string> }>,
): Promise<string> {
  const server = createServer(async (request, response) => {
    const { status, headers = {} } = await answer(request)
    response.writeHead(status, headers).end('done')
  })
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

/** Returns the bytes that buffers have in use, after a full collection. */
function bytesInUse(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().arrayBuffers
}

describe('the body of a streamed request', () => {
  test('what was sent is not kept until the answer arrives', async (t) => {
    let received = 0
    let inUse = Number.NaN
    const before = bytesInUse()
    const url = await serverOf(t, async (request) => {
      for await (const chunk of request) received += (chunk as Buffer).byteLength
      // All is sent, and nothing is answered yet.
      inUse = bytesInUse() - before
      return { status: 200 }
    })
    async function* texts() {
      for (let n = 0; n < 64; n++) yield `${n}`.padEnd(MB, 'x')
    }
    const answer = await fetch(url, { method: 'POST', ...requestBody(texts()) })
    assert.deepEqual([answer.status, await answer.text(), received], [200, 'done', 64 * MB])
    // Some of it is on its way.
    assert.ok(inUse < 24 * MB, `${inUse} bytes`)
  })

  test('it is not sent to another place', async (t) => {
    const asked: string[] = []
    const url = await serverOf(t, async (request) => {
      asked.push(request.url ?? '')
      for await (const _ of request);
      return { status: 307, headers: { location: '/other' } }
    })
    async function* texts() {
      yield 'a line\n'
    }
    const peer = { name: 'other', url, token: 't' } as Parameters<typeof askPeer>[1]
    const { signal } = new AbortController()
    const fetch = commandFetch({ hosts: [typedHost(url)] }, { maxResponseBytes: 1024 * 1024 })
    const port = serverPort({ url, fetch })
    await assert.rejects(askPeer(port, peer, { method: 'POST', path: '/', body: texts(), signal }), {
      code: 'PEER_UNREACHABLE',
      message: /other at .* cannot be used: unexpected redirect$/,
    })
    assert.deepEqual(asked, ['/'])
  })
})
