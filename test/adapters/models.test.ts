import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { LLMock } from '@copilotkit/aimock'
import type { JsonObject } from '../../src/document/json.ts'
import type { PlannedModel } from '../../src/plan/plan.ts'
import { leftOutParams } from '../../src/policy/left-out-params.ts'
import type { Message } from '../../src/run/state.ts'
import { slowSecrets } from '../contract/slow-secrets.ts'
import {
  anthropicRoute,
  ask,
  completion,
  customRoute,
  json,
  openaiRoute,
  planWith,
  portTo,
  rawServer,
  toolNamed,
} from './model-fixture.ts'

/** Schemas that provider libraries are known to rewrite, refuse or complete. */
const ODD_SCHEMA: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    city: { type: 'string', pattern: '^(?!x).+$', 'x-note': { keep: ['me'] } },
    tags: { type: 'object', propertyNames: { enum: ['a', 'b'] } },
    more: { type: 'object', propertyNames: false, unevaluatedProperties: false },
    self: { allOf: [{ $ref: '#/$defs/node' }] },
  },
  $defs: { node: { type: 'object', additionalProperties: true } },
  required: ['city'],
}

const EVERY_PARAM = {
  temperature: 0.5,
  max_tokens: 99,
  top_p: 0.9,
  frequency_penalty: 0.25,
  presence_penalty: 0.25,
  stop: ['END'],
  seed: 7,
}
const GOOGLE = {
  max_tokens: 'maxOutputTokens',
  top_p: 'topP',
  frequency_penalty: 'frequencyPenalty',
  presence_penalty: 'presencePenalty',
  stop: 'stopSequences',
}

describe('models, against a server with both APIs', () => {
  const server = new LLMock({ port: 0, host: '127.0.0.1' })
  let url = ''
  before(async () => {
    url = await server.start()
  })
  after(() => server.stop())
  beforeEach(() => {
    server.clearFixtures()
    server.clearRequests()
  })
  const sentMessages = () =>
    (server.getLastRequest()?.body?.messages ?? []) as {
      role: string
      content: unknown
      tool_call_id?: string
    }[]
  const routes = (): PlannedModel[] => [openaiRoute(url), anthropicRoute(url), customRoute(url)]
  const usage = {
    prompt_tokens: 11,
    completion_tokens: 5,
    total_tokens: 16,
    input_tokens: 11,
    output_tokens: 5,
  }

  test('AAIF-4.2-14: a custom provider is called at its base_url', async () => {
    server.onMessage('hello', { content: 'Hi there', usage })
    const answer = await ask(portTo(), customRoute(url))
    assert.equal(answer.message.text, 'Hi there')
    assert.equal(answer.finish, 'stop')
    assert.deepEqual(answer.usage, { input_tokens: 11, output_tokens: 5 })
    assert.equal(server.getLastRequest()?.path, '/v1/chat/completions')
    assert.equal(server.getLastRequest()?.body?.model, 'test-model')
  })

  test('the system prompt is first in every API, then the conversation', async () => {
    server.onMessage('hello', { content: 'ok', usage })
    for (const route of routes()) {
      await ask(portTo(), route)
      const messages = sentMessages()
      assert.deepEqual(
        messages.map(({ role }) => role),
        ['system', 'user'],
        route.provider,
      )
      assert.match(JSON.stringify(messages[0]?.content), /You are terse\./)
    }
  })

  for (const streamed of [false, true]) {
    const how = streamed ? 'streamed' : 'at once'
    test(`text is returned ${how}, by every provider`, async () => {
      const content = 'The quick brown fox jumps over the lazy dog, and then again.'
      server.onMessage('hello', { content, usage }, { chunkSize: 8 })
      for (const route of routes()) {
        const deltas: string[] = []
        const answer = await ask(portTo(), route, streamed ? { onText: (delta) => deltas.push(delta) } : {})
        assert.equal(answer.message.text, content, route.provider)
        assert.deepEqual(answer.usage, { input_tokens: 11, output_tokens: 5 }, route.provider)
        if (streamed) {
          assert.ok(deltas.length > 3, `${route.provider}: ${deltas.length} deltas`)
          assert.equal(deltas.join(''), content)
        }
      }
    })

    test(`tool calls are returned ${how} with their ids and arguments as data, by every provider`, async () => {
      const toolCalls = [
        { id: 'call_a', name: 'look', arguments: '{"city":"Oslo","deep":{"n":[1,2]}}' },
        { id: 'call_b', name: 'look', arguments: '{"city":"Rome"}' },
      ]
      server.onMessage('hello', { toolCalls, usage })
      const plan = planWith({ tools: [toolNamed('look', { parameters_schema: ODD_SCHEMA })] })
      for (const route of routes()) {
        const answer = await ask(portTo(), route, { plan, ...(streamed && { onText: () => {} }) })
        assert.equal(answer.finish, 'tool_calls')
        assert.deepEqual(answer.message.calls, [
          { id: 'call_a', tool: 'look', args: { city: 'Oslo', deep: { n: [1, 2] } } },
          { id: 'call_b', tool: 'look', args: { city: 'Rome' } },
        ])
      }
    })
  }

  test('a conversation with calls, results and errors is sent to each API', async () => {
    server.onMessage('hello', { content: 'done', usage })
    const messages: Message[] = [
      { role: 'user', text: 'hello' },
      {
        role: 'assistant',
        text: 'Looking.',
        calls: [
          { id: 'c1', tool: 'look', args: { city: 'Oslo' } },
          { id: 'c2', tool: 'look', args: {}, malformed: '{"city":' },
        ],
      },
      { role: 'tool', call_id: 'c1', tool: 'look', result: { sky: 'clear' } },
      { role: 'tool', call_id: 'c2', tool: 'look', result: 'no JSON object', error: true },
    ]
    for (const route of routes()) {
      assert.equal((await ask(portTo(), route, { messages })).message.text, 'done')
      const sent = sentMessages()
      const results = sent.filter(({ role }) => role === 'tool')
      assert.deepEqual(
        results.map((message) => message.tool_call_id),
        ['c1', 'c2'],
      )
      assert.match(JSON.stringify(results[0]?.content), /clear/)
      assert.match(JSON.stringify(results[1]?.content), /no JSON object/)
    }
  })
})

