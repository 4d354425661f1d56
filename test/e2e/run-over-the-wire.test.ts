import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { LLMock } from '@copilotkit/aimock'
import { type AgentDefinition, type RunEvent, type RunOptions, run } from 'waybill'
import type { JsonObject } from '../../src/document/json.ts'

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

const usage = { prompt_tokens: 11, completion_tokens: 5, total_tokens: 16 }

function agent(members: JsonObject = {}): AgentDefinition {
  return {
    sc_standard: 'SC-006',
    agent_id: '1f0e7c52-9d6b-4a41-8d3f-2b7c9e0a5d11',
    agent: {
      name: 'Clerk',
      goal: 'Answer.',
      model: {
        provider: 'openai',
        preferred: 'first-model',
        fallbacks: [{ provider: 'openai', model: 'second-model' }],
      },
      tools: [{ name: 'weather', description: 'The weather of a city.', parameters_schema: CITY }],
      runtime: { max_retries: 1, retry_backoff: 'fixed' },
      ...members,
    },
  } as unknown as AgentDefinition
}

const CITY = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }

const tools = {
  weather: Object.assign(async ({ city }: { city: string }) => `sunny in ${city}`, { readOnly: true }),
}

async function go(definition: AgentDefinition, options: Partial<RunOptions> = {}) {
  const events: RunEvent[] = []
  const result = await run(definition, {
    input: 'hello',
    baseUrl: `${url}/v1`,
    env: { OPENAI_API_KEY: 'sk-proj-0123456789abcdefghijklmnopqrstuvwxyz' },
    tools,
    onEvent: (event) => events.push(event),
    ...options,
  })
  return { result, events, facts: events.map((event) => event.fact.type) }
}

const late = async () => {
  await new Promise((resolve) => setTimeout(resolve, 5000).unref())
  return { content: 'late', usage }
}

const asked = () => server.getRequests().map((request) => request.body?.model)

