import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonObject } from '../../../src/document/json.ts'
import { failure, openTools, scripted } from './opening.ts'

const tool = (name: string, more: JsonObject = {}): JsonObject => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object' },
  ...more,
})

describe('AAIF §4.4 what an MCP server lists', () => {
  test('AAIF-4.4-04: all pages of the list are read, each page once', async (t) => {
    const tools = Array.from({ length: 9 }, (_, n) => tool(`t${n}`))
    const { server, log } = scripted(t, { tools, pages: 3 })
    const { mcp } = openTools(t, { servers: { office: server } })
    const found = await mcp.discover({ name: 'x', endpoint: 'mcp://office/*' })
    assert.deepEqual(
      found.found && found.tools.map(({ name }) => name),
      tools.map(({ name }) => name),
    )
    assert.equal(log().filter((line) => line === 'listed').length, 3)
  })

  test('a list that repeats a cursor is refused', async (t) => {
    const { server } = scripted(t, { tools: [tool('a'), tool('b')], pages: 2, circle: true })
    // Every page has a next one.
    const { mcp } = openTools(t, { servers: { office: { ...server } } })
    const found = await mcp.discover({ name: 'x', endpoint: 'mcp://office' })
    assert.match(found.found ? '' : found.reason, /repeats a cursor/)
  })

  test('hints apply only for a trusted server; for others, every tool counts as writing', async (t) => {
    const hints = { readOnlyHint: true, idempotentHint: true }
    const tools = [tool('look', { annotations: hints }), tool('send')]
    const { server } = scripted(t, { tools })
    const servers = { untrusted: server, trustedServer: { ...server, trusted: true } }
    const { mcp } = openTools(t, { servers })
    const marks = async (name: string) => {
      const found = await mcp.discover({ name: 'x', endpoint: `mcp://${name}` })
      return found.found && found.tools.map(({ read_only, idempotent }) => [read_only, idempotent])
    }
    assert.deepEqual(await marks('untrusted'), [
      [false, false],
      [false, false],
    ])
    assert.deepEqual(await marks('trustedServer'), [
      [true, true],
      [false, false],
    ])
  })

  test('a tool that the server does not have is named in the reason', async (t) => {
    const { server } = scripted(t, { tools: [tool('look')] })
    const { mcp } = openTools(t, { servers: { office: server } })
    const found = await mcp.discover({ name: 'x', endpoint: 'mcp://office/send' })
    assert.ok(!found.found)
    assert.equal(found.rule, 'AAIF-4.4-04')
    assert.match(found.reason, /no tool send; it has: look/)
    const empty = scripted(t, { tools: [] })
    const none = await openTools(t, { servers: { office: empty.server } }).mcp.discover({
      name: 'x',
      endpoint: 'mcp://office',
    })
    assert.match(none.found ? '' : none.reason, /offers no tools/)
  })

  test('invalid endpoints are refused with the rule', async (t) => {
    const { mcp } = openTools(t, {})
    for (const endpoint of [undefined, 'ftp://x/y', 'mcp:///tool', 'tools.json']) {
      const found = await mcp.discover({ name: 'x', endpoint })
      assert.equal(found.found ? '' : found.rule, 'AAIF-4.4-03', String(endpoint))
    }
  })
})

describe('AAIF §4.4 outcomes of a call', () => {
  test('the arguments and the key of the call arrive unchanged', async (t) => {
    const { server, log } = scripted(t, {})
    const { call } = openTools(t, { servers: { office: server } })
    assert.equal(await call('send', { to: 'ü', n: [1, { x: null }] }), 'send done')
    assert.ok(log().includes('called send {"to":"ü","n":[1,{"x":null}]} run:1 00-trace'), log().join('\n'))
  })

  test('an aborted call is cancelled at the server', async (t) => {
    const { server, log } = scripted(t, { mute: 'send' })
    const { call } = openTools(t, { servers: { office: server } })
    const stop = new AbortController()
    const logged = async (begin: string) => {
      for (let i = 0; i < 400 && !log().some((line) => line.startsWith(begin)); i++)
        await new Promise((resolve) => setTimeout(resolve, 25))
    }
    // Not after a fixed time: a busy machine may not have started the server by then.
    logged('called send').then(() => stop.abort(new Error('enough')))
    await assert.rejects(call('send', {}, {}, stop.signal), /enough/)
    await logged('cancelled')
    assert.match(log().at(-1) ?? '', /^cancelled \d+$/)
  })

  test('a call during which the server crashed is not sent again', async (t) => {
    const { server, log } = scripted(t, { dieOn: 'send' })
    const { call } = openTools(t, { servers: { office: server } })
    await assert.rejects(call('send', { n: 1 }), failure('MCP_CONNECTION_LOST', 'unknown'))
    assert.equal(log().filter((line) => line.startsWith('called')).length, 1)
    // The next call finds the connection closed before sending, and opens another.
    assert.equal(await call('look'), 'look done')
    assert.equal(log().filter((line) => line.startsWith('pid')).length, 2)
  })

  test('an error of the protocol is an answer', async (t) => {
    const { server } = scripted(t, { refuse: 'send' })
    const { call } = openTools(t, { servers: { office: server } })
    await assert.rejects(call('send'), failure('MCP_CALL_REFUSED', 'answered', /not today/))
  })

  test('JSON text is parsed only if the tool has an output schema', async (t) => {
    const result = { content: [{ type: 'text', text: '{"n":1}' }] }
    const { server } = scripted(t, { result })
    const { call } = openTools(t, { servers: { office: server } })
    assert.equal(await call('look'), '{"n":1}')
    assert.deepEqual(await call('look', {}, { output_schema: { type: 'object' } }), { n: 1 })
  })

  test('a server that was removed from the configuration is not called', async (t) => {
    const { server } = scripted(t, {})
    const { call } = openTools(t, { servers: { office: server } })
    const binding = { server: 'gone', tool: 'send' }
    await assert.rejects(call('send', {}, { binding }), failure('MCP_SERVER_UNKNOWN', 'unsent', /gone/))
  })
})
