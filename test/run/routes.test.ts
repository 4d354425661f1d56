import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { estimateTokenCount } from 'tokenx'
import type { JsonObject } from '../../src/document/json.ts'
import { compileProgram } from '../../src/plan/compile-program.ts'
import { makePlan } from '../../src/plan/make-plan.ts'
import type { ModelFacts, OperatorSettings } from '../../src/plan/operator-settings.ts'
import type { Program } from '../../src/plan/plan.ts'
import { apply } from '../../src/run/apply.ts'
import { chooseRoute } from '../../src/run/decide/choose-route.ts'
import { drive } from '../../src/run/drive/drive.ts'
import { MemoryRouteBoard } from '../../src/run/drive/route-board.ts'
import { initialState } from '../../src/run/initial-state.ts'
import { type ModelAnswer, ModelFailure, type ModelPort } from '../../src/run/ports.ts'
import { decodeEvent, encodeEvent } from '../../src/run/record/event-line.ts'
import { resultOf } from '../../src/run/result.ts'
import type { RunState } from '../../src/run/state.ts'
import { withSecrets } from '../plan/with-secrets.ts'
import { calls, definition, ENV, fakeClock, portsOf, SETTINGS, text, toolsOf } from './fixture.ts'

const GO = { type: 'run.started', input: 'hello' } as const

/** A plan with the routes a, b and c of OpenAI, in this order. */
function program(
  model: JsonObject,
  facts: Readonly<Record<string, ModelFacts>> = {},
  settings: Partial<OperatorSettings> = {},
): Program {
  const agent = definition({
    model: {
      provider: 'openai',
      preferred: 'a',
      fallbacks: [
        { provider: 'openai', model: 'b' },
        { provider: 'openai', model: 'c' },
      ],
      ...model,
    },
    runtime: { max_retries: 0 },
  })
  const plan = makePlan(
    {
      definition: agent,
      definition_hash: 'a'.repeat(64),
      context: [],
      subagents: [],
      discovered: {},
      functions: { look: { read_only: true, idempotent: false } },
    },
    { ...SETTINGS, ...settings },
    { ...withSecrets(...Object.keys(ENV)), priceOf: (_provider, name) => facts[name] },
  )
  return compileProgram(plan)
}

type Behaviour = Readonly<Record<string, (clock: ReturnType<typeof fakeClock>) => ModelAnswer | Error>>

/** A host with its own record of routes, and the order in which the routes were asked. */
function world(behaviour: Behaviour = {}) {
  const clock = fakeClock()
  const asked: string[] = []
  const model: ModelPort = {
    async ask({ route }) {
      asked.push(route.model)
      const answer = behaviour[route.model]?.(clock) ?? text('done')
      if (answer instanceof Error) throw answer
      return answer
    },
  }
  const routes = new MemoryRouteBoard()
  const run = async (of: Program, tools = toolsOf({})) => {
    const ports = portsOf(model, tools, { clock, routes })
    const state = await drive(of, start(of), GO, ports)
    return { state, events: ports.events, result: resultOf(of.plan, state) }
  }
  return { clock, asked, routes, run }
}

function start({ plan, hash }: Program): RunState {
  return initialState('run-1', plan.agent_id, hash)
}

const after = (ms: number) => (clock: ReturnType<typeof fakeClock>) => {
  clock.advance(ms)
  return text('done')
}
const dead = () => new ModelFailure('unavailable', 'MODEL_UNAVAILABLE', 'cannot be reached')
const price = (input: number, output: number): ModelFacts => ({ price: { input, output } })

