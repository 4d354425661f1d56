import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { WebSocketServer } from 'ws'
import { createGuardedFetch } from '../../src/adapters/net/guarded-fetch.ts'
import { environmentSecrets } from '../../src/adapters/secrets/environment-secrets.ts'
import { createFunctionTool } from '../../src/adapters/tools/function-tool.ts'
import { createHttpTool } from '../../src/adapters/tools/http-tool.ts'
import { exactText } from '../../src/document/exact-numbers.ts'
import type { Json, JsonObject } from '../../src/document/json.ts'
import { failure, openTools } from './mcp/opening.ts'
import { loopback, toolNamed } from './model-fixture.ts'
import { apiServer, callApi, documentOf, planApi, toolOf } from './openapi/api-fixture.ts'

const noteOf = (result: Json) => String((result as JsonObject).note)

describe('the answer of a write over HTTP', () => {
  const http = createHttpTool({
    fetch: createGuardedFetch({ grants: loopback, maxResponseBytes: 1000 }),
    secrets: environmentSecrets({}),
    secretGrants: [],
  })
  /** Calls a tool of each kind whose server answers so. */
  async function calls(
    t: TestContext,
    answer: (response: ServerResponse) => void,
    effect: 'read' | 'write' = 'write',
  ) {
    const { url } = await apiServer(t, answer)
    const tool = toolNamed('t', { protocol: 'http', effect, endpoint: `${url}/a` })
    const plan = await planApi(
      t,
      documentOf({ '/a': { post: { operationId: 'go', responses: {} } } }, { servers: [{ url }] }),
    )
    return {
      http: () => http.call({ tool, args: {}, key: 'k' }, { signal: new AbortController().signal }),
      openapi: () => callApi({ ...toolOf(plan, 'api'), effect }, {}),
    }
  }

  const bodiless: readonly (readonly [number, Record<string, string>, Json])[] = [
    [201, { location: '/things/9' }, { status: 201, location: '/things/9' }],
    [202, { location: '/jobs/3', 'content-type': 'application/json' }, { status: 202, location: '/jobs/3' }],
    [204, {}, { status: 204 }],
    [200, {}, { status: 200 }],
    [303, { location: '/things/9' }, { status: 303, location: '/things/9' }],
  ]
  for (const [status, headers, result] of bodiless) {
    test(`without a body, it is its status and location: ${JSON.stringify(result)}`, async (t) => {
      const { http, openapi } = await calls(t, (response) => response.writeHead(status, headers).end())
      assert.deepEqual(await http(), result)
      assert.deepEqual(await openapi(), result)
    })
  }

  test('a body of null says the same, and a body with data is the result', async (t) => {
    const headers = { 'content-type': 'application/json', location: '/things/9' }
    const empty = await calls(t, (response) => response.writeHead(201, headers).end('null'))
    assert.deepEqual(await empty.http(), { status: 201, location: '/things/9' })
    const full = await calls(t, (response) => response.writeHead(201, headers).end('{"id":9}'))
    assert.deepEqual(await full.openapi(), { id: 9 })
  })

  test('a refusal names when to come back', async (t) => {
    for (const status of [429, 503]) {
      const { http, openapi } = await calls(t, (response) =>
        response.writeHead(status, { 'retry-after': '30' }).end('slow down'),
      )
      for (const call of [http, openapi])
        await assert.rejects(
          call(),
          failure(
            'TOOL_HTTP_STATUS',
            status === 429 ? 'answered' : 'unknown',
            /retry-after: 30\): slow down/,
          ),
        )
    }
  })

  const unreadable: Record<string, readonly [(response: ServerResponse) => void, string, RegExp]> = {
    'binary data': [
      (response) => response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.from([0x89, 0, 1])),
      'TOOL_RESULT_NOT_TEXT',
      /is binary data/,
    ],
    'too large': [
      (response) => response.writeHead(200).end('y'.repeat(2000)),
      'TOOL_RESULT_TOO_LARGE',
      /larger than the limit/,
    ],
    'too large, in pieces': [
      (response) => {
        response.writeHead(200).write('y'.repeat(500))
        response.end('y'.repeat(1500))
      },
      'TOOL_RESULT_TOO_LARGE',
      /larger than the limit/,
    ],
    'a wrong encoding': [
      (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('plain'),
      'TOOL_RESULT_INCOMPLETE',
      /ended too early/,
    ],
    'a compressed body without its end': [
      (response) =>
        response
          .writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'application/json' })
          .end(gzipSync('{"id":9}').subarray(0, -5)),
      'TOOL_RESULT_INCOMPLETE',
      /ended too early/,
    ],
    'a body that breaks off': [
      (response) =>
        response
          .writeHead(201, { 'content-length': '100', location: '/a' })
          .write('{"id":', () => response.destroy()),
      'TOOL_RESULT_INCOMPLETE',
      /ended too early/,
    ],
  }
  for (const [name, [answer, code, why]] of Object.entries(unreadable)) {
    test(`${name}: a write is reported as made, a read fails`, async (t) => {
      const write = await calls(t, answer)
      for (const call of [write.http, write.openapi]) {
        if (call === write.openapi && name.startsWith('too large')) continue
        const note = noteOf(await call())
        assert.match(note, /^The call was made\. Do not repeat it/)
        assert.match(note, why)
      }
      const read = await calls(t, answer, 'read')
      await assert.rejects(read.http(), failure(code, 'answered', /has answered/))
    })
  }

  test('what has arrived of a body that breaks off is given', async (t) => {
    const [answer] = unreadable['a body that breaks off'] ?? []
    const { http } = await calls(t, (response) => answer?.(response))
    const { status, location, answer_begins } = (await http()) as JsonObject
    assert.deepEqual([status, location, answer_begins], [201, '/a', '{"id":'])
  })

  test('text with invalid bytes, invalid JSON and JSON that is nested too deeply are given as text', async (t) => {
    const json = { 'content-type': 'application/json' }
    const deep = `${'['.repeat(300)}${']'.repeat(300)}`
    for (const [body, result] of [
      [Buffer.from([0x61, 0xff]), 'a\ufffd'],
      [Buffer.from('OK'), 'OK'],
      [Buffer.from(deep), deep],
    ] as const) {
      const { http, openapi } = await calls(t, (response) => response.writeHead(200, json).end(body))
      assert.equal(await http(), result)
      assert.equal(await openapi(), result)
    }
  })

  test('a connection that breaks before the status leaves the fate unknown', async (t) => {
    const { http, openapi } = await calls(t, (response) => response.destroy())
    await assert.rejects(http(), failure('TOOL_UNREACHABLE', 'unknown'))
    await assert.rejects(openapi(), failure('TOOL_UNREACHABLE', 'unknown'))
  })

  test('a redirect of a write other than 303 is not followed, and is a failure', async (t) => {
    const { http } = await calls(t, (response) => response.writeHead(307, { location: '/b' }).end())
    await assert.rejects(http(), failure('ENDPOINT_REDIRECT_REFUSED', 'answered'))
  })
})

