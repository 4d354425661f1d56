import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { parameterHeaders, readHeaderParameters } from '../../../src/adapters/mcp/header-parameters.ts'
import type { Json, JsonObject } from '../../../src/document/json.ts'
import { failure, openTools } from './opening.ts'

const text = (header: Json, more: JsonObject = {}): JsonObject => ({
  type: 'string',
  'x-mcp-header': header,
  ...more,
})
const schemaOf = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...more,
})

const SCHEMA = schemaOf({
  region: text('Region'),
  limits: schemaOf({ count: { type: 'integer', 'x-mcp-header': 'Count' } }),
  urgent: { type: 'boolean', 'x-mcp-header': 'Urgent' },
  note: { type: 'string' },
})

/** A server that speaks one revision, and notes the headers of each call. */
async function serve(
  t: TestContext,
  version: '2026-07-28' | '2025-11-25',
  tools: Json,
  answer: JsonObject = { content: [{ type: 'text', text: 'called' }], resultType: 'complete' },
) {
  const calls: IncomingHttpHeaders[] = []
  const results: Readonly<Record<string, JsonObject>> = {
    'server/discover': {
      resultType: 'complete',
      ttlMs: 0,
      cacheScope: 'private',
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {} },
      serverInfo: { name: 'regions', version: '1' },
    },
    initialize: {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'regions', version: '1' },
    },
    'tools/list': { tools, resultType: 'complete', ttlMs: 0, cacheScope: 'private' },
    'tools/call': answer,
  }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { id, method = '' } = JSON.parse(Buffer.concat(chunks).toString() || '{}')
    if (id === undefined) return void response.writeHead(request.method === 'GET' ? 405 : 202).end()
    if (method === 'tools/call') calls.push(request.headers)
    const known = method !== (version === '2026-07-28' ? 'initialize' : 'server/discover')
    const result = known ? results[method] : undefined
    const reply = result === undefined ? { error: { code: -32601, message: 'no such method' } } : { result }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...reply }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
  return { ...openTools(t, { servers: { regions: { url } } }), calls }
}

const paramsIn = (headers: IncomingHttpHeaders = {}) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('mcp-param-')))

describe('arguments of MCP tools that are also headers', () => {
  test('are sent with the call to a server of the 2026 revision: those that have a value, and no others', async (t) => {
    const { call, calls } = await serve(t, '2026-07-28', [{ name: 'move', inputSchema: SCHEMA }])
    const more = { parameters_schema: SCHEMA }
    assert.equal(
      await call('move', { region: 'eu', limits: { count: 3 }, urgent: false, note: 'x' }, more),
      'called',
    )
    assert.equal(await call('move', { region: ' Österreich', urgent: null }, more), 'called')
    assert.deepEqual(calls.map(paramsIn), [
      { 'mcp-param-region': 'eu', 'mcp-param-count': '3', 'mcp-param-urgent': 'false' },
      { 'mcp-param-region': `=?base64?${Buffer.from(' Österreich').toString('base64')}?=` },
    ])
  })

  test('are not sent as headers to a server of an earlier revision', async (t) => {
    const { call, calls } = await serve(t, '2025-11-25', [{ name: 'move', inputSchema: SCHEMA }])
    assert.equal(await call('move', { region: 'eu' }, { parameters_schema: SCHEMA }), 'called')
    assert.deepEqual(calls.map(paramsIn), [{}])
  })

  test('a tool with an invalid declaration is not offered, with the reason; others are', async (t) => {
    const broken = schemaOf({ region: text('Region\r\nX-Other: 1') })
    const tools = [
      { name: 'move', inputSchema: SCHEMA },
      { name: 'broken', inputSchema: broken },
    ]
    const found = await (await serve(t, '2026-07-28', tools)).mcp.discover({
      name: 'x',
      endpoint: 'mcp://regions',
    })
    assert.ok(found.found)
    assert.deepEqual(
      found.tools.map(({ name }) => name),
      ['move'],
    )
    assert.match(JSON.stringify(found.notes), /broken: the x-mcp-header of region is not a header name/)
    const earlier = await serve(t, '2025-11-25', tools)
    const old = await earlier.mcp.discover({ name: 'x', endpoint: 'mcp://regions' })
    assert.deepEqual(old.found && old.tools.map(({ name }) => name), ['move', 'broken'])
  })

  const invalid: Readonly<Record<string, JsonObject>> = {
    'an empty name': schemaOf({ a: text('') }),
    'a name with a space': schemaOf({ a: text('My Region') }),
    'a name with a colon': schemaOf({ a: text('Region:1') }),
    'a name that is no text': schemaOf({ a: text(7) }),
    'a number': schemaOf({ a: { type: 'number', 'x-mcp-header': 'A' } }),
    'a list': schemaOf({ a: { type: 'array', 'x-mcp-header': 'A' } }),
    'an object': schemaOf({ a: { type: 'object', 'x-mcp-header': 'A' } }),
    'no type': schemaOf({ a: { 'x-mcp-header': 'A' } }),
    'two names that differ in case': schemaOf({ a: text('Region'), b: text('REGION') }),
    'an item': schemaOf({ a: { type: 'array', items: text('A') } }),
    'an alternative': schemaOf({ a: { anyOf: [text('A')] } }),
    'a definition': schemaOf({}, { $defs: { A: text('A') } }),
    'other members': schemaOf({}, { additionalProperties: text('A') }),
    'the arguments themselves': { ...schemaOf({}), 'x-mcp-header': 'A' },
  }
  for (const [name, schema] of Object.entries(invalid))
    test(`${name} is an invalid declaration`, () => {
      assert.ok('why' in readHeaderParameters(schema), JSON.stringify(schema))
      assert.deepEqual(parameterHeaders(schema, { a: 'x' }), {})
    })

  test('a value that looks like encoded text, is empty or has a control character is encoded', () => {
    const of = (a: Json) => parameterHeaders(schemaOf({ a: text('A') }), { a })['Mcp-Param-A']
    const encoded = (plain: string) => `=?base64?${Buffer.from(plain).toString('base64')}?=`
    for (const plain of ['', '=?base64?YQ==?=', 'a\r\nb', 'a ', '🦊']) assert.equal(of(plain), encoded(plain))
    assert.equal(of('a b'), 'a b')
  })
})

test('a server that asks for more than a person can give has not made the call: the failure says for what', async (t) => {
  const ask = { method: 'elicitation/create', params: { message: 'Really?' } }
  const inputRequests = { a: ask, b: { method: 'sampling/createMessage' } }
  const answer: JsonObject = { resultType: 'input_required', requestState: 's', inputRequests }
  const { call } = await serve(t, '2026-07-28', [], answer)
  await assert.rejects(
    call('ask'),
    failure('MCP_CALL_REFUSED', 'answered', /has not made the call of ask.*sampling\/createMessage/),
  )
})

test('a server that wants the same call again and again has not made it', async (t) => {
  const { call, calls } = await serve(t, '2026-07-28', [], {
    resultType: 'input_required',
    requestState: 's',
  })
  await assert.rejects(call('ask'), failure('MCP_CALL_REFUSED', 'answered', /wanted it again 8 times/))
  assert.equal(calls.length, 9)
})
