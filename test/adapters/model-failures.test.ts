import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { LLMock } from '@copilotkit/aimock'
import { retryAfterMs } from '../../src/adapters/models/retry-after.ts'
import { createGuardedFetch } from '../../src/adapters/net/guarded-fetch.ts'
import type { PlannedModel } from '../../src/plan/plan.ts'
import { ModelFailure, type ModelFailureKind } from '../../src/run/ports.ts'
import {
  anthropicRoute,
  ask,
  completion,
  customRoute,
  json,
  loopback,
  openaiRoute,
  planWith,
  portTo,
  rawServer,
} from './model-fixture.ts'

const failure =
  (kind: ModelFailureKind, code?: string, also?: (failure: ModelFailure) => void) => (error: unknown) => {
    assert.ok(error instanceof ModelFailure, String(error))
    assert.equal(error.kind, kind, `${error.code} ${error.message}`)
    if (code !== undefined) assert.equal(error.code, code, error.message)
    also?.(error)
    return true
  }
const everyRoute = (url: string): PlannedModel[] => [openaiRoute(url), anthropicRoute(url), customRoute(url)]
const waysToAsk = [{}, { onText: () => {} }]

describe('models that fail', () => {
  const server = new LLMock({ port: 0, host: '127.0.0.1' })
  let url = ''
  before(async () => {
    url = await server.start()
  })
  after(() => server.stop())
  beforeEach(() => {
    server.reset()
  })

  test('429 is rate limited, 500 unavailable; each call sends one request', async () => {
    for (const [status, kind] of [
      [429, 'rate_limited'],
      [500, 'unavailable'],
      [503, 'unavailable'],
    ] as const) {
      server.reset()
      server.onMessage('hello', { error: { message: 'no', type: 'some_error' }, status })
      for (const route of everyRoute(url)) {
        for (const way of waysToAsk) {
          server.clearRequests()
          await assert.rejects(ask(portTo(), route, way), failure(kind))
          assert.equal(server.getRequests().length, 1, `${route.provider} ${status}`)
        }
      }
    }
  })

  test('an interrupted stream is unavailable, independent of the text before', async () => {
    const content = 'one two three four five six seven eight nine ten'
    server.onMessage('hello', { content }, { chunkSize: 5, truncateAfterChunks: 5, latency: 10 })
    for (const route of everyRoute(url)) {
      const deltas: string[] = []
      const call = ask(portTo(), route, { onText: (delta) => deltas.push(delta) })
      await assert.rejects(call, failure('unavailable'))
      assert.ok(deltas.length > 0, route.provider)
    }
  })

  test('an abort in mid-stream rejects at once with its own reason, and no text follows', async () => {
    server.onMessage('hello', { content: 'x'.repeat(400) }, { chunkSize: 4, latency: 20 })
    for (const route of everyRoute(url)) {
      const stop = new AbortController()
      const reason = new Error('the user pressed stop')
      let late = 0
      const call = ask(portTo(), route, {
        signal: stop.signal,
        onText: () => {
          if (stop.signal.aborted) late += 1
        },
      })
      setTimeout(() => {
        stop.abort(reason)
      }, 100)
      await assert.rejects(call, (error) => error === reason)
      await new Promise((done) => setTimeout(done, 60))
      assert.equal(late, 0)
    }
  })
})