describe('AAIF §4.2 the strategy chooses among the eligible routes', () => {
  test('AAIF-4.2-09: preferred_first keeps the declared order, even if another route is faster or cheaper', async () => {
    const of = program(
      { routing_strategy: 'preferred_first' },
      { a: price(9, 9), b: price(1, 1), c: price(1, 1) },
    )
    const { asked, run } = world({ a: after(900), b: after(1) })
    for (let i = 0; i < 3; i++) await run(of)
    assert.deepEqual(asked, ['a', 'a', 'a'])
  })

  test('AAIF-4.2-05: cost asks the cheapest first, the declared order breaks ties, an unknown price comes last', async () => {
    const of = program({ routing_strategy: 'cost' }, { b: price(1, 4), c: price(1, 4) })
    const first = world()
    const { events } = await first.run(of)
    assert.deepEqual(first.asked, ['b'])
    assert.deepEqual(of.plan.routing, { strategy: 'cost', order: [1, 2, 0] })
    assert.equal(events[0]?.decision.attempt?.why, 'cheapest: 1 USD in, 4 out per million tokens')
    const second = world({ b: dead, c: dead })
    await second.run(of)
    assert.deepEqual(second.asked, ['b', 'c', 'a'])
  })

  test('AAIF-4.2-05, AAIF-4.2-10: cost never takes a route whose window is below min_context_tokens', async () => {
    const of = program(
      { routing_strategy: 'cost', min_context_tokens: 1000 },
      {
        a: { ...price(1, 1), context_window: 999 },
        b: { ...price(3, 3), context_window: 1_000_000 },
        c: { ...price(2, 2), context_window: 1_000_000 },
      },
    )
    const { asked, run } = world()
    await run(of)
    assert.deepEqual(asked, ['c'])
    assert.match(of.plan.models[0]?.reason ?? '', /999.*min_context_tokens 1000/)
  })

  for (const routing_strategy of ['preferred_first', 'cost', 'latency', 'quality', 'round_robin']) {
    test(`AAIF-4.2-10: ${routing_strategy} asks neither a primary nor a fallback whose window is too small`, async () => {
      const small = { ...price(1, 1), context_window: 999 }
      const large = { ...price(9, 9), context_window: 1000 }
      const model = { routing_strategy, min_context_tokens: 1000 }
      const behindPrimary = program(model, { a: large, b: small, c: large })
      const first = world({ a: dead, c: dead })
      for (let i = 0; i < 3; i++) await first.run(behindPrimary)
      assert.deepEqual([...new Set(first.asked)].sort(), ['a', 'c'])
      assert.deepEqual(
        behindPrimary.plan.models.map(({ eligible }) => eligible),
        [true, false, true],
      )
      const primary = world({ c: dead, b: dead })
      for (let i = 0; i < 3; i++) await primary.run(program(model, { a: small, b: large, c: large }))
      assert.deepEqual([...new Set(primary.asked)].sort(), ['b', 'c'])
    })
  }

  test('AAIF-4.2-06: latency tries each route once, then asks the one with the lowest observed p50', async () => {
    const of = program({ routing_strategy: 'latency' })
    const { asked, run } = world({ a: after(300), b: after(40), c: after(200) })
    for (let i = 0; i < 5; i++) await run(of)
    assert.deepEqual(asked, ['a', 'b', 'c', 'b', 'b'])
    const { events } = await run(of)
    assert.equal(events[0]?.decision.attempt?.why, 'fastest: half of its answers came within 40 ms')
  })

  test('AAIF-4.2-06: it is the median that counts, not the mean and not the latest answer', async () => {
    const of = program({ routing_strategy: 'latency' })
    const { asked, run, routes, clock } = world()
    const [a, b, c] = of.plan.models
    assert.ok(a && b && c)
    for (const ms of [10, 10, 5000]) routes.answered(a, ms, clock.now())
    for (const ms of [400, 400, 20]) routes.answered(b, ms, clock.now())
    routes.answered(c, 500, clock.now())
    await run(of)
    assert.deepEqual(asked, ['a'])
  })

  test('AAIF-4.2-07: quality asks the best ranked first; the operator’s ranks come before the table', async () => {
    const models = {
      preferred: 'gpt-4o-mini',
      fallbacks: [
        { provider: 'openai', model: 'nobody-knows-it' },
        { provider: 'openai', model: 'gpt-5' },
      ],
      routing_strategy: 'quality',
    }
    const byTable = world()
    await byTable.run(program(models))
    assert.deepEqual(byTable.asked, ['gpt-5'])
    const byOperator = world({ 'nobody-knows-it': dead })
    const of = program(models, {}, { quality: { 'openai/nobody-*': 9000, 'gpt-4o*': 2000 } })
    await byOperator.run(of)
    assert.deepEqual(byOperator.asked, ['nobody-knows-it', 'gpt-4o-mini'])
  })

  test('AAIF-4.2-08: round_robin spreads nine calls over three routes, three each, over several runs', async () => {
    const of = program({ routing_strategy: 'round_robin' })
    const { asked, run } = world()
    for (let i = 0; i < 9; i++) await run(of)
    assert.deepEqual(asked, ['a', 'b', 'c', 'a', 'b', 'c', 'a', 'b', 'c'])
  })

  test('AAIF-4.2-08: and the calls of one run as well, also with concurrent runs', async () => {
    const of = program({ routing_strategy: 'round_robin' })
    const { asked, run } = world()
    await Promise.all(Array.from({ length: 9 }, () => run(of)))
    for (const route of ['a', 'b', 'c']) assert.equal(asked.filter((name) => name === route).length, 3)
    let questions = 0
    const loop = world(
      Object.fromEntries(
        ['a', 'b', 'c'].map((name) => [
          name,
          () => (++questions < 9 ? calls([`call${questions}`, 'look', { x: 1 }]) : text('done')),
        ]),
      ),
    )
    await loop.run(of, toolsOf({ look: () => 1 }))
    assert.deepEqual(loop.asked, ['a', 'b', 'c', 'a', 'b', 'c', 'a', 'b', 'c'])
  })

  test('AAIF-4.2-03: a price that equals the ceiling is allowed, one above it and an unknown one are not', () => {
    const models = (ceiling: number, facts: Record<string, ModelFacts>) =>
      program({ fallbacks: [{ provider: 'openai', model: 'b', max_cost_usd_per_1k_tokens: ceiling }] }, facts)
        .plan.models[1]
    // 0.1 + 0.2 is an example of a sum that differs from 0.3 in the last digit.
    assert.equal(models(0.3, { b: price(1, (0.1 + 0.2) * 1000) })?.eligible, true)
    assert.equal(models(0.3, { b: price(1, 301) })?.eligible, false)
    assert.equal(models(0.3, {})?.eligible, false)
    assert.equal(program({}, { b: price(9e6, 9e6) }).plan.models[1]?.eligible, true)
  })
})