describe('requests', () => {
  const anthropicAnswer = (content: object[]) => ({
    id: 'm1',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-5',
    content,
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 7, output_tokens: 3 },
  })
  const bothWires = (t: Parameters<typeof rawServer>[0]) =>
    rawServer(t, (response, { path }) =>
      path.endsWith('/messages')
        ? json(response, anthropicAnswer([{ type: 'text', text: 'ok' }]))
        : json(response, completion({ content: 'ok' })),
    )

  test('AAIF-4.4-02: a parameters_schema reaches every provider unmodified', async (t) => {
    const { url, seen } = await bothWires(t)
    const plan = planWith({
      tools: [
        toolNamed('odd', { parameters_schema: ODD_SCHEMA }),
        toolNamed('bare'),
        toolNamed('shut', { gate: 'deny' }),
      ],
    })
    for (const route of [openaiRoute(url), anthropicRoute(url), customRoute(url)])
      await ask(portTo(), route, { plan })
    const [openai, anthropic, custom] = seen.map(({ body }) => body.tools as never as Record<string, never>[])
    for (const tools of [openai, custom]) {
      assert.equal(tools?.length, 2)
      assert.deepEqual(tools?.[0]?.function, {
        name: 'odd',
        description: 'Does odd.',
        parameters: ODD_SCHEMA,
      })
    }
    assert.equal(anthropic?.length, 2)
    assert.deepEqual(anthropic?.[0]?.input_schema, ODD_SCHEMA)
  })

  test('AAIF-12-02: a tool that the plan denies is not offered to the model', async (t) => {
    const { url, seen } = await bothWires(t)
    const plan = planWith({
      tools: [toolNamed('shut', { gate: 'deny' }), toolNamed('open', { gate: 'ask' })],
    })
    await ask(portTo(), customRoute(url), { plan })
    assert.doesNotMatch(JSON.stringify(seen[0]?.body), /shut/)
    assert.match(JSON.stringify(seen[0]?.body), /"open"/)
  })

  test('AAIF-4.2-15: extended parameters are sent unmodified', async (t) => {
    const { url, seen } = await bothWires(t)
    const extended: JsonObject = {
      top_k: 40,
      provider_thing: { nested: [{ deep: null }, 'x'], flag: false },
      reasoning_effort: 'high',
      ünïcode: '\u2028',
    }
    const plan = planWith({ params: { extended } })
    for (const route of [openaiRoute(url), anthropicRoute(url), customRoute(url)]) {
      await ask(portTo(), route, { plan })
      await ask(portTo(), route, { plan, onText: () => {} }).catch(() => {})
    }
    assert.equal(seen.length, 6)
    for (const { body } of seen) {
      assert.deepEqual(Object.fromEntries(Object.keys(extended).map((name) => [name, body[name]])), extended)
      assert.ok(Array.isArray(body.messages))
    }
  })

  test('an extended parameter that the runtime sends makes the route unusable before a request', async (t) => {
    const { url, seen } = await bothWires(t)
    const plan = planWith({ params: { extended: { messages: [], top_k: 1 } } })
    await assert.rejects(ask(portTo(), customRoute(url), { plan }), {
      name: 'ModelFailure',
      kind: 'route',
      code: 'EXTENDED_PARAMS_COLLIDE',
    })
    assert.equal(seen.length, 0)
  })

  for (const [provider, model, names] of [
    ['openai', 'gpt-4o', {}],
    ['openai', 'gpt-5-chat-latest', {}],
    ['openai', 'gpt-5.2', { max_tokens: 'max_completion_tokens' }],
    ['openai', 'o4-mini', { max_tokens: 'max_completion_tokens' }],
    ['anthropic', 'claude-sonnet-4-5', { stop: 'stop_sequences' }],
    ['anthropic', 'another', { stop: 'stop_sequences' }],
    ['google', 'gemini-2.5-pro', GOOGLE],
    ['google', 'gemini-3-pro-preview', GOOGLE],
    ['mistral', 'mistral-large-latest', { seed: 'random_seed' }],
    ['groq', 'llama', {}],
    ['openrouter', 'x/y', {}],
  ] as const) {
    test(`SPEC-F-01: the parameters that ${provider} does not accept for ${model} are omitted, and no others`, async (t) => {
      const { url, seen } = await rawServer(t, (response) => json(response, {}, 400))
      const params = { ...EVERY_PARAM }
      const route = { provider, model, base_url: url, eligible: true }
      await ask(portTo(), route, { plan: planWith({ params }) }).catch(() => {})
      const { generationConfig = {}, ...rest } = (seen[0]?.body ?? {}) as JsonObject & {
        generationConfig?: JsonObject
      }
      const sent = { ...rest, ...generationConfig }
      const given = Object.keys(params) as (keyof typeof params)[]
      const wire: Readonly<Record<string, string>> = names
      const missing = given.filter((name) => !((wire[name] ?? name) in sent))
      assert.deepEqual(missing, leftOutParams(route, given))
    })
  }

  test('SPEC-F-01: params are sent to the API, and an unsupported one is omitted with a note', async (t) => {
    const { url, seen } = await bothWires(t)
    const params = {
      temperature: 0.5,
      max_tokens: 99,
      top_p: 0.9,
      frequency_penalty: 0.1,
      presence_penalty: 0.2,
      stop: ['END'],
      seed: 7,
    }
    const custom = await ask(portTo(), customRoute(url), { plan: planWith({ params }) })
    assert.deepEqual(custom.warnings, [])
    const { model: _model, messages: _messages, ...sent } = seen[0]?.body ?? ({} as never)
    assert.deepEqual(sent, params)
    const anthropic = await ask(portTo(), anthropicRoute(url), { plan: planWith({ params }) })
    const body = seen[1]?.body ?? {}
    assert.deepEqual(
      [body.seed, body.frequency_penalty, body.presence_penalty],
      [undefined, undefined, undefined],
    )
    assert.equal(body.max_tokens, 99)
    assert.deepEqual(body.stop_sequences, ['END'])
    for (const name of ['seed', 'frequency_penalty', 'presence_penalty']) {
      assert.ok(
        anthropic.warnings.some((warning) => warning.includes(name)),
        `${name} in ${anthropic.warnings.join('; ')}`,
      )
    }
    const reasoner = openaiRoute(url, { model: 'o3' })
    const noted = await ask(portTo(), reasoner, { plan: planWith({ params: { temperature: 0.5 } }) })
    assert.equal(seen[2]?.body.temperature, undefined)
    assert.ok(noted.warnings.some((warning) => warning.includes('temperature')))
  })

  test('SPEC-F-02: a structured answer carries the output schema to the provider', async (t) => {
    const { url, seen } = await bothWires(t)
    const schema: JsonObject = {
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'string' } },
      required: ['a'],
    }
    const plan = planWith({ output: { format: 'json', schema, structured: true } })
    for (const route of [openaiRoute(url), customRoute(url)]) {
      await ask(portTo(), route, { plan })
      const format = seen.at(-1)?.body.response_format as never as JsonObject
      assert.equal(format.type, 'json_schema')
      assert.deepEqual((format.json_schema as JsonObject).schema, schema)
      // Strict mode wants every property required: this schema is not one it takes.
      assert.equal((format.json_schema as JsonObject).strict, false)
    }
    await ask(portTo(), anthropicRoute(url), { plan })
    assert.match(
      JSON.stringify(seen.at(-1)?.body.output_config ?? seen.at(-1)?.body.output_format),
      /"json_schema"/,
    )
    const closed = { ...schema, required: ['a', 'b'], additionalProperties: false }
    await ask(portTo(), customRoute(url), {
      plan: planWith({ output: { format: 'json', schema: closed, structured: true } }),
    })
    assert.equal(
      ((seen.at(-1)?.body.response_format ?? {}) as never as Record<string, JsonObject>).json_schema?.strict,
      true,
    )
  })

  test('json without a schema uses json mode, text does not', async (t) => {
    const { url, seen } = await bothWires(t)
    const plan = planWith({ output: { format: 'json', structured: false } })
    await ask(portTo(), openaiRoute(url), { plan })
    assert.deepEqual(seen[0]?.body.response_format, { type: 'json_object' })
    await ask(portTo(), openaiRoute(url))
    assert.equal(seen[1]?.body.response_format, undefined)
  })

  test('signed reasoning is sent back in its place, and only to its provider', async (t) => {
    const thinking = { type: 'thinking', thinking: 'hmm', signature: 'sig1' }
    const use = { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} }
    const { url, seen } = await rawServer(t, (response, { path }, count) =>
      path.endsWith('/messages')
        ? json(
            response,
            count === 1
              ? {
                  ...anthropicAnswer([
                    { type: 'redacted_thinking', data: 'zzz' },
                    thinking,
                    { type: 'text', text: 'Let me look.' },
                    use,
                  ]),
                  stop_reason: 'tool_use',
                }
              : anthropicAnswer([{ type: 'text', text: 'ok' }]),
          )
        : json(response, completion({ content: 'ok' })),
    )
    const plan = planWith({ tools: [toolNamed('look')] })
    const port = portTo()
    const { message } = await ask(port, anthropicRoute(url), { plan })
    assert.equal(message.text, 'Let me look.')
    assert.equal(message.opaque?.provider, 'anthropic')
    // The record is data: it must survive being written and read.
    const stored: Message = JSON.parse(JSON.stringify(message))
    const messages: Message[] = [
      { role: 'user', text: 'hello' },
      stored,
      { role: 'tool', call_id: 'toolu_1', tool: 'look', result: 'x' },
    ]
    await ask(port, anthropicRoute(url), { plan, messages })
    const [, assistant] = (seen[1]?.body.messages ?? []) as never as JsonObject[]
    assert.deepEqual(assistant?.content, [
      { type: 'redacted_thinking', data: 'zzz' },
      thinking,
      { type: 'text', text: 'Let me look.' },
      use,
    ])
    await ask(port, customRoute(url), { plan, messages })
    assert.doesNotMatch(JSON.stringify(seen[2]?.body), /hmm|sig1|zzz/)
  })

  test('call ids that are missing or repeated are made unique, the same way each time', async (t) => {
    const call = (id: string | undefined, city: string) => ({
      ...(id !== undefined && { id }),
      type: 'function',
      function: { name: 'look', arguments: `{"city":"${city}"}` },
    })
    const { url } = await rawServer(t, (response) =>
      json(
        response,
        completion(
          {
            content: null,
            tool_calls: [call('x', 'A'), call('x', 'B'), call(undefined, 'C'), call('old', 'D')],
          },
          'tool_calls',
        ),
      ),
    )
    const messages: Message[] = [
      { role: 'user', text: 'hello' },
      { role: 'assistant', text: '', calls: [{ id: 'old', tool: 'look', args: {} }] },
      { role: 'tool', call_id: 'old', tool: 'look', result: 1 },
    ]
    const first = await ask(portTo(), customRoute(url), { messages })
    const second = await ask(portTo(), customRoute(url), { messages })
    const ids = first.message.calls.map(({ id }) => id)
    assert.deepEqual(ids, ['x', 'call_3_1', 'call_3_2', 'call_3_3'])
    assert.deepEqual(
      second.message.calls.map(({ id }) => id),
      ids,
    )
  })

  test('arguments that are not a JSON object are passed on unchanged', async (t) => {
    const texts = ['{"a":', '[1]', '"x"', '', '{"a":1}']
    const { url } = await rawServer(t, (response) =>
      json(
        response,
        completion({
          tool_calls: texts.map((text, n) => ({
            id: `c${n}`,
            type: 'function',
            function: { name: 'look', arguments: text },
          })),
        }),
      ),
    )
    const { message, finish } = await ask(portTo(), customRoute(url))
    assert.equal(finish, 'tool_calls')
    assert.deepEqual(
      message.calls.map(({ args, malformed }) => [args, malformed]),
      [
        [{}, '{"a":'],
        [{}, '[1]'],
        [{}, '"x"'],
        [{}, undefined],
        [{ a: 1 }, undefined],
      ],
    )
  })
})