describe('models that misbehave', () => {
  test('every status has its failure', async (t) => {
    const table: [number, ModelFailureKind, string][] = [
      [400, 'request', 'MODEL_REQUEST_REFUSED'],
      [401, 'route', 'MODEL_KEY_REFUSED'],
      [402, 'route', 'MODEL_ROUTE_REFUSED'],
      [403, 'route', 'MODEL_KEY_REFUSED'],
      [404, 'route', 'MODEL_NOT_FOUND'],
      [408, 'unavailable', 'MODEL_UNAVAILABLE'],
      [409, 'unavailable', 'MODEL_UNAVAILABLE'],
      [413, 'request', 'MODEL_REQUEST_REFUSED'],
      [422, 'request', 'MODEL_REQUEST_REFUSED'],
      [529, 'unavailable', 'MODEL_UNAVAILABLE'],
    ]
    for (const [status, kind, code] of table) {
      const { url } = await rawServer(t, (response) => response.writeHead(status).end('y'.repeat(5000)))
      const check = failure(kind, code, ({ message }) => assert.ok(message.length < 500, `${message.length}`))
      await assert.rejects(ask(portTo(), anthropicRoute(url)), check)
      await assert.rejects(ask(portTo(), customRoute(url), { onText: () => {} }), check)
    }
  })

  const delays: readonly (readonly [headers: Readonly<Record<string, string>>, ms: number | undefined])[] = [
    [{ 'retry-after': '3' }, 3000],
    [{ 'retry-after': ' 2.5 ' }, 2500],
    [{ 'retry-after-ms': '150', 'retry-after': '9' }, 150],
    [{ 'retry-after-ms': 'soon', 'retry-after': '9' }, 9000],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': '9'.repeat(400) }, 31_536_000_000],
    [{ 'retry-after': '-1' }, undefined],
    [{ 'retry-after': 'soon' }, undefined],
    [{}, undefined],
  ]
  for (const status of [408, 409, 429, 500, 502, 503, 504, 529]) {
    test(`AAIF-4.6-08: the delay that a provider asks for with ${status} is passed on`, async (t) => {
      for (const [headers, ms] of delays) {
        const { url } = await rawServer(t, (response) =>
          json(response, { error: { message: 'slow' } }, status, headers),
        )
        for (const route of everyRoute(url)) {
          const failed = await ask(portTo(), route).catch((error: ModelFailure) => error)
          assert.equal(
            (failed as ModelFailure).retryAfterMs,
            ms,
            `${route.provider} ${JSON.stringify(headers)}`,
          )
        }
      }
    })
  }

  test('AAIF-4.6-08: without a delay, a limit that is used up says when to repeat a request', async (t) => {
    const limits = { 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '1m2s' }
    for (const [status, headers, ms] of [
      [429, limits, 62_000],
      [429, { ...limits, 'retry-after': '3' }, 3000],
      [429, { ...limits, 'x-ratelimit-remaining-tokens': '9' }, undefined],
      [500, limits, undefined],
    ] as const) {
      const { url } = await rawServer(t, (response) =>
        json(response, { error: { message: 'slow' } }, status, headers),
      )
      for (const route of everyRoute(url)) {
        const failed = await ask(portTo(), route).catch((error: ModelFailure) => error)
        assert.equal((failed as ModelFailure).retryAfterMs, ms, `${route.provider} ${status}`)
      }
    }
  })

  test('a delay as a date is relative to now, and an error may hold it', () => {
    const now = Date.parse('2026-01-01T00:00:00Z')
    assert.equal(retryAfterMs({ 'retry-after': 'Thu, 01 Jan 2026 00:00:05 GMT' }, null, now), 5000)
    assert.equal(retryAfterMs({ 'retry-after': 'Wed, 31 Dec 2025 00:00:00 GMT' }, null, now), 0)
    const info = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '1.5s' }
    assert.equal(retryAfterMs({}, { error: { details: [{ reason: 'x' }, info] } }), 1500)
    assert.equal(retryAfterMs({}, { error: { metadata: { retry_after: 4 } } }), 4000)
    assert.equal(retryAfterMs({}, { error: { details: 'none', metadata: null } }), undefined)
    assert.equal(retryAfterMs({ 'retry-after': '1' }, { error: { details: [info] } }), 1000)
  })

  test('a rate limit that advertises a paid plan is repeated; an exhausted quota is not', async (t) => {
    const limits: readonly (readonly [ModelFailureKind, object])[] = [
      [
        'rate_limited',
        { message: 'Rate limit reached. Visit https://x.example/account/billing to pay more.' },
      ],
      ['rate_limited', { message: 'You exceeded your current quota, please check your plan. Retry in 20s.' }],
      ['route', { message: 'You exceeded your current quota.', code: 'insufficient_quota' }],
      ['route', { message: 'Insufficient Balance' }],
    ]
    for (const [kind, error] of limits) {
      const { url } = await rawServer(t, (response) => json(response, { error }, 429))
      await assert.rejects(ask(portTo(), customRoute(url)), failure(kind, 'MODEL_RATE_LIMITED'))
    }
  })

  test('400 is an unknown model only if the provider says so', async (t) => {
    const messages = [
      ['MODEL_NOT_FOUND', 'Model `gpt-9` does not exist'],
      ['MODEL_NOT_FOUND', 'gpt-9 is not a valid model ID'],
      ['MODEL_REQUEST_REFUSED', 'the model answered with a tool call whose id was not found'],
    ]
    for (const [code, message] of messages) {
      const { url } = await rawServer(t, (response) => json(response, { error: { message } }, 400))
      const kind = code === 'MODEL_NOT_FOUND' ? 'route' : 'request'
      await assert.rejects(ask(portTo(), customRoute(url)), failure(kind, code))
    }
  })

  test('the message of each common error body is quoted, not its JSON', async (t) => {
    const bodies = [
      { type: 'error', error: { type: 'invalid_request_error', message: 'No good.' } },
      [{ error: { code: 400, message: 'No good.' } }],
      { error: 'No good.' },
      { detail: 'No good.' },
      { detail: [{ loc: ['body'], msg: 'No good.' }] },
      { error: true, message: 'No good.' },
      { errors: [{ message: 'No good.' }] },
    ]
    for (const body of bodies) {
      const { url } = await rawServer(t, (response) => json(response, body, 400))
      const quotes = (error: ModelFailure) => assert.match(error.message, / answered 400: No good\.$/)
      await assert.rejects(ask(portTo(), customRoute(url)), failure('request', undefined, quotes))
    }
  })

  test('an unreadable or empty answer is malformed', async (t) => {
    const bodies = ['{"choices": [', '{}', '{"choices":[]}', JSON.stringify(completion({ content: '' }))]
    for (const body of bodies) {
      const { url } = await rawServer(t, (response) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end(body),
      )
      await assert.rejects(ask(portTo(), customRoute(url)), failure('malformed'), body)
      await assert.rejects(ask(portTo(), openaiRoute(url)), failure('malformed'), body)
    }
    const { url } = await rawServer(t, (response) =>
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end('data: {"choices": nonsense}\n\ndata: [DONE]\n\n'),
    )
    for (const route of [openaiRoute(url), customRoute(url)]) {
      await assert.rejects(ask(portTo(), route, { onText: () => {} }), failure('malformed'))
    }
  })

  test('an answer truncated by its length or by a filter is an answer, even if empty', async (t) => {
    for (const [reason, finish] of [
      ['length', 'length'],
      ['content_filter', 'content_filter'],
    ] as const) {
      const { url } = await rawServer(t, (response) => json(response, completion({ content: '' }, reason)))
      assert.equal((await ask(portTo(), customRoute(url))).finish, finish)
    }
  })

  test('a stream that ends without a finish is cut, on every wire', async (t) => {
    const chunk = (delta: object) =>
      `data: ${JSON.stringify({ id: 'c', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: null }] })}\n\n`
    const event = (type: string, rest: object) =>
      `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`
    const { url } = await rawServer(t, (response, { path }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      if (path.endsWith('/messages')) {
        const usage = { input_tokens: 1, output_tokens: 1 }
        const message = {
          id: 'm',
          type: 'message',
          role: 'assistant',
          model: 'm',
          content: [],
          stop_reason: null,
          usage,
        }
        response.write(event('message_start', { message }))
        response.write(event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }))
        response.end(event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'Hal' } }))
      } else response.end(chunk({ role: 'assistant', content: 'Hal' }))
    })
    for (const route of everyRoute(url)) {
      await assert.rejects(
        ask(portTo(), route, { onText: () => {} }),
        failure('unavailable', 'MODEL_STREAM_CUT'),
      )
    }
  })

  test('the type of an error event in a stream selects the failure', async (t) => {
    const { url } = await rawServer(t, (response, { path }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      if (path.endsWith('/messages')) {
        response.end(
          'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n',
        )
      } else
        response.end(
          'data: {"error":{"message":"slow down","type":"rate_limit_error","code":"rate_limit_exceeded"}}\n\n',
        )
    })
    await assert.rejects(ask(portTo(), anthropicRoute(url), { onText: () => {} }), failure('unavailable'))
    await assert.rejects(ask(portTo(), customRoute(url), { onText: () => {} }), failure('rate_limited'))
    await assert.rejects(ask(portTo(), openaiRoute(url), { onText: () => {} }), failure('rate_limited'))
  })

  test('a connection that is refused or dropped is unavailable', async (t) => {
    const { url } = await rawServer(t, (response, _, count) => {
      if (count % 2 === 1) response.destroy()
      else {
        response
          .writeHead(200, { 'content-type': 'application/json', 'content-length': '500' })
          .write('{"choices":')
        setTimeout(() => response.destroy(), 10)
      }
    })
    for (const route of everyRoute(url)) {
      await assert.rejects(ask(portTo(), route), failure('unavailable'), `${route.provider}: dropped at once`)
      await assert.rejects(ask(portTo(), route), failure('unavailable'), `${route.provider}: dropped within`)
    }
    await assert.rejects(
      ask(portTo(), customRoute('http://127.0.0.1:2')),
      failure('unavailable', 'MODEL_UNAVAILABLE'),
    )
  })

  test('a server that does not answer in time has timed out', async (t) => {
    const { url } = await rawServer(t, () => {})
    const fetch = createGuardedFetch({ grants: loopback, idleTimeoutMs: 50 })
    await assert.rejects(ask(portTo({ fetch }), customRoute(url)), failure('timeout', 'MODEL_TIMEOUT'))
  })

  test('an abort while waiting rejects at once with its own reason, on every wire', async (t) => {
    const { url } = await rawServer(t, () => {})
    for (const route of everyRoute(url)) {
      for (const way of waysToAsk) {
        const stop = new AbortController()
        const reason = { why: 'paused' }
        const call = ask(portTo(), route, { ...way, signal: stop.signal })
        setTimeout(() => stop.abort(reason), 20)
        await assert.rejects(call, (error) => error === reason)
      }
    }
    const gone = AbortSignal.abort('before')
    await assert.rejects(ask(portTo(), customRoute(url), { signal: gone }), (error) => error === 'before')
  })

  test('AAIF-12-02: a host that was not granted makes the route unusable, and nothing is sent', async (t) => {
    const { url, seen } = await rawServer(t, (response) => json(response, {}))
    const fetch = createGuardedFetch({ grants: { hosts: [] } })
    for (const route of everyRoute(url)) {
      await assert.rejects(ask(portTo({ fetch }), route), failure('route', 'ENDPOINT_ADDRESS_PRIVATE'))
    }
    assert.equal(seen.length, 0)
  })

  test('an answer above the size limit is not read further', async (t) => {
    const { url } = await rawServer(t, (response) =>
      json(response, completion({ content: 'z'.repeat(9000) })),
    )
    const fetch = createGuardedFetch({ grants: loopback, maxResponseBytes: 4000 })
    await assert.rejects(
      ask(portTo({ fetch }), customRoute(url)),
      failure('malformed', 'MODEL_ANSWER_TOO_LARGE'),
    )
  })

  test('a request that cannot be written is a permanent failure without retry', async (t) => {
    const { url, seen } = await rawServer(t, (response) => json(response, completion({ content: '{}' })))
    const schema = { type: 'object', propertyNames: false }
    const plan = planWith({ output: { format: 'json', schema, structured: true } })
    await assert.rejects(
      ask(portTo(), openaiRoute(url), { plan }),
      failure('request', 'MODEL_REQUEST_UNWRITABLE'),
    )
    assert.equal(seen.length, 0)
  })

  test('an unsupported provider gives its failure', async () => {
    const route = (changes: object) =>
      ({ provider: 'nosuch', model: 'm', eligible: true, ...changes }) as PlannedModel
    await assert.rejects(ask(portTo(), route({})), failure('route', 'MODEL_PROVIDER_UNKNOWN'))
    await assert.rejects(
      ask(portTo(), route({ provider: 'custom' })),
      failure('route', 'MODEL_PROVIDER_UNKNOWN'),
    )
  })
})