describe('routes that fail', () => {
  test('a route that failed three times in a row is not asked by later runs while it is closed', async () => {
    const of = program({})
    const { asked, run, clock } = world({ a: dead })
    for (let i = 0; i < 3; i++) await run(of)
    assert.deepEqual(asked, ['a', 'b', 'a', 'b', 'a', 'b'])
    asked.length = 0
    const { events } = await run(of)
    assert.deepEqual(asked, ['b'])
    assert.match(
      events[0]?.decision.attempt?.skipped?.[0]?.reason ?? '',
      /failed 3 times in a row.*not used until \d{4}-/,
    )
    clock.advance(60_001)
    asked.length = 0
    await run(of)
    await run(of)
    assert.deepEqual(asked, ['a', 'b', 'b'], 'one probe, and the next run does not wait for it')
  })

  test('an answered probe opens the route again, and only one probe is sent at a time', async () => {
    const of = program({})
    let up = false
    const { asked, run, clock } = world({ a: () => (up ? text('done') : dead()) })
    for (let i = 0; i < 3; i++) await run(of)
    clock.advance(60_001)
    up = true
    asked.length = 0
    await Promise.all([run(of), run(of)])
    assert.deepEqual([...asked].sort(), ['a', 'b'])
    asked.length = 0
    await run(of)
    assert.deepEqual(asked, ['a'])
  })

  test('a probe is not retried: a run does not wait for a failing route', async () => {
    const of = program({})
    const retrying = compileProgram({ ...of.plan, retry: { ...of.plan.retry, max_retries: 2, base_ms: 500 } })
    const { asked, run, clock } = world({ a: dead })
    await run(retrying)
    assert.deepEqual(asked, ['a', 'a', 'a', 'b'])
    assert.deepEqual(clock.slept, [500, 1000])
    clock.advance(60_001)
    clock.slept.length = 0
    asked.length = 0
    await run(retrying)
    assert.deepEqual(asked, ['a', 'b'])
    assert.deepEqual(clock.slept, [])
  })

  test('other runs do not ask a provider during the pause that it requested', async () => {
    const of = program({})
    const { asked, run, clock } = world({
      a: () => new ModelFailure('rate_limited', 'MODEL_RATE_LIMITED', 'answered 429', 120_000),
    })
    await run(of)
    clock.advance(119_000)
    await run(of)
    assert.deepEqual(asked, ['a', 'b', 'b'])
    clock.advance(2_000)
    await run(of)
    assert.deepEqual(asked, ['a', 'b', 'b', 'a', 'b'])
  })

  test('a refused request or key does not count as a failing route', async () => {
    const of = program({})
    for (const kind of ['request', 'route'] as const) {
      const { asked, run } = world({ a: () => new ModelFailure(kind, 'MODEL_ERROR', 'no') })
      for (let i = 0; i < 4; i++) await run(of)
      assert.equal(asked.filter((name) => name === 'a').length, 4, kind)
    }
  })

  test('if every route is closed, the one that opens first is asked', async () => {
    const of = program({})
    const { asked, run } = world({ a: dead, b: dead, c: dead })
    for (let i = 0; i < 3; i++) await run(of)
    asked.length = 0
    const { result, events } = await run(of)
    assert.equal(asked.length, 3)
    assert.match(events[0]?.decision.attempt?.why ?? '', /^no other route is left, although it failed/)
    assert.equal(result.error?.code, 'NO_ROUTE')
  })

  test('AAIF-3-01: the model that answers in place of the declared one is named, once', async () => {
    const of = program({})
    let questions = 0
    const { run } = world({
      a: dead,
      b: () => (++questions < 3 ? calls([`call${questions}`, 'look', { x: 1 }]) : text('done')),
    })
    const { result } = await run(of, toolsOf({ look: () => 1 }))
    assert.equal(result.status, 'completed')
    assert.deepEqual(
      result.warnings.filter(({ code }) => code === 'MODEL_SUBSTITUTED'),
      [
        {
          code: 'MODEL_SUBSTITUTED',
          message: 'openai/b answers in place of openai/a: MODEL_UNAVAILABLE',
          about: { model: 'openai/b', replaces: 'openai/a' },
        },
      ],
    )
    const healthy = await world().run(of)
    assert.deepEqual(
      healthy.result.warnings.filter(({ code }) => code === 'MODEL_SUBSTITUTED'),
      [],
    )
  })

  test('AAIF-3-01: so is the one that replaces a declared model that may not be used', async () => {
    const of = program({ min_context_tokens: 10 }, { a: { context_window: 9 } })
    const { result } = await world().run(of)
    const [warning] = result.warnings.filter(({ code }) => code === 'MODEL_SUBSTITUTED')
    assert.match(warning?.message ?? '', /^openai\/b answers in place of openai\/a: its context window of 9/)
  })
})

