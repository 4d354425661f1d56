import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { askPeer, type PeerPort } from '../../src/platform/moves/peer-client.ts'

const PEER = { name: 'other', url: 'https://other.example', token: 't' } as Parameters<typeof askPeer>[1]
const { signal } = new AbortController()

async function* lines(count: number): AsyncGenerator<string> {
  for (let n = 0; n < count; n++) yield `${n}\n`
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

/** A platform that takes a line after so many milliseconds, and answers so many after the last one. */
function slowPeer(t: TestContext, lineMs: number, answerMs: number): PeerPort {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const wait = async (ms: number, aborted: AbortSignal) => {
    await settled()
    t.mock.timers.tick(ms)
    aborted.throwIfAborted()
  }
  const take = async (body: unknown, aborted: AbortSignal) => {
    if (typeof body === 'object')
      for await (const _line of body as AsyncIterable<string>) await wait(lineMs, aborted)
    await wait(answerMs, aborted)
    return { status: 201, text: '{}' }
  }
  return {
    request: (_url, options) => take(options.body, options.signal),
    socket: (_url, options) => take(options.body, options.signal),
  }
}

const stream = (port: PeerPort, count: number, socket = false) =>
  askPeer(port, PEER, { method: 'POST', path: '/v1/handoff', body: lines(count), socket, signal })

describe('a stream to another platform', () => {
  for (const socket of [false, true]) {
    test(`may take long as long as lines are taken${socket ? ', also over a WebSocket' : ''}`, async (t) => {
      const answer = await stream(slowPeer(t, 19_000, 59_000), 20, socket)
      assert.equal(answer.status, 201)
    })

    test(`ends when no line is taken${socket ? ', also over a WebSocket' : ''}`, async (t) => {
      await assert.rejects(stream(slowPeer(t, 20_000, 0), 2, socket), { code: 'PEER_UNREACHABLE' })
    })
  }

  test('ends when the answer does not come', async (t) => {
    await assert.rejects(stream(slowPeer(t, 0, 60_000), 2), { code: 'PEER_UNREACHABLE' })
  })

  test('a request without lines is answered sooner', async (t) => {
    const ask = (port: PeerPort) =>
      askPeer(port, PEER, { method: 'POST', path: '/v1/states', body: '{}', signal })
    await assert.rejects(ask(slowPeer(t, 0, 20_000)), { code: 'PEER_UNREACHABLE' })
    t.mock.timers.reset()
    assert.equal((await ask(slowPeer(t, 0, 19_000))).status, 201)
  })
})
