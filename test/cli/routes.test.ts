import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { DEFINITION, Place, waybill } from './fixture.ts'

const agent = (model: object) => ({
  ...DEFINITION,
  agent: { ...DEFINITION.agent, tools: [], model, runtime: { max_retries: 0 } },
})
const KEYS = { OPENAI_API_KEY: 'test-key' }

/** Answers for all models except those that are down; records the requested models. */
async function provider(t: TestContext, down: readonly string[] = []) {
  const asked: string[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const { model } = JSON.parse(text) as { model: string }
    asked.push(model)
    if (down.includes(model)) return response.writeHead(503).end('down')
    response.writeHead(200, { 'content-type': 'application/json' })
    const choice = { index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
    response.end(JSON.stringify({ id: 'c', created: 1, model, choices: [choice], usage }))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` }
}

const fallbacks = [
  { provider: 'openai', model: 'b' },
  { provider: 'openai', model: 'c' },
]

test('route statistics are shared between processes: round robin continues, and a failing route is skipped', async (t) => {
  const turns = await provider(t)
  const place = new Place(
    t,
    agent({ provider: 'openai', preferred: 'a', fallbacks, routing_strategy: 'round_robin' }),
  )
  const run = async (url: string) => {
    const said = await waybill(place, ['run', 'agent.json', 'Go', '--json', '--base-url', url], { env: KEYS })
    assert.equal(said.code, 0, said.err)
    return JSON.parse(said.out)
  }
  for (let i = 0; i < 4; i++) await run(turns.url)
  assert.deepEqual(turns.asked, ['a', 'b', 'c', 'a'])

  place.write('agent.json', JSON.stringify(agent({ provider: 'openai', preferred: 'a', fallbacks })))
  const dead = await provider(t, ['a'])
  for (let i = 0; i < 4; i++) {
    const { warnings } = await run(dead.url)
    assert.match(JSON.stringify(warnings), /MODEL_SUBSTITUTED.*openai\/b answers in place of openai\/a/)
  }
  assert.deepEqual(dead.asked, ['a', 'b', 'a', 'b', 'a', 'b', 'b'])
})

test('the plan shows strategy and order; configured prices, windows and ranks take precedence', async (t) => {
  const model = {
    provider: 'openai',
    preferred: 'a',
    fallbacks,
    routing_strategy: 'cost',
    min_context_tokens: 500,
  }
  const place = new Place(t, agent(model))
  place.write(
    'config.yaml',
    `models:
  openai/a: { input_usd_per_mtok: 3, output_usd_per_mtok: 3 }
  openai/b: { input_usd_per_mtok: 1, output_usd_per_mtok: 1, context_window: 499 }
  openai/c: { input_usd_per_mtok: 2, output_usd_per_mtok: 2, context_window: 500 }
quality: { "openai/c": 3, "a": 2 }
`,
  )
  const plan = (...more: string[]) =>
    waybill(place, ['plan', 'agent.json', '--config', 'config.yaml', ...more], { env: KEYS })
  const { out } = await plan()
  assert.match(
    out,
    /Models\n {2}cost: cheapest first\n {2}✓ openai\/c \(first choice.*\n {2}✓ openai\/a \(fallback.*\n {2}✗ openai\/b: its context window of 499/,
  )
  const json = JSON.parse((await plan('--json')).out)
  assert.deepEqual(json.routing, { strategy: 'cost', order: [2, 0] })
  assert.deepEqual(json.models[2].price, { input: 2, output: 2 })
  place.write('agent.json', JSON.stringify(agent({ ...model, routing_strategy: 'quality' })))
  assert.match((await plan()).out, /quality: highest rank first\n {2}✓ openai\/c \(first choice.*rank 3\)/)
  place.write('agent.json', JSON.stringify(agent({ ...model, routing_strategy: 'round_robin' })))
  assert.match((await plan()).out, /round_robin: in turn\n {2}✓ openai\/a \(key/)
})

test('a price needs both sides and a model with its provider', async (t) => {
  const place = new Place(t, agent({ provider: 'openai', preferred: 'a' }))
  for (const [text, complaint] of [
    ['models: { openai/a: { input_usd_per_mtok: 1 } }', /output_usd_per_mtok/],
    ['models: { a: { context_window: 5 } }', /models/],
    ['models: { openai/a: { price: 5 } }', /price/],
    ['quality: { a: best }', /quality/],
  ] as const) {
    place.write('config.yaml', text)
    const { code, err } = await waybill(place, ['plan', 'agent.json', '--config', 'config.yaml'], {
      env: KEYS,
    })
    assert.equal(code, 2, text)
    assert.match(err, complaint)
  }
})
