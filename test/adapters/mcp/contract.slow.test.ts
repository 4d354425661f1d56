import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import type { JsonObject } from '../../../src/document/json.ts'
import { noCertificates } from '../tls-front.ts'
import { failure, openTools } from './opening.ts'
import { PEERS, type Peer } from './peers.ts'

for (const [transport, start] of Object.entries(PEERS)) {
  const skip = transport.endsWith('TLS') && noCertificates
  describe(`AAIF §4.4 MCP tools over ${transport}`, { concurrency: false, skip }, () => {
    test('AAIF-4.4-04: the tools of a server are listed with their schemas', async (t) => {
      const { mcp } = await open(t, start)
      const found = await mcp.discover({ name: 'all', endpoint: 'mcp://everything' })
      assert.ok(found.found, JSON.stringify(found))
      const sum = found.tools.find(({ name }) => name === 'get-sum')
      assert.deepEqual(Object.keys((sum?.parameters_schema.properties ?? {}) as object), ['a', 'b'])
      assert.ok(found.tools.length > 10)
      const one = await mcp.discover({ name: 'one', endpoint: 'mcp://everything/echo' })
      assert.deepEqual(one.found && one.tools.map(({ name }) => name), ['echo'])
    })

    test('a call returns text, structured data, and a note in place of a picture', async (t) => {
      const { call } = await open(t, start)
      assert.equal(await call('echo', { message: 'ahoy' }), 'Echo: ahoy')
      const weather = { temperature: 36, conditions: 'Light rain / drizzle', humidity: 82 }
      assert.deepEqual(await call('get-structured-content', { location: 'Chicago' }), weather)
      const picture = String(await call('get-tiny-image', {}))
      assert.match(picture, /\[image, image\/png, \d+ bytes: not shown\]/)
      assert.doesNotMatch(picture, /iVBOR/)
    })

    test('a failure that the tool reports is an answer', async (t) => {
      const { call } = await open(t, start)
      await assert.rejects(call('echo', {}), failure('MCP_TOOL_ERROR', 'answered', /message/))
      await assert.rejects(call('no-such-tool', {}), failure('MCP_TOOL_ERROR', 'answered', /not found/))
    })

    test('progress restarts the timeout of a call', async (t) => {
      const { call } = await open(t, start, { idleMs: 1000 })
      const said = await call('trigger-long-running-operation', { duration: 1.6, steps: 8 })
      assert.match(String(said), /completed/)
      const silent = call('trigger-long-running-operation', { duration: 5, steps: 1 })
      await assert.rejects(silent, failure('TOOL_TIMEOUT', 'unknown'))
    })

    test('an abort ends a call, and the connection stays open', async (t) => {
      const { call } = await open(t, start)
      const stop = new AbortController()
      setTimeout(() => stop.abort(new Error('enough')), 100)
      const long = call('trigger-long-running-operation', { duration: 5, steps: 2 }, stop.signal)
      await assert.rejects(long, /enough/)
      assert.equal(await call('echo', { message: 'still here' }), 'Echo: still here')
    })

    test('if the server crashes during a call, the outcome is unknown', async (t) => {
      const { call, peer } = await open(t, start)
      await call('echo', { message: 'first' })
      const long = call('trigger-long-running-operation', { duration: 30, steps: 300 })
      setTimeout(() => peer.kill(), 300)
      await assert.rejects(long, failure('MCP_CONNECTION_LOST', 'unknown', /may have taken effect/))
    })

    test('a connection that ended before the call is opened again, once', async (t) => {
      const { call, peer } = await open(t, start)
      await call('echo', { message: 'first' })
      await peer.kill()
      await peer.restart()
      assert.equal(await call('echo', { message: 'second' }), 'Echo: second')
    })
  })
}

async function open(
  t: TestContext,
  start: (t: TestContext) => Promise<Peer>,
  options: { idleMs?: number } = {},
) {
  const peer = await start(t)
  const { servers, grants = { hosts: [] } } = peer
  const { mcp, call } = openTools(t, { servers, grants, ...options })
  return {
    mcp,
    peer,
    call: (tool: string, args: JsonObject, signal?: AbortSignal) => call(tool, args, {}, signal),
  }
}
