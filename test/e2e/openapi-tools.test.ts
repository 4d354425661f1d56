import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { planRun, type RunEvent, run } from 'waybill'
import type { JsonObject } from '../../src/document/json.ts'
import { validateAgentDefinition } from '../../src/spec/aaif/validate-agent-definition.ts'
import { scriptedModel } from '../../src/testing/index.ts'
import { agentWith, apiServer, documentOf, folderWith } from '../adapters/openapi/api-fixture.ts'

const ENV = { OPENAI_API_KEY: 'any-key' }

function shopAt(url: string): JsonObject {
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } }
  const body = { required: true, content: { 'application/json': { schema: { type: 'object' } } } }
  return documentOf(
    {
      '/items/{id}': {
        parameters: [id],
        get: { operationId: 'getItem' },
        put: { operationId: 'putItem', requestBody: body },
      },
    },
    { servers: [{ url }] },
  )
}

function shopAgent(tool: JsonObject = {}, members: JsonObject = {}) {
  const definition = agentWith({ name: 'shop', endpoint: 'shop.json', ...tool })
  const agent = { ...definition.agent, model: { provider: 'openai', preferred: 'gpt-4o' }, ...members }
  return { ...definition, agent } as typeof definition
}

describe('AAIF §4.4 agents with OpenAPI tools', () => {
  test('AAIF-4.4-06: the model gets the operations, calls them, and reads their answers', async (t) => {
    const { url, received } = await apiServer(t, (response, { method }) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify(method === 'GET' ? { id: 7, name: 'lamp' } : { saved: true })),
    )
    const folder = folderWith(t, { 'shop.json': shopAt(url) })
    const model = scriptedModel([
      { calls: [{ tool: 'getItem', args: { id: 7 } }] },
      { calls: [{ tool: 'putItem', args: { id: 7, body: { name: 'desk' } } }], expect: { contains: 'lamp' } },
      { text: 'Done.', expect: { contains: 'saved' } },
    ])
    const options = { folder, env: ENV, allowHosts: ['127.0.0.1'], modelPort: model }
    const result = await run(shopAgent(), options)
    model.assertDone()
    assert.equal(result.output, 'Done.')
    assert.deepEqual(
      received.map(({ method, path, body }) => [method, path, body]),
      [
        ['GET', '/items/7', ''],
        ['PUT', '/items/7', '{"name":"desk"}'],
      ],
    )
    assert.deepEqual(
      model.requests[0]?.plan.tools.map(({ name }) => name),
      ['getItem', 'putItem'],
    )
  })

  test('arguments that do not match the schema are returned to the model, and no request is sent', async (t) => {
    const { url, received } = await apiServer(t)
    const folder = folderWith(t, { 'shop.json': shopAt(url) })
    const model = scriptedModel([
      { calls: [{ tool: 'getItem', args: { id: 'seven' } }] },
      { text: 'No.', expect: { error: true, contains: 'must be an integer' } },
    ])
    await run(shopAgent(), { folder, env: ENV, allowHosts: ['127.0.0.1'], modelPort: model })
    model.assertDone()
    assert.equal(received.length, 0)
  })

  test('a write asks a person if the agent requires it, a read does not', async (t) => {
    const { url, received } = await apiServer(t)
    const folder = folderWith(t, { 'shop.json': shopAt(url) })
    const model = scriptedModel([
      {
        calls: [
          { tool: 'getItem', args: { id: 1 } },
          { tool: 'putItem', args: { id: 1, body: {} } },
        ],
      },
    ])
    const members = { compliance: { human_in_the_loop: { enabled: true } } }
    const options = { folder, env: ENV, allowHosts: ['127.0.0.1'], modelPort: model }
    const result = await run(shopAgent({}, members), options)
    assert.equal(result.status, 'awaiting_approval')
    assert.deepEqual(
      received.map(({ method }) => method),
      ['GET'],
    )
  })

  test('AAIF-4.4-15: an operation that is slower than timeout_seconds is aborted, a read as an ordinary failure', async (t) => {
    const ended = Promise.withResolvers<void>()
    const { url } = await apiServer(t, (response) => response.on('close', ended.resolve))
    const folder = folderWith(t, { 'shop.json': shopAt(url) })
    const model = scriptedModel([
      { calls: [{ tool: 'getItem', args: { id: 1 } }] },
      { text: 'Late.', expect: { error: true, contains: 'TOOL_TIMEOUT' } },
    ])
    const options = { folder, env: ENV, allowHosts: ['127.0.0.1'], modelPort: model }
    await run(shopAgent({ timeout_seconds: 1 }), options)
    model.assertDone()
    // Without this the server would continue with work whose result is not needed.
    await ended.promise
  })

  test('a rehearsal calls no server', async (t) => {
    const { url, received } = await apiServer(t)
    const folder = folderWith(t, { 'shop.json': shopAt(url) })
    const events: RunEvent[] = []
    const onEvent = (event: RunEvent) => events.push(event)
    const result = await run(shopAgent(), { folder, env: {}, rehearse: true, onEvent })
    assert.equal(result.status, 'completed')
    assert.equal(result.usage.tool_calls, 2)
    assert.equal(received.length, 0)
  })
})

