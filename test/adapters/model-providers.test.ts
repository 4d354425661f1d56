import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { LLMock } from '@copilotkit/aimock'
import type { Json, JsonObject } from '../../src/document/json.ts'
import type { PlannedModel } from '../../src/plan/plan.ts'
import { callableProvider, modelProvider } from '../../src/policy/model-providers.ts'
import type { Message } from '../../src/run/state.ts'
import { ask, completion, json, planWith, portTo, rawServer, toolNamed } from './model-fixture.ts'

/** Providers with a wire or a library of their own, and where a double answers in their form. */
const PATHS = { google: '/v1beta', mistral: '/v1', groq: '/v1' } as const
type Own = keyof typeof PATHS
const OWN = Object.keys(PATHS) as Own[]

const route = (provider: string, base_url: string, changes: Partial<PlannedModel> = {}): PlannedModel => ({
  provider,
  model: 'test-model',
  base_url,
  eligible: true,
  ...changes,
})

const SCHEMA: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: { city: { type: 'string', pattern: '^(?!x).+$', 'x-note': { keep: ['me'] } } },
  $defs: { node: { type: 'object', additionalProperties: true } },
  required: ['city'],
}

describe('providers with their own library, against a server with their APIs', () => {
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
  const usage = {
    prompt_tokens: 11,
    completion_tokens: 5,
    total_tokens: 16,
    promptTokenCount: 11,
    candidatesTokenCount: 5,
  }

  for (const provider of OWN) {
    for (const streamed of [false, true]) {
      const how = streamed ? 'streamed' : 'at once'
      test(`${provider}: text is returned ${how}, with its usage`, async () => {
        const content = 'The quick brown fox jumps over the lazy dog, and then again.'
        server.onMessage('hello', { content, usage, finishReason: 'stop' }, { chunkSize: 8 })
        const deltas: string[] = []
        const answer = await ask(portTo(), route(provider, url + PATHS[provider]), {
          ...(streamed && { onText: (delta) => deltas.push(delta) }),
        })
        assert.equal(answer.message.text, content)
        assert.equal(answer.finish, 'stop')
        // The double counts streams in OpenAI's way only; how these two count is tested below.
        if (!streamed || provider === 'google')
          assert.deepEqual(answer.usage, { input_tokens: 11, output_tokens: 5 })
        if (streamed) assert.ok(deltas.length > 3 && deltas.join('') === content)
      })

      test(`${provider}: calls are returned ${how}, and their results are sent`, async () => {
        const plan = planWith({ tools: [toolNamed('look', { parameters_schema: SCHEMA })] })
        const toolCalls = [
          { id: 'aaaaaaaaa', name: 'look', arguments: '{"city":"Oslo","n":[1,2]}' },
          { id: 'bbbbbbbbb', name: 'look', arguments: '{"city":"Rome"}' },
        ]
        server.onMessage('hello', { toolCalls, usage, finishReason: 'stop' })
        const to = route(provider, url + PATHS[provider])
        const port = portTo()
        const { message, finish } = await ask(port, to, { plan, ...(streamed && { onText: () => {} }) })
        assert.equal(finish, 'tool_calls')
        assert.deepEqual(
          message.calls.map(({ tool, args }) => ({ tool, args })),
          [
            { tool: 'look', args: { city: 'Oslo', n: [1, 2] } },
            { tool: 'look', args: { city: 'Rome' } },
          ],
        )
        assert.equal(new Set(message.calls.map(({ id }) => id)).size, 2)
        server.clearFixtures()
        server.onMessage(/.*/, { content: 'done', usage, finishReason: 'stop' })
        const messages: Message[] = [
          { role: 'user', text: 'hello' },
          message,
          ...message.calls.map(
            (call, at): Message => ({ role: 'tool', call_id: call.id, tool: 'look', result: `sky ${at}` }),
          ),
        ]
        assert.equal((await ask(port, to, { plan, messages })).message.text, 'done')
        const sent = JSON.stringify(server.getLastRequest()?.body)
        assert.match(sent, /sky 0.*sky 1/)
      })
    }
  }
})

const gemini = (parts: object[]) => ({
  candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
  usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 3, totalTokenCount: 10 },
})

