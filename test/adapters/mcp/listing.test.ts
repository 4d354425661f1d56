import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Json, JsonObject } from '../../../src/document/json.ts'
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

  describe('a list that goes wrong is used as far as it was read, and the plan says so', () => {
    const a = tool('a')
    const b = tool('b')
    const many = Array.from({ length: 1001 }, (_, n) => tool(`t${n}`))
    for (const [what, lists, names, note] of [
      ['it repeats a cursor', [{ tools: [a, b], nextCursor: 'same' }], ['a', 'b'], /repeats a cursor/],
      [
        'its second page is an error',
        [{ tools: [a], nextCursor: '2' }, null],
        ['a'],
        /page 2 was not read: .*not today/,
      ],
      [
        'its second page has no list',
        [{ tools: [a], nextCursor: '2' }, {}],
        ['a'],
        /page 2 .* contains no list/,
      ],
      [
        'it has too many tools',
        [{ tools: many }],
        many.slice(0, 1000).map(({ name }) => name),
        /more than 1000/,
      ],
      [
        'it never ends',
        Array.from({ length: 70 }, (_, n) => ({ tools: [tool(`t${n}`)], nextCursor: `${n}` })),
        Array.from({ length: 64 }, (_, n) => `t${n}`),
        /more than 64 pages/,
      ],
    ] as readonly (readonly [string, readonly (JsonObject | null)[], readonly string[], RegExp])[]) {
      test(what, async (t) => {
        const { server } = scripted(t, { lists: lists as Json })
        const { mcp } = openTools(t, { servers: { office: server } })
        const found = await mcp.discover({ name: 'x', endpoint: 'mcp://office' })
        assert.ok(found.found, JSON.stringify(found))
        assert.deepEqual(
          found.tools.map(({ name }) => name),
          names,
        )
        assert.match(found.notes?.texts.join() ?? '', note)
      })
    }

    test('a page that never comes costs only itself', async (t) => {
      const lists = [{ tools: [a], nextCursor: '2' }, { tools: [b], nextCursor: '3' }, 'silent'] as Json
      const { server } = scripted(t, { lists })
      const { mcp } = openTools(t, { servers: { office: server }, discoverMs: 8000 })
      const found = await mcp.discover({ name: 'x', endpoint: 'mcp://office' })
      assert.ok(found.found, JSON.stringify(found))
      assert.deepEqual(
        found.tools.map(({ name }) => name),
        ['a', 'b'],
      )
      assert.match(found.notes?.texts.join() ?? '', /may not be complete: page 3 was not read: .*within 8 s/)
    })

    test('a first page that never comes is a server without a list', async (t) => {
      const { server } = scripted(t, { lists: ['silent'] })
      const { mcp } = openTools(t, { servers: { office: server }, discoverMs: 2000 })
      const found = await mcp.discover({ name: 'x', endpoint: 'mcp://office' })
      assert.match(found.found ? '' : found.reason, /within 2 s/)
    })

    test('a list whose first page is an error is not found', async (t) => {
      const { server } = scripted(t, { lists: [null] })
      const { mcp } = openTools(t, { servers: { office: server } })
      const found = await mcp.discover({ name: 'x', endpoint: 'mcp://office' })
      assert.match(found.found ? '' : found.reason, /not today/)
    })
  })

  describe('an odd tool costs only itself', () => {
    const odd: readonly (readonly [what: string, tool: Json, offered: boolean, note?: RegExp])[] = [
      ['no arguments', { name: 'odd' }, true, /describes no arguments/],
      ['null arguments', { name: 'odd', inputSchema: null }, true, /describes no arguments/],
      ['arguments as text', { name: 'odd', inputSchema: 'object' }, true, /describes no arguments/],
      ['null properties', { name: 'odd', inputSchema: { type: 'object', properties: null } }, true],
      ['null required', { name: 'odd', inputSchema: { type: 'object', required: null } }, true],
      ['no type', { name: 'odd', inputSchema: { properties: {} } }, true],
      ['another type', { name: 'odd', inputSchema: { type: 'string' } }, true, /not "object"/],
      ['null annotations', tool('odd', { annotations: null }), true],
      ['annotations as text', tool('odd', { annotations: 'readOnly' }), true, /hints are not an object/],
      ['a hint of another type', tool('odd', { annotations: { readOnlyHint: 'yes' } }), true],
      ['description 5', tool('odd', { description: 5 }), true, /description is not text/],
      ['null description', tool('odd', { description: null }), true],
      ['null title', tool('odd', { title: null, icons: null, execution: null, _meta: null }), true],
      ['null output schema', tool('odd', { outputSchema: null }), true],
      ['output schema as text', tool('odd', { outputSchema: 'x' }), true, /results are not checked/],
      ['null', null, false, /entry 2 is not an object/],
      ['text', 'odd', false, /entry 2 is not an object/],
      ['no name', { inputSchema: { type: 'object' } }, false, /entry 2 has no name/],
      ['name 5', tool('odd', { name: 5 }), false, /entry 2 has no name/],
      ['half a character', tool('odd', { description: '\ud83d' }), false, /not Unicode/],
    ]
    for (const [what, given, offered, note] of odd) {
      test(what, async (t) => {
        const { server } = scripted(t, { lists: [{ tools: [tool('a'), given, tool('b')] }] })
        const { mcp } = openTools(t, { servers: { office: server } })
        const found = await mcp.discover({ name: 'x', endpoint: 'mcp://office' })
        assert.ok(found.found, JSON.stringify(found))
        assert.deepEqual(
          found.tools.map(({ name }) => name),
          offered ? ['a', 'odd', 'b'] : ['a', 'b'],
        )
        const said = [...(found.notes?.texts ?? []), ...found.tools.flatMap((each) => each.note ?? [])]
        if (note === undefined) assert.deepEqual(said, [])
        else assert.match(said.join(), note)
        for (const { parameters_schema } of found.tools) assert.equal(parameters_schema.type, 'object')
      })
    }

    test('null in the place of a cursor ends the list', async (t) => {
      const { server, log } = scripted(t, { lists: [{ tools: [tool('a')], nextCursor: null }] })
      const { mcp } = openTools(t, { servers: { office: server } })
      const found = await mcp.discover({ name: 'x', endpoint: 'mcp://office' })
      assert.ok(found.found && found.notes === undefined, JSON.stringify(found))
      assert.equal(log().filter((line) => line === 'listed').length, 1)
    })
  })

  describe('a handshake with an odd member is a handshake', () => {
    const hello: JsonObject = {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 's', version: '1' },
    }
    const { serverInfo: _info, ...anonymous } = hello
    const { capabilities: _able, ...unable } = hello
    const { protocolVersion: _version, ...undated } = hello
    for (const [what, given] of [
      ['no version of the server', { ...hello, serverInfo: { name: 's' } }],
      ['a number as version', { ...hello, serverInfo: { name: 's', version: 1.2 } }],
      ['no name', { ...hello, serverInfo: { version: '1' } }],
      ['null members of the server', { ...hello, serverInfo: { name: 's', version: null, title: null } }],
      ['no serverInfo', anonymous],
      ['null serverInfo', { ...hello, serverInfo: null }],
      ['no capabilities', unable],
      ['null capabilities', { ...hello, capabilities: null }],
      ['a list of capabilities', { ...hello, capabilities: ['tools'] }],
      ['tools: true', { ...hello, capabilities: { tools: true } }],
      ['null capability', { ...hello, capabilities: { tools: { listChanged: null }, logging: null } }],
      ['null instructions', { ...hello, instructions: null }],
      ['no protocol version', undated],
      ['an empty result', {}],
    ] as readonly (readonly [string, JsonObject])[]) {
      test(what, async (t) => {
        const { server } = scripted(t, { hello: given })
        const { mcp, call } = openTools(t, { servers: { office: server } })
        const found = await mcp.discover({ name: 'x', endpoint: 'mcp://office' })
        assert.deepEqual(found.found && found.tools.map(({ name }) => name), ['send'], JSON.stringify(found))
        assert.equal(await call('send'), 'send done')
      })
    }

    test('a version of the protocol that is not supported is refused', async (t) => {
      const { server } = scripted(t, { hello: { ...hello, protocolVersion: '1999-01-01' } })
      const { mcp } = openTools(t, { servers: { office: server } })
      const found = await mcp.discover({ name: 'x', endpoint: 'mcp://office' })
      assert.match(found.found ? '' : found.reason, /1999-01-01/)
    })
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

  test('AAIF-4.4-18: an endpoint with the name of a tool exposes that tool alone, and one of a server all of its tools', async (t) => {
    const { server } = scripted(t, { tools: [tool('look'), tool('send')] })
    const { mcp } = openTools(t, { servers: { office: server } })
    for (const [endpoint, names] of [
      ['mcp://office/send', ['send']],
      ['mcp://office/look', ['look']],
      ['mcp://office', ['look', 'send']],
      ['mcp://office/*', ['look', 'send']],
    ] as const) {
      const found = await mcp.discover({ name: 'x', endpoint })
      assert.deepEqual(found.found && found.tools.map(({ name }) => name), names, endpoint)
    }
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