describe('the answer of a write over MCP', () => {
  const ODD = join(import.meta.dirname, 'mcp', 'odd-server.mjs')
  const overProcess = (t: TestContext) =>
    openTools(t, { servers: { odd: { command: process.execPath, args: [ODD] } }, idleMs: 20_000 })

  async function overSocket(t: TestContext) {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
    t.after(() => server.close())
    await once(server, 'listening')
    server.on('connection', (socket) =>
      socket.on('message', (data) => {
        const { id, method, params } = JSON.parse(String(data))
        const { protocolVersion } = params ?? {}
        if (method === 'initialize')
          socket.send(
            JSON.stringify({
              jsonrpc: '2.0',
              id,
              result: {
                protocolVersion,
                capabilities: { tools: {} },
                serverInfo: { name: 'odd', version: '1' },
              },
            }),
          )
        else if (method === 'tools/call')
          socket.send(Buffer.from(params.arguments.raw.replaceAll('ID', String(id))), {
            binary: params.arguments.binary === true,
          })
      }),
    )
    const { port } = server.address() as AddressInfo
    return openTools(t, { servers: { odd: { url: `ws://127.0.0.1:${port}` } }, idleMs: 20_000 })
  }

  const text = '"content":[{"type":"text","text":"fine"}]'
  const given: readonly (readonly [raw: string, result: unknown])[] = [
    [`{"jsonrpc":"2.0","id":ID,"result":{${text},"_meta":null}}`, 'fine'],
    [`{"jsonrpc":"2.0","id":"ID","result":{${text}}}`, 'fine'],
    [`{"id":ID,"result":{${text},"isError":null,"structuredContent":null}}`, 'fine'],
    [`[{"jsonrpc":"2.0","id":ID,"result":{${text}}}]`, 'fine'],
    [`{"jsonrpc":"2.0","id":ID,"error":null,"result":{${text}}}`, 'fine'],
    [
      '{"jsonrpc":"2.0","id":ID,"result":{"content":null,"structuredContent":{"a":9007199254740993}}}',
      { a: { $number: '9007199254740993' } },
    ],
    ['{"jsonrpc":"2.0","id":ID,"result":{"content":{"type":"text","text":"fine"}}}', 'fine'],
    [
      '{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"chart","points":[1]},null]}}',
      '{"type":"chart","points":[1]}',
    ],
    ['{"jsonrpc":"2.0","id":ID,"result":"done"}', 'done'],
    ['{"jsonrpc":"2.0","id":ID,"result":{"booked":true}}', { booked: true }],
    ['{"jsonrpc":"2.0","id":ID,"result":{"toolResult":{"booked":true}}}', { booked: true }],
  ]
  const unreadable: readonly (readonly [raw: string, why: RegExp])[] = [
    ['{"jsonrpc":"2.0","id":ID,"result":null}', /has no result/],
    ['{"jsonrpc":"2.0","id":ID}', /has no result/],
    [
      `{"jsonrpc":"2.0","id":ID,"result":{${text}},"error":{"code":1,"message":"no"}}`,
      /has a result and an error/,
    ],
    ['{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":"cut', /is not valid JSON/],
    [`{"jsonrpc":"2.0","id":ID,"result":${'['.repeat(300)}${']'.repeat(300)}}`, /nested too deeply/],
  ]
  for (const [name, open] of Object.entries({ 'a process': overProcess, 'a WebSocket': overSocket })) {
    test(`over ${name}, a message with the id of the call settles it at once`, async (t) => {
      const { call } = await open(t)
      const begun = performance.now()
      for (const [raw, result] of given)
        assert.deepEqual(await call('send', { raw }, { effect: 'write' }), result, raw)
      for (const [raw, why] of unreadable) {
        const note = noteOf(await call('send', { raw }, { effect: 'write' }))
        assert.match(note, /^The call was made\. Do not repeat it/)
        assert.match(note, why)
        await assert.rejects(
          call('send', { raw }, { effect: 'read' }),
          failure('MCP_RESULT_INVALID', 'answered'),
        )
      }
      assert.ok(performance.now() - begun < 20_000)
    })

    test(`over ${name}, an error of the server is a failure, whatever its members are`, async (t) => {
      const { call } = await open(t)
      const errors = [
        '{"code":-32000,"message":"not today"}',
        '"not today"',
        '{"message":"not today","code":"X"}',
        '{"code":-32077,"message":"not today"}',
        '{"code":null,"message":null,"why":"not today"}',
      ]
      for (const error of errors) {
        const raw = `{"jsonrpc":"2.0","id":ID,"error":${error}}`
        await assert.rejects(
          call('send', { raw }, { effect: 'write' }),
          failure('MCP_CALL_REFUSED', 'answered', /not today/),
        )
      }
    })
  }

  test('binary frames of a WebSocket are read', async (t) => {
    const { call } = await overSocket(t)
    const raw = `{"jsonrpc":"2.0","id":ID,"result":{${text}}}`
    assert.equal(await call('send', { raw, binary: true }), 'fine')
  })

  test('an answer of a process that is too large, or holds invalid bytes, settles its call, and the next one works', async (t) => {
    const { call } = await overProcess(t)
    const large = '{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":"FILL"}]}}'
    const result = (await call('send', { raw: large, fill: 11_000_000 }, { effect: 'write' })) as JsonObject
    assert.match(noteOf(result), /larger than the limit/)
    assert.match(String(result.answer_begins), /^\{"jsonrpc"/)
    const odd = '{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":"a'
    assert.equal(await call('send', { raw: odd, base64: '/w==' }), 'a\ufffd')
    assert.equal(await call('send', { raw: `{"jsonrpc":"2.0","id":ID,"result":{${text}}}` }), 'fine')
  })

  test('numbers of arguments and of texts in JSON keep their digits', async (t) => {
    const { call } = await overProcess(t)
    const raw =
      '{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":"{\\"id\\":12345678901234567890}"}]}}'
    const typed = await call('send', { raw }, { output_schema: { type: 'object' } })
    assert.equal(exactText(typed), '{"id":12345678901234567890}')
    const { url, received } = await apiServer(t, (response, { method: verb, body }) => {
      if (verb !== 'POST') return response.writeHead(405).end()
      const { id, method } = JSON.parse(body) as { id?: number; method: string }
      if (id === undefined) return response.writeHead(202).end()
      const initialized = {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 's', version: '1' },
      }
      const result = method === 'initialize' ? initialized : { content: [{ type: 'text', text: 'fine' }] }
      const known = method === 'initialize' || method === 'tools/call'
      return response.writeHead(200, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          jsonrpc: '2.0',
          id,
          ...(known ? { result } : { error: { code: -32601, message: 'no' } }),
        }),
      )
    })
    const http = openTools(t, { servers: { s: { url: `${url}/mcp` } }, grants: loopback })
    await http.call('send', { id: { $number: '9007199254740993' } })
    assert.ok(received.some(({ body }) => body.includes('"arguments":{"id":9007199254740993}')))
  })

  const statuses: readonly (readonly [number, string, string, RegExp | 'answered' | 'unknown'])[] = [
    [200, 'text/plain', 'booked', /is not a message of MCP \(text\/plain\)/],
    [200, 'application/json', '{"booked":', /is not a message of MCP/],
    [200, 'application/json', '', /has no body/],
    [202, '', '', /has no body/],
    [204, '', '', /has no body/],
    [500, 'text/plain', 'no', 'answered'],
    [429, 'text/plain', 'no', 'answered'],
    [502, 'text/plain', 'no', 'unknown'],
    [503, 'text/plain', 'no', 'unknown'],
    [504, 'text/plain', 'no', 'unknown'],
    [522, 'text/plain', 'no', 'unknown'],
  ]
  for (const [status, type, body, outcome] of statuses) {
    test(`over HTTP, a call that is answered with ${status} ${type} ${JSON.stringify(body)}`, async (t) => {
      const { url } = await apiServer(t, (response, { method, body: sent }) => {
        if (method !== 'POST') return response.writeHead(405).end()
        const { id, method: name, params } = JSON.parse(sent)
        if (id === undefined) return response.writeHead(202).end()
        if (name === 'tools/call') return response.writeHead(status, { 'content-type': type }).end(body)
        const { protocolVersion } = params ?? {}
        const result = {
          protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: 's', version: '1' },
        }
        const answer = name === 'initialize' ? { result } : { error: { code: -32601, message: 'no' } }
        return response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
      })
      const { call } = openTools(t, {
        servers: { s: { url: `${url}/mcp` } },
        grants: loopback,
        idleMs: 20_000,
      })
      const made = call('send', {}, { effect: 'write' })
      if (typeof outcome === 'string') await assert.rejects(made, failure('MCP_CALL_REFUSED', outcome))
      else assert.match(noteOf(await made), outcome)
    })
  }
})

