import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type AgentDefinition, planRun } from 'waybill'
import { cutResult } from '../../src/adapters/tools/cut-result.ts'
import { createFunctionTool } from '../../src/adapters/tools/function-tool.ts'
import { createToolPort } from '../../src/adapters/tools/tool-port.ts'
import { type ToolMemory, withinLimits } from '../../src/adapters/tools/within-limits.ts'
import type { Json, JsonObject } from '../../src/document/json.ts'
import type { PlannedTool } from '../../src/plan/plan.ts'
import { type Clock, isCutResult, ToolFailure, type ToolPort } from '../../src/run/ports.ts'
import { toolNamed } from './model-fixture.ts'

/** Time that advances only in sleeps, or when the test advances it. */
class FakeClock implements Clock {
  at = 1_000_000
  readonly #sleepers: { readonly until: number; readonly wake: () => void }[] = []
  now = () => this.at
  sleep = (ms: number, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      this.#sleepers.push({ until: this.at + ms, wake: resolve })
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
  alarm = () => () => {}
  /** Advances the time and resolves the sleeps that are due. */
  async pass(ms: number) {
    this.at += ms
    for (const { until, wake } of this.#sleepers.splice(0)) {
      if (until <= this.at) wake()
      else this.#sleepers.push({ until, wake })
    }
    await new Promise((done) => setImmediate(done))
  }
}

/** A function tool that counts its calls, behind the limits of its plan. */
function limited(
  answer: (args: JsonObject, call: number) => unknown,
  clock: FakeClock = new FakeClock(),
  memory: ToolMemory = { results: new Map(), uses: new Map() },
) {
  const calls: { readonly at: number; readonly args: JsonObject }[] = []
  const call = async (args: JsonObject) => {
    calls.push({ at: clock.now(), args })
    return answer(args, calls.length)
  }
  const tool = { call, readOnly: true, idempotent: false }
  const functions = createFunctionTool({
    tools: new Map([
      ['t', tool],
      ['other', tool],
    ]),
  })
  const port = withinLimits(createToolPort({ function: functions }), clock, memory)
  return { port, calls, clock }
}

const ask = (
  port: ToolPort,
  tool: PlannedTool,
  args: JsonObject = {},
  signal = new AbortController().signal,
) => port.call({ tool, args, key: 'k' }, { signal })

const turn = () => new Promise((done) => setImmediate(done))

describe('cache_ttl_seconds', () => {
  const cached = toolNamed('t', { cache_ms: 10_000 })

  test('AAIF-4.4-14: the same call returns the cached result until it expires', async () => {
    const { port, calls, clock } = limited((_, n) => ({ n }))
    assert.deepEqual(await ask(port, cached, { a: 1, b: 2 }), { n: 1 })
    clock.at += 9_999
    assert.deepEqual(await ask(port, cached, { b: 2, a: 1 }), { n: 1 }, 'in whatever order')
    clock.at += 1
    assert.deepEqual(await ask(port, cached, { a: 1, b: 2 }), { n: 2 })
    assert.equal(calls.length, 2)
  })

  test('AAIF-4.4-14: a failure is not kept', async () => {
    const { port, calls } = limited((_, n) => {
      if (n === 1) throw new Error('not now')
      return n
    })
    await assert.rejects(ask(port, cached), { code: 'TOOL_THREW' })
    assert.equal(await ask(port, cached), 2)
    assert.equal(await ask(port, cached), 2)
    assert.equal(calls.length, 2)
  })

  test('AAIF-4.4-14: of equal calls of one turn one is sent, and all get its result', async () => {
    const gate = Promise.withResolvers<void>()
    const { port, calls } = limited(async (_, n) => {
      await gate.promise
      return { n }
    })
    const asked = [ask(port, cached, { a: 1 }), ask(port, cached, { a: 1 }), ask(port, cached, { a: 2 })]
    const late = ask(port, cached, { a: 1 })
    await turn()
    gate.resolve()
    assert.deepEqual(await Promise.all([...asked, late]), [{ n: 1 }, { n: 1 }, { n: 2 }, { n: 1 }])
    assert.equal(calls.length, 2)
  })

  test('AAIF-4.4-14: a call that waits for an equal one is sent when that fails, and ends when it is aborted', async () => {
    const gate = Promise.withResolvers<void>()
    const { port, calls } = limited(async (_, n) => {
      await gate.promise
      if (n === 1) throw new Error('not now')
      return n
    })
    const stop = new AbortController()
    const first = assert.rejects(ask(port, cached), { code: 'TOOL_THREW' })
    const aborted = assert.rejects(ask(port, cached, {}, stop.signal), /stopped/)
    const others = [ask(port, cached), ask(port, cached)]
    await turn()
    stop.abort(new Error('stopped'))
    await aborted
    assert.equal(calls.length, 1)
    gate.resolve()
    await first
    assert.deepEqual(await Promise.all(others), [2, 2])
    assert.equal(calls.length, 2)
  })

  test('other arguments, another tool and another credential are other calls', async () => {
    const { port, calls } = limited((_, n) => n)
    await ask(port, cached, { a: 1 })
    await ask(port, cached, { a: 2 })
    await ask(port, toolNamed('other', { cache_ms: 10_000 }), { a: 1 })
    await ask(port, { ...cached, auth: { type: 'bearer', secret: 'S' } }, { a: 1 })
    assert.equal(calls.length, 4)
  })

  test('SPEC-D-16: 0 disables the cache', async () => {
    const agent = agentWith({ name: 't', description: 'd', cache_ttl_seconds: 0 })
    const plan = await planRun(agent, { tools: { t: Object.assign(async () => 1, { readOnly: true }) } })
    const tool = plan.tools[0] as PlannedTool
    assert.equal(tool.gate, 'allow')
    const { port, calls } = limited((_, n) => n)
    await ask(port, tool)
    await ask(port, tool)
    assert.equal(calls.length, 2)
  })

  test('a write is sent each time', async () => {
    const { port, calls } = limited((_, n) => n)
    const write = { ...cached, effect: 'write' } as const
    await ask(port, write)
    await ask(port, write)
    assert.equal(calls.length, 2)
  })

  test('many results do not grow without bound', async () => {
    const memory = { results: new Map(), uses: new Map() }
    const { port } = limited((_, n) => n, new FakeClock(), memory)
    for (let n = 0; n < 600; n++) await ask(port, cached, { n })
    assert.equal(memory.results.size, 500)
  })
})

describe('rate_limit', () => {
  const rated = (changes: Partial<PlannedTool> = {}) =>
    toolNamed('t', { rate_limit: { requests_per_minute: 2 }, timeout_ms: 60_000, ...changes })
  const limitedBy = (says: RegExp) => (error: unknown) => {
    assert.ok(error instanceof ToolFailure, String(error))
    assert.deepEqual([error.code, error.outcome], ['TOOL_RATE_LIMITED', 'unsent'])
    assert.match(error.message, says)
    return true
  }

  test('AAIF-4.4-16: call N+1 of a minute waits until the first is a minute old, in the order of the calls', async () => {
    const { port, calls, clock } = limited((args) => args)
    const start = clock.at
    const all = [1, 2, 3, 4].map((n) => ask(port, rated(), { n }))
    await turn()
    assert.equal(calls.length, 2)
    await clock.pass(59_999)
    assert.equal(calls.length, 2)
    await clock.pass(1)
    await Promise.all(all)
    assert.deepEqual(
      calls.map(({ at, args }) => [at - start, args.n]),
      [
        [0, 1],
        [0, 2],
        [60_000, 3],
        [60_000, 4],
      ],
    )
  })

  test('AAIF-4.4-16: a call that would wait longer than its timeout is refused immediately and not sent', async () => {
    const { port, calls, clock } = limited((args) => args)
    const impatient = rated({ timeout_ms: 10_000 })
    await ask(port, impatient)
    await ask(port, impatient)
    await assert.rejects(ask(port, impatient), limitedBy(/in 60 s, after its timeout/))
    await clock.pass(55_000)
    const patient = ask(port, impatient)
    await clock.pass(5_000)
    await patient
    assert.equal(calls.length, 3)
  })

  test('AAIF-4.4-16: tokens of arguments and results count together', async () => {
    const { port, calls, clock } = limited(() => 'x'.repeat(400))
    const tool = rated({ rate_limit: { tokens_per_minute: 150 } })
    await ask(port, tool)
    const second = ask(port, tool)
    await turn()
    assert.equal(calls.length, 2, '101 of 150 were used when it left')
    await second
    const third = ask(port, tool)
    await turn()
    assert.equal(calls.length, 2)
    await clock.pass(60_000)
    await third
    assert.equal(calls.length, 3)
    await assert.rejects(
      ask(port, tool, { text: 'y'.repeat(700) }),
      limitedBy(/the arguments alone have about 178/),
    )
  })

  test('all tools of one declaration share its limit; another tool has its own', async () => {
    const { port, calls } = limited((args) => args)
    const of = (name: string, declared: string) => rated({ name, declared, timeout_ms: 1_000 })
    await ask(port, of('t', 'api'))
    await ask(port, of('other', 'api'))
    await assert.rejects(ask(port, of('t', 'api')), limitedBy(/rate_limit/))
    await ask(port, of('t', 'api2'))
    assert.equal(calls.length, 3)
  })

  test('an aborted wait leaves the place to the next call', async () => {
    const { port, calls, clock } = limited((args) => args)
    await Promise.all([ask(port, rated()), ask(port, rated())])
    const controller = new AbortController()
    const gone = ask(port, rated(), { n: 3 }, controller.signal)
    await turn()
    controller.abort(new Error('stopped'))
    await assert.rejects(gone, limitedBy(/stopped while the call waited/))
    const [third, fourth] = [ask(port, rated(), { n: 4 }), ask(port, rated(), { n: 5 })]
    await clock.pass(60_000)
    await Promise.all([third, fourth])
    assert.deepEqual(
      calls.slice(2).map(({ args }) => args.n),
      [4, 5],
    )
  })

  test('a call that has waited asks its guard again, and is not sent if the guard refuses', async () => {
    const { port, calls, clock } = limited((args) => args)
    let held = true
    const guard = () => {
      if (!held) throw new Error('the lease has lapsed')
    }
    const { signal } = new AbortController()
    const send = () => port.call({ tool: rated(), args: {}, key: 'k' }, { signal, guard })
    await Promise.all([send(), send()])
    const late = assert.rejects(send(), /the lease has lapsed/)
    held = false
    await clock.pass(60_000)
    await late
    assert.equal(calls.length, 2)
  })

  test('a cached result does not count towards the limit', async () => {
    const { port } = limited((_, n) => n)
    const tool = rated({ cache_ms: 10_000, timeout_ms: 1 })
    for (let n = 0; n < 5; n++) assert.equal(await ask(port, tool), 1)
  })
})

function agentWith(tool: JsonObject, model: JsonObject = {}): AgentDefinition {
  return {
    sc_standard: 'SC-006',
    agent: { name: 'A', goal: 'B.', ...model, tools: [tool] },
  } as unknown as AgentDefinition
}

describe('results that are too large', () => {
  const size = (value: Json) => JSON.stringify(value).length

  test('a result that fits is passed on unchanged', () => {
    const value = { a: ['x'.repeat(900)] }
    assert.equal(cutResult(value, 1_000), value)
  })

  test('lists are truncated, small members stay, and the notice counts the omitted parts', () => {
    const rows = Array.from({ length: 5_000 }, (_, n) => ({ n, name: `row ${n}` }))
    const cut = cutResult({ total: 5_000, rows, next: 'p2' }, 10_000)
    assert.ok(isCutResult(cut))
    assert.ok(size(cut) <= 10_000 && size(cut) > 8_000, `${size(cut)}`)
    const result = cut.result as unknown as { total: number; next: string; rows: unknown[] }
    assert.deepEqual([result.total, result.next, result.rows[0]], [5_000, 'p2', { n: 0, name: 'row 0' }])
    assert.match(cut.result_cut, new RegExp(`${5_000 - result.rows.length} of 5000 items at /rows`))
  })

  test('texts are truncated, never within a character', () => {
    const cut = cutResult('😀'.repeat(60_000), 10_001)
    assert.ok(isCutResult(cut) && typeof cut.result === 'string')
    assert.ok(cut.result.isWellFormed())
    assert.match(cut.result_cut, new RegExp(`${120_000 - cut.result.length} of 120000 characters`))
  })

  test('every shape is truncated below its limit, with a notice', () => {
    const shapes: readonly Json[] = [
      '\u0000'.repeat(50_000),
      Array.from({ length: 9 }, () => 'y'.repeat(9_000)),
      [['z'.repeat(90_000)]],
      Object.fromEntries(Array.from({ length: 9_000 }, (_, n) => [`member ${n}`, n])),
      { deep: { deeper: { list: Array.from({ length: 100 }, (_, n) => ({ n, text: 't'.repeat(1_000) })) } } },
    ]
    for (const shape of shapes) {
      const cut = cutResult(shape, 5_000)
      assert.ok(isCutResult(cut))
      assert.ok(size(cut) <= 5_000, `${size(cut)} of ${JSON.stringify(shape).slice(0, 40)}`)
      assert.match(cut.result_cut, /Omitted: \d+/)
    }
  })

  test('the limit comes from the window of the route, and is 100,000 characters without one', async () => {
    const model = (preferred: string) => ({ model: { provider: 'openai', preferred } })
    const tool = { name: 't', description: 'd' }
    const env = { OPENAI_API_KEY: 'sk-1' }
    const tools = { t: async () => 1 }
    const small = await planRun(agentWith(tool, model('gpt-4')), { env, tools })
    assert.equal(small.tools[0]?.max_result_chars, (small.models[0]?.context_window ?? 0) * 2)
    const large = await planRun(agentWith(tool, model('gpt-4o')), { env, tools })
    assert.equal(large.tools[0]?.max_result_chars, undefined)
    const { port } = limited(() => 'x'.repeat(99_990))
    assert.equal(await ask(port, toolNamed('t')), 'x'.repeat(99_990))
    assert.ok(isCutResult(await ask(port, toolNamed('t', { max_result_chars: 16_384 }))))
  })
})
