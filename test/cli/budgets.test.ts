import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import type { JsonObject } from '../../src/document/json.ts'
import { DEFINITION, Place, waybill } from './fixture.ts'

/** Sends one HTTP answer to one request; `n` counts the requests from 1. */
type Answer = (response: ServerResponse, n: number, body: string) => void

interface Counted {
  readonly url: string
  /** The requests that arrived. */
  readonly bodies: string[]
}

/** A real server that counts its requests. */
async function counting(t: TestContext, answer: Answer): Promise<Counted> {
  const bodies: string[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    bodies.push(body)
    answer(response, bodies.length, body)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, bodies }
}

const json = (response: ServerResponse, body: object) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))

function message(content: string | null, more: object = {}, usage?: object) {
  const finish_reason = 'tool_calls' in more ? 'tool_calls' : 'stop'
  return {
    id: 'c',
    created: 1,
    model: 'x',
    choices: [{ index: 0, message: { role: 'assistant', content, ...more }, finish_reason }],
    ...(usage !== undefined && { usage }),
  }
}

const USAGE = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
const says =
  (text: string, usage: object | null = USAGE): Answer =>
  (response) =>
    json(response, message(text, {}, usage ?? undefined))
const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(code, headers).end('no')

const FAST = { max_retries: 5, retry_backoff: 'fixed' }

function agentWith(members: JsonObject, root: JsonObject = {}) {
  const { tools: _tools, compliance: _compliance, ...agent } = DEFINITION.agent
  return { ...DEFINITION, ...root, agent: { ...agent, runtime: FAST, ...members } }
}

interface Outcome {
  readonly code: number
  readonly result: {
    readonly run_id: string
    readonly status: string
    readonly stop_reason: string
    readonly error?: { readonly code: string; readonly message: string; readonly pointer?: string }
    readonly usage: Record<string, unknown>
    readonly warnings: readonly { readonly code: string; readonly message: string }[]
  }
}

async function go(place: Place, server: Counted, budget: string, ...more: string[]): Promise<Outcome> {
  const args = [
    'run',
    'agent.json',
    '--input',
    'Go',
    '--json',
    '--base-url',
    server.url,
    '--budget',
    budget,
    ...more,
  ]
  const { code, out, err } = await waybill(place, args)
  assert.notEqual(out, '', err)
  return { code, result: JSON.parse(out) as Outcome['result'] }
}

const routes = (count: number): JsonObject => ({
  ...DEFINITION.agent.model,
  fallbacks: Array.from({ length: count - 1 }, (_, n) => ({ provider: 'custom', model: `m${n}` })),
})

