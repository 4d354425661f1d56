import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createGuardedFetch } from '../../src/adapters/net/guarded-fetch.ts'
import { environmentSecrets } from '../../src/adapters/secrets/environment-secrets.ts'
import { cutResult } from '../../src/adapters/tools/cut-result.ts'
import { createFunctionTool } from '../../src/adapters/tools/function-tool.ts'
import { createHttpTool } from '../../src/adapters/tools/http-tool.ts'
import { exactText, parseExact } from '../../src/document/exact-numbers.ts'
import type { JsonObject } from '../../src/document/json.ts'
import { ToolFailure } from '../../src/run/ports.ts'
import type { Message } from '../../src/run/state.ts'
import { site } from './functions/module-fixture.ts'
import {
  anthropicRoute,
  ask,
  completion,
  customRoute,
  loopback,
  openaiRoute,
  planWith,
  portTo,
  toolNamed,
} from './model-fixture.ts'
import { apiServer, callApi, documentOf, planApi, toolOf } from './openapi/api-fixture.ts'

const DIGITS = ['9007199254740993', '12345678901234567890', '0.1234567890123456789', '1e400']
const ARGS = `{"id":9007199254740993,"list":[12345678901234567890,{"x":0.1234567890123456789}],"far":1e400,"n":3}`
const args = parseExact(ARGS) as JsonObject
const idle = () => ({ signal: new AbortController().signal })
const googleRoute = (url: string) => ({
  provider: 'google' as const,
  model: 'gemini-2.5-flash',
  base_url: `${url}/v1beta`,
  eligible: true as const,
})

/** An answer of each API with one call, as text, whole and streamed. */
const quoted = JSON.stringify(ARGS)
const APIS = {
  openai: { route: openaiRoute },
  custom: { route: customRoute },
  mistral: {
    route: (url: string) => ({ ...openaiRoute(url), provider: 'mistral' as const, model: 'mistral-small' }),
  },
  groq: { route: (url: string) => ({ ...openaiRoute(url), provider: 'groq' as const, model: 'llama' }) },
  anthropic: {
    route: anthropicRoute,
    whole: `{"id":"m","type":"message","role":"assistant","model":"x","stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1},"content":[{"type":"tool_use","id":"call_1","name":"t","input":${ARGS}}]}`,
    streamed: [
      '{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"x","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}}',
      '{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"call_1","name":"t","input":{}}}',
      `{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":${quoted}}}`,
      '{"type":"content_block_stop","index":0}',
      '{"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":2}}',
      '{"type":"message_stop"}',
    ],
  },
  google: {
    route: googleRoute,
    whole: `{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"t","args":${ARGS}}}]},"finishReason":"STOP","index":0,"avgLogprobs":-0.12345678901234567}],"usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":1,"totalTokenCount":2}}`,
    streamed: [
      `{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"t","args":${ARGS}}}]},"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":1,"totalTokenCount":2}}`,
    ],
  },
}
const chatWhole = JSON.stringify(
  completion(
    {
      content: null,
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 't', arguments: ARGS } }],
    },
    'tool_calls',
  ),
)
const chatStreamed = [
  `{"id":"c","object":"chat.completion.chunk","created":1,"model":"x","choices":[{"index":0,"delta":{"role":"assistant","tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"t","arguments":${quoted}}}]},"finish_reason":null}]}`,
  '{"id":"c","object":"chat.completion.chunk","created":1,"model":"x","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}',
  '[DONE]',
]

describe('numbers that a double cannot hold are passed on unchanged: models', () => {
  const plan = planWith({
    tools: [
      toolNamed('t', { parameters_schema: { type: 'object', properties: { id: { type: 'integer' } } } }),
    ],
  })
  const history: readonly Message[] = [
    { role: 'user', text: 'go' },
    { role: 'assistant', text: '', calls: [{ id: 'call_0', tool: 't', args }] },
    { role: 'tool', call_id: 'call_0', tool: 't', result: args },
  ]
  for (const [name, { route, ...answers }] of Object.entries(APIS)) {
    const { whole = chatWhole, streamed = chatStreamed } = answers as { whole?: string; streamed?: string[] }
    for (const way of ['whole', 'streamed'] as const) {
      test(`${name}, ${way}: arguments, and both in the next request`, async (t) => {
        const { url, received } = await apiServer(t, (response) => {
          const isWhole = way === 'whole'
          response.writeHead(200, { 'content-type': isWhole ? 'application/json' : 'text/event-stream' })
          if (isWhole) return response.end(whole)
          // In pieces that divide numbers.
          const text = streamed.map((data) => `data: ${data}\n\n`).join('')
          for (let at = 0; at < text.length; at += 97) response.write(text.slice(at, at + 97))
          return response.end()
        })
        const answer = await ask(portTo(), route(url), {
          plan,
          messages: history,
          ...(way === 'streamed' && { onText: () => {} }),
        })
        assert.equal(answer.message.calls.length, 1)
        assert.equal(exactText(answer.message.calls[0]?.args), ARGS)
        const sent = received[0]?.body ?? ''
        // As an object, or as text within text; once as arguments and once as the result.
        const found = sent.split(ARGS).length + sent.split(quoted.slice(1, -1)).length - 2
        assert.equal(found, 2, sent)
      })
    }
  }
})