describe('a run over a provider’s wire', () => {
  test('text, with usage', async () => {
    server.addFixture({ match: {}, response: { content: 'hi there', usage } })
    const { result } = await go(agent())
    assert.equal(result.output, 'hi there')
    assert.equal(result.usage.input_tokens, 11)
    assert.deepEqual(asked(), ['first-model'])
  })

  test('a tool loop, whole and streamed', async () => {
    for (const streamed of [false, true]) {
      server.clearFixtures()
      server.clearRequests()
      server.addFixture({
        match: { predicate: (request) => request.messages.at(-1)?.role === 'tool' },
        response: { content: 'It is sunny in Oslo today.', usage },
      })
      server.addFixture({
        match: {},
        response: { toolCalls: [{ id: 'c1', name: 'weather', arguments: '{"city":"Oslo"}' }], usage },
      })
      let text = ''
      const { result, facts } = await go(
        agent(),
        streamed
          ? {
              onText: (delta: string) => {
                text += delta
              },
            }
          : {},
      )
      assert.equal(result.output, 'It is sunny in Oslo today.')
      assert.equal(text, streamed ? 'It is sunny in Oslo today.' : '')
      assert.deepEqual(facts, ['run.started', 'model.answered', 'call.answered', 'model.answered'])
      const shown = (server.getLastRequest()?.body?.messages as { content?: unknown }[] | undefined)?.at(-1)
      assert.match(String(shown?.content), /sunny in Oslo/)
    }
  })

  test('AAIF-4.2-02: 429 is retried with the wait of Retry-After, then the fallback answers', async () => {
    server.addFixture({
      match: { model: 'first-model' },
      response: { error: { message: 'slow down', type: 'rate_limit_error' }, status: 429, retryAfter: 1 },
    })
    server.addFixture({ match: { model: 'second-model' }, response: { content: 'from the second', usage } })
    const { result, events } = await go(agent())
    assert.deepEqual(asked(), ['first-model', 'first-model', 'second-model'])
    assert.equal(result.output, 'from the second')
    assert.deepEqual(result.model, { provider: 'openai', model: 'second-model' })
    const failures = events.flatMap(({ fact }) => (fact.type === 'model.failed' ? [fact] : []))
    assert.deepEqual(
      failures.map((fact) => [fact.kind, fact.retry_after_ms]),
      [
        ['rate_limited', 1000],
        ['rate_limited', 1000],
      ],
    )
  })

  test('500 and an unreadable answer lead to the next route, with the reasons on record', async () => {
    server.addFixture({
      match: { model: 'first-model' },
      response: { error: { message: 'out of order', type: 'server_error' }, status: 500 },
    })
    server.addFixture({
      match: { model: 'second-model' },
      response: { content: 'x', usage },
      chaos: { malformedRate: 1 },
    })
    const { result } = await go(agent({ runtime: { max_retries: 0 } }))
    assert.equal(result.status, 'failed')
    assert.equal(result.stop_reason, 'no_route')
    assert.match(
      result.error?.message ?? '',
      /first-model: MODEL_UNAVAILABLE.*second-model: MODEL_ANSWER_UNREADABLE/,
    )
  })

  test('an interrupted stream is retried and gives one complete text', async () => {
    let tries = 0
    server.addFixture({
      match: { predicate: () => ++tries === 1 },
      response: { content: 'half of an answer that never comes to its end', usage },
      truncateAfterChunks: 2,
      chunkSize: 4,
    })
    server.addFixture({ match: {}, response: { content: 'the whole answer', usage } })
    const { result, facts } = await go(agent(), { onText: () => {} })
    assert.equal(result.output, 'the whole answer')
    assert.deepEqual(facts, ['run.started', 'model.failed', 'model.answered'])
  })

  test('AAIF-4.6-01: a model that is too slow is aborted at timeout_seconds', async () => {
    server.addFixture({ match: {}, response: late })
    const { result, facts } = await go(agent({ runtime: { timeout_seconds: 1 } }))
    assert.equal(result.stop_reason, 'timeout')
    assert.equal(facts.includes('model.answered'), false)
    assert.equal(asked().includes('second-model'), false)
  })

  test('an abort by the caller ends the run at once and no other model is asked', async () => {
    server.addFixture({ match: {}, response: late })
    const abort = new AbortController()
    setTimeout(() => abort.abort(), 200)
    const { result, facts } = await go(agent(), { signal: abort.signal })
    assert.equal(result.status, 'cancelled')
    assert.equal(result.stop_reason, 'interrupt')
    assert.equal(facts.includes('model.answered'), false)
    assert.equal(asked().includes('second-model'), false)
  })

  test('SPEC-F-02, SPEC-D-30: a structured answer is requested with the schema, repaired once, and parsed', async () => {
    const schema = {
      type: 'object',
      properties: { n: { type: 'integer' } },
      required: ['n'],
      additionalProperties: false,
    }
    server.addFixture({
      match: { predicate: (request) => request.messages.length > 2 },
      response: { content: '{"n": 3}', usage },
    })
    server.addFixture({ match: {}, response: { content: '{"n": "three"}', usage } })
    const { result } = await go(
      agent({
        model: { provider: 'openai', preferred: 'first-model', response_format: 'json_schema' },
        io: { output_schema: schema },
      }),
    )
    assert.deepEqual(result.output, { n: 3 })
    const first = server.getRequests()[0]?.body as {
      response_format?: { json_schema?: { schema?: unknown } }
    }
    assert.deepEqual(first.response_format?.json_schema?.schema, schema)
  })

  test('no secret reaches a result or an event, even if the server returns the key', async () => {
    const key = 'sk-proj-0123456789abcdefghijklmnopqrstuvwxyz'
    server.addFixture({ match: {}, response: { content: `your key is ${key}`, usage } })
    const { result, events } = await go(agent())
    assert.equal(JSON.stringify([result, events]).includes(key), false)
    assert.match(String(result.output), /your key is \[/)
  })
})