describe('the length of a question', () => {
  const LONG = 'The parcel has been at the sorting centre since yesterday. '.repeat(400)

  test('AAIF-4.2-11: a route whose window is too small for this question is skipped, and if none is left there is one error', async () => {
    const of = program({}, { a: { context_window: 2_000 }, b: { context_window: 100_000 } })
    const small = world()
    const { events } = await small.run(of)
    assert.deepEqual(small.asked, ['a'])
    assert.equal(events[0]?.decision.attempt?.prompt_tokens, undefined, 'it fits by far')
    const long = world()
    const ports = portsOf(
      {
        ask: async ({ route }) => {
          long.asked.push(route.model)
          return text('done')
        },
      },
      toolsOf({}),
    )
    await drive(of, start(of), { ...GO, input: LONG }, ports)
    assert.deepEqual(long.asked, ['b'])
    assert.match(
      ports.events[0]?.decision.attempt?.skipped?.[0]?.reason ?? '',
      /window of 2000 tokens is too small for this question of about 4\d{3}/,
    )
    const none = program({ fallbacks: [] }, { a: { context_window: 2_000 } })
    const state = await drive(
      none,
      start(none),
      { ...GO, input: LONG },
      portsOf({ ask: () => assert.fail() }),
    )
    assert.equal(state.end?.error?.code, 'NO_ROUTE')
    assert.match(
      state.end?.error?.message ?? '',
      /openai\/a cannot be used: its context window of 2000 tokens/,
    )
  })

  test('a question that may not fit is estimated, and the estimate is recorded', async () => {
    const of = program({}, { a: { context_window: 2_000 } })
    const model: ModelPort = { ask: async () => text('done') }
    for (const [units, isEstimated] of [
      [900, false],
      [1_100, true],
    ] as const) {
      const ports = portsOf(model, toolsOf({}))
      await drive(of, start(of), { ...GO, input: LONG.slice(0, units) }, ports)
      const { route, prompt_tokens } = ports.events[0]?.decision.attempt ?? {}
      assert.equal(route, 0)
      assert.equal(prompt_tokens !== undefined, isEstimated)
      if (prompt_tokens !== undefined)
        assert.ok(prompt_tokens > 150 && prompt_tokens < 400, `${prompt_tokens}`)
    }
  })

  test('a text is never estimated at more than two tokens for each UTF-16 unit', () => {
    const anyText = fc.string({ unit: 'binary', maxLength: 40 })
    const signs = fc.string({
      unit: fc.constantFrom('☀', '❤', '\u{1F600}', '漢', 'か', '한', 'ß', '.', '\n', ' ', '7'),
    })
    fc.assert(
      fc.property(fc.oneof(anyText, signs), (it) => {
        assert.ok(estimateTokenCount(it) <= 2 * it.length)
      }),
    )
  })

  test('the estimate is computed from the first unit at which a question may not fit', () => {
    const { plan } = program({ fallbacks: [], params: { max_tokens: 100 } }, { a: { context_window: 2_000 } })
    const chosen = (atMost: number, estimate: () => number) =>
      chooseRoute(plan, { down: {}, tried: [], length: { atMost: () => atMost, estimate }, at: 0 })
    assert.equal(chosen(1_900, () => assert.fail()).route, 0)
    assert.deepEqual(
      [chosen(1_901, () => 1_900), chosen(1_901, () => 1_901)].map(({ route, prompt_tokens }) => ({
        route,
        prompt_tokens,
      })),
      [
        { route: 0, prompt_tokens: 1_900 },
        { route: null, prompt_tokens: 1_901 },
      ],
    )
  })

  test('the maximum length of the answer counts as well', async () => {
    const facts = { a: { context_window: 2_000 } }
    const { asked, run } = world()
    await run(program({ params: { max_tokens: 1_000 } }, facts))
    await run(program({ params: { max_tokens: 1_990 } }, facts))
    assert.deepEqual(asked, ['a', 'b'])
  })

  test('results of tools can make a question too long for its route; the provider’s count is preferred to the estimate', async () => {
    const facts = { a: { context_window: 2_000 } }
    const grow = world({ a: () => calls(['x', 'look', { x: 1 }]) })
    await grow.run(program({}, facts), toolsOf({ look: () => LONG }))
    assert.deepEqual(grow.asked, ['a', 'b'])
    const counted = world({
      a: () => ({ ...calls(['x', 'look', { x: 1 }]), usage: { input_tokens: 1_999, output_tokens: 1 } }),
    })
    await counted.run(program({}, facts), toolsOf({ look: () => 1 }))
    assert.deepEqual(counted.asked, ['a', 'b'])
  })
})

test('a run that chose among routes is replayed from its record alone', async () => {
  const of = program({ routing_strategy: 'round_robin' }, { a: { context_window: 50_000 } })
  let questions = 0
  const behaviour = () => (++questions < 6 ? calls([`call${questions}`, 'look', { x: 1 }]) : text('done'))
  const { run } = world({ a: behaviour, b: dead, c: behaviour })
  const { state, events } = await run(of, toolsOf({ look: () => 1 }))
  const replayed = events.map((event) => decodeEvent(encodeEvent(event))).reduce(apply, start(of))
  assert.deepEqual(JSON.parse(JSON.stringify(replayed)), JSON.parse(JSON.stringify(state)))
})