describe('a budget of calls', () => {
  const failing: readonly (readonly [what: string, answer: Answer])[] = [
    ['answer 500', status(500)],
    ['answer 429', status(429, { 'retry-after': '0' })],
    [
      'give an answer that cannot be read',
      (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"choices":'),
    ],
    ['give an answer without content', (response) => json(response, message('', {}, USAGE))],
    ['cut the connection', (response) => response.destroy()],
  ]
  for (const [what, answer] of failing) {
    test(`lets at most N requests leave to models that ${what}`, async (t) => {
      const server = await counting(t, answer)
      const { code, result } = await go(new Place(t, agentWith({})), server, 'calls=2')
      assert.equal(server.bodies.length, 2)
      assert.deepEqual(
        [code, result.error?.code, result.stop_reason, result.usage.llm_calls],
        [3, 'BUDGET_EXCEEDED', 'budget', 2],
      )
      assert.match(result.error?.message ?? '', /calls=2 \(used 2\); the last request failed: MODEL_/)
    })
  }

  test('counts over several routes', async (t) => {
    const server = await counting(t, status(500))
    const model = routes(4)
    const place = new Place(t, agentWith({ model, runtime: { max_retries: 0 } }))
    const { result } = await go(place, server, 'calls=2')
    assert.deepEqual([server.bodies.length, result.usage.llm_calls, result.stop_reason], [2, 2, 'budget'])
    const enough = await counting(t, (response, n, body) =>
      n < 3 ? status(500)(response, n, body) : says('hi')(response, n, body),
    )
    const held = await go(new Place(t, agentWith({ model, runtime: { max_retries: 0 } })), enough, 'calls=3')
    assert.deepEqual([enough.bodies.length, held.result.status], [3, 'completed'])
  })

  test('counts over the workers of a swarm, their retries and their fallback', async (t) => {
    const server = await counting(t, status(500))
    const subagents = ['a', 'b', 'c'].map((ref) => ({ ref: `${ref}.json`, alias: ref, role: 'worker' }))
    const fallback = { ref: 'd.json', alias: 'd', role: 'fallback' }
    const swarm = {
      parallel_execution: true,
      subagents: [...subagents, fallback],
      consensus: { strategy: 'majority_vote' },
    }
    const place = new Place(t, agentWith({ orchestration: swarm as unknown as JsonObject }))
    for (const name of ['a', 'b', 'c', 'd'])
      place.write(
        `${name}.json`,
        JSON.stringify(agentWith({ name }, { agent_id: undefined as unknown as string })),
      )
    const { result } = await go(place, server, 'calls=4')
    assert.ok(server.bodies.length > 0, JSON.stringify(result))
    assert.ok(server.bodies.length <= 4, `${server.bodies.length} requests left`)
    assert.equal(result.usage.llm_calls, server.bodies.length)
  })

  test('covers a sub-agent and the tools that the model calls in the same round', async (t) => {
    const call = (id: string, name: string, args: object) => ({
      id,
      type: 'function',
      function: { name, arguments: JSON.stringify(args) },
    })
    const server = await counting(t, (response, n) => {
      if (n > 1)
        return json(response, message(null, { tool_calls: [call(`m${n}`, 'send_mail', { to: 'x' })] }, USAGE))
      const both = [
        call('a', 'send_mail', { to: 'a' }),
        call('b', 'send_mail', { to: 'b' }),
        call('c', 'w', { task: 'x' }),
      ]
      return json(response, message(null, { tool_calls: both }, USAGE))
    })
    const tools = DEFINITION.agent.tools as unknown as JsonObject[]
    const place = new Place(
      t,
      agentWith({ tools, orchestration: { subagents: [{ ref: 'w.json', alias: 'w', role: 'worker' }] } }),
    )
    place.write(
      'w.json',
      JSON.stringify(agentWith({ name: 'w', tools }, { agent_id: '0b0f6a0e-92a4-4f8a-9d57-3c1f6e2b8a11' })),
    )
    const { result } = await go(place, server, 'calls=5', '--tools', 'tools.mjs')
    const left = server.bodies.length + place.sent().length
    assert.ok(left > 3 && left <= 5, `${left} calls left: ${JSON.stringify(result.usage)}`)
    assert.equal(Number(result.usage.llm_calls) + Number(result.usage.tool_calls), left)
  })

  test('counts the judge, and is checked before it is asked', async (t) => {
    const constraints = ['Be kind to everybody.']
    const config = 'judge: custom/j\n'
    for (const [calls, status, requests] of [
      [1, 'failed', 1],
      [2, 'completed', 2],
    ] as const) {
      const server = await counting(t, (response, n, body) =>
        says(body.includes('"model":"j"') ? '{"breaches":[]}' : 'hi')(response, n, body),
      )
      const place = new Place(t, agentWith({ constraints }))
      place.write('config.yaml', config)
      const { result } = await go(place, server, `calls=${calls}`, '--config', 'config.yaml')
      assert.deepEqual(
        [result.status, server.bodies.length, result.usage.llm_calls],
        [status, requests, requests],
      )
    }
  })

  test('does not count a request that never left', async (t) => {
    const server = await counting(t, says('hi'))
    const model = { provider: 'openai', preferred: 'a', fallbacks: [{ provider: 'custom', model: 'x' }] }
    const place = new Place(t, agentWith({ model: { ...model, base_url: server.url, provider_id: 'lab' } }))
    const { port } = new URL(server.url)
    // Nothing listens on the port of a server that has stopped, so the connection is refused.
    const stopped = createServer()
    await new Promise<void>((done) => stopped.listen(0, '127.0.0.1', done))
    const { port: closed } = stopped.address() as AddressInfo
    await new Promise((done) => stopped.close(done))
    const args = [
      'run',
      'agent.json',
      '--input',
      'Go',
      '--json',
      '--budget',
      'calls=1',
      '--allow-host',
      `127.0.0.1:${port}`,
    ]
    const dead = ['--base-url', `http://127.0.0.1:${closed}/v1`]
    const { out } = await waybill(place, [...args, ...dead], { env: { OPENAI_API_KEY: 'k' } })
    const result = JSON.parse(out) as Outcome['result']
    assert.deepEqual([result.status, result.usage.llm_calls, server.bodies.length], ['completed', 1, 1])
  })

  test('is a whole number, as a budget of tokens is; money and time may be fractions', async (t) => {
    const server = await counting(t, says('hi'))
    const place = new Place(t, agentWith({}))
    for (const budget of [
      'calls=1.5',
      'tokens=0.5',
      'calls=0',
      'calls=-1',
      'calls=',
      'calls=1,calls=9',
      'calls=1e-3',
      'cals=1',
    ]) {
      const { code, result } = await go(place, server, budget)
      assert.deepEqual([budget, code, result.error?.code], [budget, 2, 'BUDGET_INVALID'])
    }
    assert.equal(server.bodies.length, 0)
    for (const budget of ['calls=1', 'seconds=9.5', 'tokens=5000']) {
      const { code, result } = await go(place, server, budget)
      assert.deepEqual([code, result.status], [0, 'completed'], budget)
    }
  })
})

const LONG = 'Every word of this answer counts against the budget of the run. '.repeat(20)

describe('a budget of tokens', () => {
  const reports: readonly (readonly [what: string, usage: object | undefined])[] = [
    ['no usage', undefined],
    ['an empty usage', {}],
    ['a usage of zeros', { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }],
    ['a negative usage', { prompt_tokens: -9000, completion_tokens: -9000, total_tokens: -18000 }],
  ]
  for (const [what, usage] of reports) {
    test(`holds for a provider that reports ${what}: the usage is estimated, and marked`, async (t) => {
      const call = { id: 'a', type: 'function', function: { name: 'look', arguments: '{}' } }
      const server = await counting(t, (response, n) =>
        json(response, message(LONG, { tool_calls: [{ ...call, id: `c${n}` }] }, usage)),
      )
      const { code, result } = await go(new Place(t, agentWith({})), server, 'tokens=600')
      assert.ok(server.bodies.length < 5, `${server.bodies.length} requests`)
      assert.deepEqual([code, result.error?.code, result.usage.estimated], [3, 'BUDGET_EXCEEDED', true])
      assert.equal(result.warnings.filter((warning) => warning.code === 'USAGE_ESTIMATED').length, 1)
    })
  }

  test('counts answers of which a provider bills a part: cut streams and unreadable answers', async (t) => {
    const piece = {
      id: 'c',
      created: 1,
      model: 'x',
      choices: [{ index: 0, delta: { role: 'assistant', content: LONG } }],
    }
    for (const answer of [
      (response: ServerResponse) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write(`data: ${JSON.stringify(piece)}\n\n`, () => response.destroy())
      },
      (response: ServerResponse) => {
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"choices":')
      },
    ]) {
      const server = await counting(t, answer)
      const place = new Place(t, agentWith({ io: { streaming: true }, runtime: { ...FAST, max_retries: 9 } }))
      const { result } = await go(place, server, 'tokens=60')
      assert.ok(server.bodies.length < 10, `${server.bodies.length} requests`)
      assert.ok(
        result.usage.estimated === true && Number(result.usage.input_tokens) > 0,
        JSON.stringify(result),
      )
      const events = await place.events(result.run_id)
      const estimated = events.filter(
        ({ fact }) => fact.type === 'model.failed' && fact.usage?.estimated === true,
      )
      assert.ok(estimated.length > 0)
    }
  })

  test('leaves reported usage as it is, and without a budget nothing is estimated', async (t) => {
    const counted = await counting(t, says(LONG))
    const { result } = await go(new Place(t, agentWith({})), counted, 'tokens=5000')
    assert.deepEqual(
      [result.usage.input_tokens, result.usage.output_tokens, result.usage.estimated],
      [10, 5, undefined],
    )
    const silent = await counting(t, says(LONG, null))
    const free = await go(new Place(t, agentWith({})), silent, 'calls=5')
    assert.deepEqual([free.result.usage.output_tokens, free.result.usage.estimated], [0, undefined])
    assert.match(JSON.stringify(free.result.warnings), /did not report token usage: it counts as 0/)
  })
})