describe('AAIF §4.4 rules for every tool', () => {
  const weather = { name: 'weather', protocol: 'function', description: 'Of a city.' }
  const functionAgent = (tool: JsonObject) => shopAgent({ ...weather, endpoint: undefined as never, ...tool })
  const read = <T>(call: () => Promise<T>) => Object.assign(call, { readOnly: true })

  test('the plan shows the cache time, the rate limit and the timeout', async () => {
    const rate_limit = { requests_per_minute: 3, tokens_per_minute: 900 }
    const agent = functionAgent({ cache_ttl_seconds: 60, timeout_seconds: 5, rate_limit })
    const { tools } = await planRun(agent, { env: ENV, tools: { weather: read(async () => 1) } })
    const { cache_ms, timeout_ms, rate_limit: planned } = tools[0] ?? {}
    assert.deepEqual([cache_ms, timeout_ms, planned], [60_000, 5_000, rate_limit])
  })

  test('AAIF-4.4-14: a run calls a tool once for the same arguments within cache_ttl_seconds', async () => {
    let calls = 0
    const tools = { weather: read(async () => ({ calls: ++calls })) }
    const model = scriptedModel([
      { calls: [{ tool: 'weather', args: { city: 'Oslo' } }] },
      { calls: [{ tool: 'weather', args: { city: 'Oslo' } }] },
      { text: 'Sunny.', expect: { contains: '"calls":1' } },
    ])
    await run(functionAgent({ cache_ttl_seconds: 60 }), { env: ENV, tools, modelPort: model })
    model.assertDone()
    assert.equal(calls, 1)
  })

  test('AAIF-4.4-14: two equal calls of one turn are sent once, and both are answered', async () => {
    let calls = 0
    const tools = {
      weather: read(async () => {
        await new Promise((done) => setTimeout(done, 20))
        return { calls: ++calls }
      }),
    }
    const call = { tool: 'weather', args: { city: 'Oslo' } }
    const script = () =>
      scriptedModel([{ calls: [call, call] }, { text: 'Sunny.', expect: { contains: '"calls":' } }])
    const model = script()
    await run(functionAgent({ cache_ttl_seconds: 60 }), { env: ENV, tools, modelPort: model })
    model.assertDone()
    assert.equal(calls, 1)
    // Without a cache both are sent.
    await run(functionAgent({}), { env: ENV, tools, modelPort: script() })
    assert.equal(calls, 3)
  })

  test('a truncated result is not a breach of its output_schema', async () => {
    const tools = { weather: read(async () => Array.from({ length: 50_000 }, (_, n) => n)) }
    const output_schema = { type: 'array', items: { type: 'integer' } }
    const model = scriptedModel([
      { calls: [{ tool: 'weather' }] },
      { text: 'Long.', expect: { error: false, contains: /result_cut.*of 50000 items/ } },
    ])
    await run(functionAgent({ output_schema }), { env: ENV, tools, modelPort: model })
    model.assertDone()
  })

  test('AAIF-4.4-08: a tool of any protocol may have an auth block, or none', () => {
    for (const protocol of ['function', 'mcp', 'http', 'openapi']) {
      for (const auth of [undefined, { type: 'bearer', env_var: 'TOKEN' }, { type: 'none' }]) {
        const tool = {
          name: 't',
          description: 'd',
          protocol,
          endpoint: 'https://api.example/x',
          ...(auth && { auth }),
        }
        const endpoint = protocol === 'mcp' ? { endpoint: 'mcp://server/x' } : {}
        const errors = validateAgentDefinition(
          JSON.parse(JSON.stringify(agentWith({ ...tool, ...endpoint }))),
        ).filter(({ severity }) => severity === 'error')
        assert.deepEqual(errors, [], `${protocol} with ${JSON.stringify(auth)}`)
      }
    }
  })
})