describe('keys', () => {
  const env = {
    OPENAI_API_KEY: 'sk-openai-test',
    ANTHROPIC_API_KEY: 'sk-ant-test',
    WAYBILL_KEY_ACME: 'acme-test',
  }
  const names = { openai: 'OPENAI_API_KEY', anthropic: 'ANTHROPIC_API_KEY', custom: 'WAYBILL_KEY_ACME' }

  test('a key that only the environment of this worker lacks: the hint names no flag', async () => {
    const route: PlannedModel = { provider: 'openai', model: 'm', eligible: true, key: 'OPENAI_API_KEY' }
    const hintOf = (port: ReturnType<typeof portTo>) =>
      ask(port, route).then(
        () => assert.fail('it was asked'),
        ({ code, hint }) => `${code}: ${hint}`,
      )
    assert.match(await hintOf(portTo()), /^MODEL_KEY_MISSING: .*--env-file/)
    assert.match(await hintOf(portTo({ queues: true })), /^MODEL_KEY_MISSING: .*environment of .*worker/)
  })

  test('a key is sent only to an origin that was bound to it', async (t) => {
    const { url, seen } = await rawServer(t, (response) => json(response, {}, 503))
    const key = (route: PlannedModel): PlannedModel => ({
      ...route,
      key: names[route.provider as keyof typeof names],
    })
    const routes = [openaiRoute(url), anthropicRoute(url), customRoute(url)]
    for (const route of routes) await ask(portTo({ env }), key(route)).catch(() => {})
    const wrong = { openai: ['https://elsewhere.example'], anthropic: [], acme: [`${url}0`] }
    for (const route of routes) await ask(portTo({ env, bindings: wrong }), key(route)).catch(() => {})
    assert.equal(seen.length, 6)
    for (const { headers } of seen)
      assert.deepEqual([headers.authorization, headers['x-api-key']], [undefined, undefined])
    assert.doesNotMatch(JSON.stringify(seen), /sk-|acme-test/)

    seen.length = 0
    const bindings = { openai: [url], anthropic: [url], acme: [url] }
    for (const route of routes) await ask(portTo({ env, bindings }), key(route)).catch(() => {})
    assert.deepEqual(
      seen.map(({ headers }) => headers.authorization ?? headers['x-api-key']),
      ['Bearer sk-openai-test', 'sk-ant-test', 'Bearer acme-test'],
    )
    // A route that the plan shows without a key is called without.
    await ask(portTo({ env, bindings }), customRoute(url)).catch(() => {})
    assert.equal(seen.at(-1)?.headers.authorization, undefined)
  })

  test('a provider without its key fails with the name of the variable, before any call', async () => {
    const fetch = () => assert.fail('called')
    const route: PlannedModel = {
      provider: 'anthropic',
      model: 'm',
      key: 'ANTHROPIC_API_KEY',
      eligible: true,
    }
    await assert.rejects(ask(portTo({ fetch }), route), {
      kind: 'route',
      code: 'MODEL_KEY_MISSING',
      message: /set ANTHROPIC_API_KEY/,
    })
  })

  test('each request has the current key, and an error shows no key', async (t) => {
    const { url, seen } = await rawServer(t, (response, { headers }, count) =>
      count !== 3
        ? json(response, completion({ content: 'yes' }))
        : json(response, { error: { message: `bad key ${headers.authorization}` } }, 401),
    )
    const store = slowSecrets({ WAYBILL_KEY_ACME: 'acme-first' })
    const port = portTo({ secrets: store.secrets, bindings: { acme: [url] } })
    const route = customRoute(url, { key: 'WAYBILL_KEY_ACME' })
    const plan = planWith()
    await ask(port, route, { plan })
    await ask(port, route, { plan })
    await store.set('WAYBILL_KEY_ACME', 'acme-second')
    await assert.rejects(ask(port, route, { plan }), (error: Error) => {
      assert.doesNotMatch(`${error.message}${error.stack}`, /acme-/)
      return true
    })
    for (const key of ['acme-first', undefined]) {
      await store.set('WAYBILL_KEY_ACME', key)
      await ask(port, route, { plan })
    }
    assert.deepEqual(
      seen.map(({ headers }) => headers.authorization),
      ['Bearer acme-first', 'Bearer acme-first', 'Bearer acme-second', 'Bearer acme-first', undefined],
    )
  })

  test('a key that cannot be fetched fails the route for now, before any call', async () => {
    const secrets = { has: () => true, get: () => Promise.reject(new Error('the vault is sealed')) }
    const port = portTo({
      secrets,
      bindings: { acme: ['http://127.0.0.1:1'] },
      fetch: () => assert.fail('called'),
    })
    await assert.rejects(ask(port, customRoute('http://127.0.0.1:1', { key: 'WAYBILL_KEY_ACME' })), {
      kind: 'unavailable',
      code: 'SECRET_UNAVAILABLE',
      message: /the vault is sealed/,
    })
  })

  test('a key that a header cannot contain fails the route, before any call', async () => {
    const route = customRoute('http://127.0.0.1:1', { key: 'WAYBILL_KEY_ACME' })
    const bindings = { acme: ['http://127.0.0.1:1'] }
    for (const key of ['two words', 'ac\nme', 'schlüssel'])
      await assert.rejects(ask(portTo({ env: { WAYBILL_KEY_ACME: key }, bindings }), route), {
        code: 'MODEL_KEY_UNUSABLE',
      })
  })

  test('a secret store that does not answer does not delay an aborted request', async () => {
    const secrets = { has: () => true, get: () => new Promise<never>(() => {}) }
    const port = portTo({ secrets, bindings: { acme: ['http://127.0.0.1:1'] } })
    const route = customRoute('http://127.0.0.1:1', { key: 'WAYBILL_KEY_ACME' })
    const aborting = new AbortController()
    const asked = ask(port, route, { signal: aborting.signal })
    aborting.abort(new Error('enough'))
    await assert.rejects(asked, /enough/)
  })

  test('a key that the server repeats does not reach the error', async (t) => {
    const { url } = await rawServer(t, (response, { headers }) =>
      json(response, { error: { message: `bad key ${headers.authorization}` } }, 401),
    )
    const port = portTo({ env, bindings: { acme: [url] } })
    await assert.rejects(ask(port, customRoute(url, { key: 'WAYBILL_KEY_ACME' })), (error: Error) => {
      assert.doesNotMatch(`${error.message}${error.stack}`, /acme-test/)
      assert.match(error.message, /401.*bad key/)
      return true
    })
  })
})