describe('requests of their APIs', () => {
  const answering = (t: Parameters<typeof rawServer>[0]) =>
    rawServer(t, (response, { path }) =>
      json(
        response,
        path.includes('generateContent') ? gemini([{ text: 'ok' }]) : completion({ content: 'ok' }),
      ),
    )

  test('a key is sent in the header of the provider, from the variable that its library documents', async (t) => {
    const { url, seen } = await answering(t)
    const secret = 'abc-123'
    const wanted: Record<string, readonly [variable: string, header: string, value: string]> = {
      google: ['GOOGLE_GENERATIVE_AI_API_KEY', 'x-goog-api-key', secret],
      mistral: ['MISTRAL_API_KEY', 'authorization', `Bearer ${secret}`],
      groq: ['GROQ_API_KEY', 'authorization', `Bearer ${secret}`],
      openrouter: ['OPENROUTER_API_KEY', 'authorization', `Bearer ${secret}`],
      xai: ['XAI_API_KEY', 'authorization', `Bearer ${secret}`],
      deepseek: ['DEEPSEEK_API_KEY', 'authorization', `Bearer ${secret}`],
      together: ['TOGETHER_API_KEY', 'authorization', `Bearer ${secret}`],
      fireworks: ['FIREWORKS_API_KEY', 'authorization', `Bearer ${secret}`],
      huggingface: ['HUGGINGFACE_API_KEY', 'authorization', `Bearer ${secret}`],
    }
    for (const [provider, [variable, header, value]] of Object.entries(wanted)) {
      assert.equal(modelProvider(provider)?.key, variable)
      assert.ok(callableProvider({ provider }))
      const to = route(provider, `${url}/v1`, { key: variable })
      const bound = portTo({ env: { [variable]: secret }, bindings: { [provider]: [url] } })
      await ask(bound, to)
      assert.equal(seen.at(-1)?.headers[header], value, provider)
      const otherPort = portTo({ env: { [variable]: secret } })
      await ask(otherPort, to)
      const { headers } = seen.at(-1) ?? assert.fail()
      assert.doesNotMatch(
        JSON.stringify(headers),
        /abc-123|none/,
        `${provider}: a key that is not bound stays here`,
      )
    }
  })

  test('AAIF-4.2-15, AAIF-4.4-02: extended parameters and schemas reach them unmodified', async (t) => {
    const { url, seen } = await answering(t)
    const extended: JsonObject = { safetySettings: [{ category: 'X' }], odd: { deep: [null, 'x'] } }
    const plan = planWith({
      params: { extended },
      tools: [toolNamed('odd', { parameters_schema: SCHEMA })],
    })
    for (const provider of OWN) await ask(portTo(), route(provider, url + PATHS[provider]), { plan })
    for (const { body } of seen) {
      assert.deepEqual(Object.fromEntries(Object.keys(extended).map((name) => [name, body[name]])), extended)
    }
    const [google, mistral, groq] = seen.map(
      ({ body }) => (body.tools as never as Record<string, never>[])[0],
    )
    assert.deepEqual(
      (google?.functionDeclarations as never as JsonObject[] | undefined)?.[0]?.parametersJsonSchema,
      SCHEMA,
    )
    for (const tool of [mistral, groq])
      assert.deepEqual((tool?.function as never as JsonObject | undefined)?.parameters, SCHEMA)
  })

  test('AAIF-4.2-15: generationConfig for google is merged with the members of the runtime, and replaces none of them', async (t) => {
    const { url, seen } = await answering(t)
    const generationConfig: JsonObject = { thinkingConfig: { thinkingBudget: 512 }, topK: 40 }
    const to = route('google', url + PATHS.google)
    await ask(portTo(), to, {
      plan: planWith({ params: { temperature: 0.5, extended: { generationConfig } } }),
    })
    assert.deepEqual(seen[0]?.body.generationConfig, { temperature: 0.5, ...generationConfig })
    const closed: Json[] = [{ temperature: 2 }, { response_schema: {} }, { Temperature: 2 }, 'x']
    for (const wrong of [
      ...closed.map((generationConfig) => ({ generationConfig })),
      { generation_config: {} },
    ]) {
      const plan = planWith({ params: { extended: wrong } })
      await assert.rejects(ask(portTo(), to, { plan }), {
        code: 'EXTENDED_PARAMS_COLLIDE',
        message: /generation_?config/i,
      })
    }
    assert.equal(seen.length, 1)
  })

  test('a stream of mistral or groq reports its usage at its end, each in its own form', async (t) => {
    const count = { prompt_tokens: 11, completion_tokens: 5, total_tokens: 16 }
    for (const [provider, end] of [
      ['mistral', { usage: count }],
      ['groq', { x_groq: { id: 'r', usage: count } }],
    ] as const) {
      const { url } = await rawServer(t, (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        const chunk = (delta: object, finish_reason: string | null, more: object = {}) =>
          `data: ${JSON.stringify({ id: 'c', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason }], ...more })}\n\n`
        response.end(
          `${chunk({ role: 'assistant', content: 'ok' }, null)}${chunk({ content: '' }, 'stop', end)}data: [DONE]\n\n`,
        )
      })
      const { usage } = await ask(portTo(), route(provider, `${url}/v1`), { onText: () => {} })
      assert.deepEqual(usage, { input_tokens: 11, output_tokens: 5 }, provider)
    }
  })

  test('mistral gets call ids of its own form, independent of their source', async (t) => {
    const { url, seen } = await answering(t)
    const messages: Message[] = [
      { role: 'user', text: 'hello' },
      {
        role: 'assistant',
        text: '',
        calls: [
          { id: 'toolu_01A09q90qw90lq917835lq9', tool: 'look', args: {} },
          { id: 'D681PevKs', tool: 'look', args: {} },
        ],
      },
      { role: 'tool', call_id: 'toolu_01A09q90qw90lq917835lq9', tool: 'look', result: 'x' },
      { role: 'tool', call_id: 'D681PevKs', tool: 'look', result: 'y' },
    ]
    await ask(portTo(), route('mistral', `${url}/v1`), { messages })
    const sent = seen[0]?.body.messages as never as { tool_calls?: { id: string }[]; tool_call_id?: string }[]
    const made = sent.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id))
    assert.deepEqual(
      sent.flatMap(({ tool_call_id }) => tool_call_id ?? []),
      made,
    )
    assert.match(made[0] ?? '', /^[A-Za-z0-9]{9}$/)
    assert.equal(made[1], 'D681PevKs')
  })

  test('google: signed parts are sent back in their place, and only to google', async (t) => {
    const { url, seen } = await rawServer(t, (response, { path }, count) =>
      json(
        response,
        path.includes('generateContent')
          ? gemini(
              count === 1
                ? [{ functionCall: { name: 'look', args: { city: 'Oslo' } }, thoughtSignature: 'c2lnbmVk' }]
                : [{ text: 'ok' }],
            )
          : completion({ content: 'ok' }),
      ),
    )
    const plan = planWith({ tools: [toolNamed('look')] })
    const port = portTo()
    const { message } = await ask(port, route('google', `${url}/v1beta`), { plan })
    const messages: Message[] = [
      { role: 'user', text: 'hello' },
      JSON.parse(JSON.stringify(message)),
      { role: 'tool', call_id: message.calls[0]?.id ?? '', tool: 'look', result: 'x' },
    ]
    await ask(port, route('google', `${url}/v1beta`), { plan, messages })
    assert.match(JSON.stringify(seen[1]?.body), /c2lnbmVk/)
    await ask(port, route('groq', `${url}/v1`), { plan, messages })
    assert.doesNotMatch(JSON.stringify(seen[2]?.body), /c2lnbmVk/)
  })

  test('deepseek gets plain JSON mode, because it refuses a schema', async (t) => {
    const { url, seen } = await rawServer(t, (response) => json(response, completion({ content: '{}' })))
    const output = { format: 'json', schema: { type: 'object' }, structured: true } as const
    for (const provider of ['deepseek', 'xai'])
      await ask(portTo(), route(provider, `${url}/v1`), { plan: planWith({ output }) })
    assert.deepEqual(seen[0]?.body.response_format, { type: 'json_object' })
    assert.equal((seen[1]?.body.response_format as never as JsonObject | undefined)?.type, 'json_schema')
  })
})