describe('a budget of seconds', () => {
  const hang: Answer = () => {}

  test('ends the run as a budget, and names the option', async (t) => {
    const server = await counting(t, hang)
    const { code, result } = await go(new Place(t, agentWith({})), server, 'seconds=0.2')
    assert.deepEqual(
      [code, result.status, result.stop_reason, result.error?.code, result.error?.pointer],
      [3, 'failed', 'budget', 'BUDGET_EXCEEDED', undefined],
    )
    assert.match(JSON.stringify(result.error), /--budget seconds=N, or budget\.seconds/)
    assert.equal(result.usage.llm_calls, 1)
  })

  test('is shared with sub-agents', async (t) => {
    const server = await counting(t, hang)
    const subagents = [{ ref: 'w.json', alias: 'w', role: 'worker' }]
    const place = new Place(t, agentWith({ orchestration: { pipeline: ['w'], subagents } }))
    place.write(
      'w.json',
      JSON.stringify(agentWith({ name: 'w' }, { agent_id: '0b0f6a0e-92a4-4f8a-9d57-3c1f6e2b8a11' })),
    )
    const { result } = await go(place, server, 'seconds=0.3')
    assert.deepEqual([result.stop_reason, result.error?.code], ['budget', 'BUDGET_EXCEEDED'])
    const ends = await Promise.all(
      (await place.runIds()).map(async (id) =>
        (await place.events(id)).map(({ decision }) => decision.end?.error?.code ?? decision.end?.status),
      ),
    )
    assert.equal(ends.length, 2)
    assert.equal(ends.flat().includes('TIMEOUT'), false)
  })

  test('AAIF-4.6-01: leaves runtime.timeout_seconds a timeout, if that is the tighter limit', async (t) => {
    const server = await counting(t, hang)
    const place = new Place(t, agentWith({ runtime: { ...FAST, timeout_seconds: 1 } }))
    const { result } = await go(place, server, 'seconds=60')
    assert.deepEqual(
      [result.stop_reason, result.error?.code, result.error?.pointer],
      ['timeout', 'TIMEOUT', '/agent/runtime/timeout_seconds'],
    )
  })
})