describe('numbers that a double cannot hold are passed on unchanged: tools', () => {
  const answering = (response: import('node:http').ServerResponse) =>
    response.writeHead(200, { 'content-type': 'application/vnd.acme+json' }).end(ARGS)
  const http = createHttpTool({
    fetch: createGuardedFetch({ grants: loopback }),
    secrets: environmentSecrets({}),
    secretGrants: [],
  })

  test('http: the body, the query and the answer', async (t) => {
    const { url, received } = await apiServer(t, answering)
    const tool = toolNamed('t', { protocol: 'http', endpoint: `${url}/a` })
    assert.equal(exactText(await http.call({ tool, args, key: 'k' }, idle())), ARGS)
    assert.equal(received[0]?.body, ARGS)
    await http.call({ tool: { ...tool, method: 'GET' }, args, key: 'k' }, idle())
    const query = new URL(received[1]?.path ?? '', url).searchParams
    assert.equal(query.get('id'), '9007199254740993')
    assert.deepEqual(query.getAll('list'), ['12345678901234567890', '{"x":0.1234567890123456789}'])
  })

  test('openapi: path, query, header, cookie, every kind of body, and the answer', async (t) => {
    const { url, received } = await apiServer(t, answering)
    const schema = { type: 'number' }
    const parameters = [
      { name: 'p', in: 'path', required: true, schema },
      { name: 'q', in: 'query', schema },
      { name: 'l', in: 'query', schema: { type: 'array', items: schema } },
      { name: 'd', in: 'query', style: 'deepObject', schema: { type: 'object' } },
      { name: 'h', in: 'header', schema },
      { name: 'c', in: 'cookie', schema },
    ]
    const [id = '', far = '', share = ''] = DIGITS
    const given = `{"p":${id},"q":${id},"l":[${id},${far}],"d":{"x":${share}},"h":${id},"c":${far}`
    for (const type of [
      'application/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'text/plain',
    ]) {
      const isText = type === 'text/plain'
      const body = { type: isText ? 'number' : 'object' }
      const document = documentOf(
        {
          '/a/{p}': {
            post: { operationId: 'go', parameters, requestBody: { content: { [type]: { schema: body } } } },
          },
        },
        { servers: [{ url }] },
      )
      const plan = await planApi(t, document)
      const call = parseExact(`${given},"body":${isText ? id : `{"id":${id},"deep":{"x":${share}}}`}}`)
      assert.equal(exactText(await callApi(toolOf(plan, 'api'), call as JsonObject)), ARGS)
      const sent = received.at(-1)
      assert.equal(sent?.path, `/a/${id}?q=${id}&l=${id}&l=${far}&d%5Bx%5D=${share}`)
      assert.equal(sent?.headers.h, id)
      assert.equal(sent?.headers.cookie, `c=${far}`)
      assert.ok(sent?.body.includes(id), sent?.body)
      if (!isText) assert.ok(sent?.body.includes(share), sent?.body)
      assert.ok(!sent?.body.includes('$number'), sent?.body)
    }
  })

  test('functions: a bigint of a result keeps its digits; a call with such a number is not made', async () => {
    let calls = 0
    const tools = {
      f: () => {
        calls += 1
        return { id: 9007199254740993n, small: 7n, list: [2n ** 70n] }
      },
    }
    const functions = createFunctionTool({
      tools: new Map(Object.entries(tools).map(([name, call]) => [name, { call }])) as never,
    })
    const tool = toolNamed('f')
    const result = await functions.call({ tool, args: { id: 1 }, key: 'k' }, idle())
    assert.equal(exactText(result), '{"id":9007199254740993,"small":7,"list":[1180591620717411303424]}')
    for (const digits of DIGITS) {
      await assert.rejects(
        functions.call(
          { tool, args: parseExact(`{"deep":[{"id":${digits}}]}`) as JsonObject, key: 'k' },
          idle(),
        ),
        (error) => {
          assert.ok(error instanceof ToolFailure)
          assert.deepEqual([error.code, error.outcome], ['TOOL_NUMBER_INEXACT', 'unsent'])
          assert.ok(error.message.includes(digits) && /send it as text/.test(error.message), error.message)
          return true
        },
      )
    }
    assert.equal(calls, 1)
  })

  test('functions in a process of their own: the same', async (t) => {
    const { call } = site((close) => t.after(close))
    assert.equal(exactText(await call('huge')), '{"id":9007199254740993}')
    assert.match(String(await call('echo', args)), /^TOOL_NUMBER_INEXACT unsent: .*9007199254740993|1e400/)
  })

  test('a result that is cut keeps whole numbers', () => {
    const value = parseExact(`[${Array(200).fill('12345678901234567890').join(',')}]`)
    const { result } = cutResult(value, 1000) as unknown as { readonly result: JsonObject }
    const text = exactText(result)
    assert.match(text, /^\[12345678901234567890(,12345678901234567890)*\]$/)
  })
})