describe('the result of a function', () => {
  const resultOf = (value: unknown) =>
    createFunctionTool({ tools: new Map([['f', { call: () => value }]]) as never }).call(
      { tool: toolNamed('f', { effect: 'write' }), args: {}, key: 'k' },
      { signal: new AbortController().signal },
    )
  const cyclic: Record<string, unknown> = { a: 1 }
  cyclic.self = cyclic
  const shared = { x: 1 }
  const table: readonly (readonly [unknown, Json])[] = [
    [new Date(0), '1970-01-01T00:00:00.000Z'],
    [{ at: new Date(Number.NaN) }, { at: 'Invalid Date' }],
    [{ n: [Number.NaN, -Infinity, 1n] }, { n: ['NaN', '-Infinity', 1] }],
    [new Map([['a', new Set([1])]]), { a: [1] }],
    [new Map([[1, 2]]), [[1, 2]]],
    [cyclic, { a: 1, self: '[contains itself]' }],
    [
      [shared, shared],
      [{ x: 1 }, { x: 1 }],
    ],
    [
      new (class Order {
        id = 5
      })(),
      { id: 5 },
    ],
    [new Error('late'), { error: 'Error', message: 'late' }],
    [Buffer.from('abc'), '[3 bytes: not shown]'],
    [{ toJSON: () => ({ a: 1 }) }, { a: 1 }],
    [
      {
        get a(): never {
          throw new Error('no')
        },
        b: 1,
      },
      { a: '[cannot be read: no]', b: 1 },
    ],
    [{ f: () => 1, u: undefined, s: Symbol('s') }, {}],
    [() => 1, null],
  ]
  for (const [value, result] of table) {
    test(`is given as far as it can be read: ${JSON.stringify(result)}`, async () => {
      assert.deepEqual(await resultOf(value), result)
    })
  }
})
