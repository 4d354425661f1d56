import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createSystemClock } from '../../src/adapters/clock/system-clock.ts'
import type { Json } from '../../src/document/json.ts'
import type { Program } from '../../src/plan/plan.ts'
import { apply } from '../../src/run/apply.ts'
import { drive } from '../../src/run/drive/drive.ts'
import type { Control } from '../../src/run/drive/drive-ports.ts'
import { initialState } from '../../src/run/initial-state.ts'
import { ModelFailure, ToolFailure } from '../../src/run/ports.ts'
import { decodeEvent, encodeEvent } from '../../src/run/record/event-line.ts'
import { resultOf } from '../../src/run/result.ts'
import type { RunState } from '../../src/run/state.ts'
import { calls, fakeClock, modelOf, portsOf, programOf, text, toolsOf } from './fixture.ts'

function start(program: Program): RunState {
  return initialState('run-1', program.plan.agent_id, program.hash)
}

const go = (input: Json = 'hello') => ({ type: 'run.started' as const, input })

describe('AAIF §4 the loop of a run', () => {
  test('a plain answer ends the run', async () => {
    const program = programOf()
    const model = modelOf(text('hi'))
    const state = await drive(program, start(program), go(), portsOf(model))
    const result = resultOf(program.plan, state)
    assert.equal(result.status, 'completed')
    assert.equal(result.stop_reason, 'final')
    assert.equal(result.output, 'hi')
    assert.deepEqual(result.model, { provider: 'openai', model: 'gpt-4o' })
    assert.equal(result.usage.llm_calls, 1)
    assert.equal(result.usage.cost_usd, (10 * 1 + 5 * 2) / 1e6)
  })

  test('SPEC-D-05: instructions are the system prompt of every turn', async () => {
    const program = programOf({ instructions: 'Speak like a clerk.' })
    const model = modelOf(calls(['a', 'look', { x: 1 }]), text('done'))
    await drive(program, start(program), go(), portsOf(model, toolsOf({ look: () => 1 })))
    assert.equal(model.requests.length, 2)
    for (const request of model.requests)
      assert.ok(request.plan.system_prompt.startsWith('Speak like a clerk.'))
  })

  test('parallel calls finish in any order and enter the conversation in call order', async () => {
    const program = programOf()
    const finished: string[] = []
    const model = modelOf(calls(['a', 'look', { x: 30 }], ['b', 'look', { x: 1 }]), text('done'))
    const tools = toolsOf({
      look: async ({ x }) => {
        await new Promise((resolve) => setTimeout(resolve, x as number))
        finished.push(String(x))
        return x as number
      },
    })
    const state = await drive(program, start(program), go(), portsOf(model, tools))
    assert.deepEqual(finished, ['1', '30'])
    const results = state.messages.toArray().filter((message) => message.role === 'tool')
    assert.deepEqual(
      results.map((message) => [message.call_id, message.result]),
      [
        ['a', 30],
        ['b', 1],
      ],
    )
  })

  test('arguments that breach parameters_schema are returned to the model and the tool is not called', async () => {
    const program = programOf()
    const model = modelOf(calls(['a', 'send', { x: 'no' }]), text('sorry'))
    const tools = toolsOf({ send: () => 'sent' })
    const state = await drive(program, start(program), go(), portsOf(model, tools))
    assert.equal(tools.made.length, 0)
    const [result] = state.messages.toArray().filter((message) => message.role === 'tool')
    assert.equal(result?.error, true)
    assert.match(String(result?.result), /\/x.*number/)
    // Providers refuse a conversation in which a result comes before its call.
    assert.deepEqual(
      model.requests[1]?.messages.map((message) => message.role),
      ['user', 'assistant', 'tool'],
    )
  })

  test('SPEC-G-01: a result that breaches output_schema is reported to the model as an error', async () => {
    const program = programOf({
      tools: [{ name: 'look', description: 'Looks.', output_schema: { type: 'object', required: ['y'] } }],
    })
    const model = modelOf(calls(['a', 'look', {}]), text('sorry'))
    const state = await drive(
      program,
      start(program),
      go(),
      portsOf(model, toolsOf({ look: () => ({ z: 1 }) })),
    )
    const [result] = state.messages.toArray().filter((message) => message.role === 'tool')
    assert.equal(result?.error, true)
    assert.match(JSON.stringify(result?.result), /y/)
  })

  test('an unknown tool and malformed arguments are reported to the model', async () => {
    const program = programOf()
    const malformed = calls(['b', 'look', {}])
    const first = malformed.message.calls[0]
    assert.ok(first)
    const bad = { ...malformed, message: { ...malformed.message, calls: [{ ...first, malformed: '{"x":' }] } }
    const model = modelOf(calls(['a', 'fly', {}]), bad, text('ok'))
    const state = await drive(program, start(program), go(), portsOf(model))
    const results = state.messages.toArray().filter((message) => message.role === 'tool')
    assert.match(String(results[0]?.result), /no tool named fly.*look, send/)
    assert.match(String(results[1]?.result), /not a JSON object/)
  })
})

describe('AAIF §4.2 routes', () => {
  test('AAIF-4.2-01: the primary is asked first', async () => {
    const program = programOf()
    const model = modelOf(text('x'))
    await drive(program, start(program), go(), portsOf(model))
    assert.equal(model.requests[0]?.route.provider, 'openai')
  })

  test('AAIF-4.2-02, AAIF-4.6-04: a rate-limited primary is retried max_retries times, then the fallback answers', async () => {
    const program = programOf({ runtime: { max_retries: 2 } })
    const limited = () => new ModelFailure('rate_limited', 'MODEL_RATE_LIMITED', 'slow down')
    const model = modelOf(limited(), limited(), limited(), text('from the fallback'))
    const ports = portsOf(model)
    const state = await drive(program, start(program), go(), ports)
    assert.deepEqual(
      model.requests.map((request) => request.route.provider),
      ['openai', 'openai', 'openai', 'anthropic'],
    )
    assert.equal(resultOf(program.plan, state).model?.provider, 'anthropic')
  })

  test('AAIF-4.6-05: backoff is exponential by default; fixed and linear if declared', async () => {
    const waits = async (retry_backoff?: string) => {
      const program = programOf(
        { runtime: { max_retries: 3, ...(retry_backoff && { retry_backoff }) } },
        { retry_base_ms: 100 },
      )
      const down = () => new ModelFailure('unavailable', 'MODEL_UNAVAILABLE', '503')
      const clock = fakeClock()
      await drive(
        program,
        start(program),
        go(),
        portsOf(modelOf(down(), down(), down(), text('up')), undefined, { clock }),
      )
      return clock.slept
    }
    assert.deepEqual(await waits(), [100, 200, 400])
    assert.deepEqual(await waits('fixed'), [100, 100, 100])
    assert.deepEqual(await waits('linear'), [100, 200, 300])
  })

  test('Retry-After is honoured, and for a long one the next route is used', async () => {
    const program = programOf()
    const clock = fakeClock()
    const limited = (ms: number) => new ModelFailure('rate_limited', 'MODEL_RATE_LIMITED', 'slow down', ms)
    const short = modelOf(limited(1234), text('again'))
    await drive(program, start(program), go(), portsOf(short, undefined, { clock }))
    assert.deepEqual(clock.slept, [1234])
    const long = modelOf(limited(300_000), text('other'))
    await drive(program, start(program), go(), portsOf(long))
    assert.equal(long.requests[1]?.route.provider, 'anthropic')
  })

  for (const kind of ['unavailable', 'timeout', 'malformed', 'rate_limited'] as const) {
    test(`AAIF-4.6-08: the delay that a provider asks for counts for each repeated request: ${kind}`, async () => {
      const program = programOf({ runtime: { max_retries: 2 } }, { retry_base_ms: 1 })
      const clock = fakeClock()
      const busy = (ms: number) => new ModelFailure(kind, 'MODEL_UNAVAILABLE', 'answered 503', ms)
      const model = modelOf(busy(3000), busy(2000), text('at last'))
      const state = await drive(program, start(program), go(), portsOf(model, undefined, { clock }))
      assert.deepEqual([clock.slept, state.end?.output], [[3000, 2000], 'at last'])
    })
  }

  test('AAIF-4.2-11: if no route is left, one error lists each with its reason', async () => {
    const program = programOf({ runtime: { max_retries: 0 } })
    const model = modelOf(
      new ModelFailure('route', 'MODEL_KEY_REFUSED', '401 from the provider'),
      new ModelFailure('unavailable', 'MODEL_UNAVAILABLE', '503 from the provider'),
    )
    const state = await drive(program, start(program), go(), portsOf(model))
    const result = resultOf(program.plan, state)
    assert.equal(result.status, 'failed')
    assert.equal(result.stop_reason, 'no_route')
    assert.match(
      result.error?.message ?? '',
      /openai\/gpt-4o: MODEL_KEY_REFUSED.*anthropic\/.*MODEL_UNAVAILABLE/,
    )
  })

  test('a route that was given up is not the first choice of the next iteration', async () => {
    const program = programOf({ runtime: { max_retries: 0 } })
    const model = modelOf(
      new ModelFailure('unavailable', 'MODEL_UNAVAILABLE', '503'),
      calls(['a', 'look', { x: 1 }]),
      text('done'),
    )
    await drive(program, start(program), go(), portsOf(model, toolsOf({ look: () => 1 })))
    assert.deepEqual(
      model.requests.map((request) => request.route.provider),
      ['openai', 'anthropic', 'anthropic'],
    )
  })
})

describe('limits', () => {
  const loop = (n: number) => Array.from({ length: n }, (_, i) => calls([`c${i}`, 'look', { x: i }]))
  const look = () => toolsOf({ look: () => 1 })

  test('AAIF-4.3-09, AAIF-4.3-11: max_iterations ends the run with a structured error', async () => {
    const program = programOf({ orchestration: { max_iterations: 3 } })
    const model = modelOf(...loop(20))
    const state = await drive(program, start(program), go(), portsOf(model, look()))
    assert.equal(model.requests.length, 3)
    assert.equal(state.end?.stop_reason, 'max_iterations')
    assert.equal(state.end?.error?.code, 'MAX_ITERATIONS_EXCEEDED')
  })

  test('AAIF-4.3-10: without max_iterations the loop stops at 10', async () => {
    const program = programOf()
    const model = modelOf(...loop(20))
    await drive(program, start(program), go(), portsOf(model, look()))
    assert.equal(model.requests.length, 10)
  })

  test('AAIF-4.6-01, AAIF-4.6-02: timeout_seconds aborts the run with a structured error', async () => {
    const program = programOf({ runtime: { timeout_seconds: 1 } })
    let aborted = false
    const model = modelOf(
      (_, signal) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            aborted = true
            reject(signal.reason)
          })
        }),
    )
    const clock = createSystemClock()
    const state = await drive(program, start(program), go(), portsOf(model, undefined, { clock }))
    assert.equal(state.end?.stop_reason, 'timeout')
    assert.equal(state.end?.error?.code, 'TIMEOUT')
    assert.ok(aborted)
  })

  test('a budget of tokens, money or calls ends the run with an error that names it', async () => {
    for (const [budget, word] of [
      [{ tokens: 20 }, /tokens=20/],
      [{ usd: 0.00002 }, /usd=/],
      [{ calls: 3 }, /budget of calls .* 3 of 3 used/],
    ] as const) {
      const program = programOf({}, { budget })
      const state = await drive(program, start(program), go(), portsOf(modelOf(...loop(20)), look()))
      assert.equal(state.end?.stop_reason, 'budget')
      assert.match(state.end?.error?.message ?? '', word)
    }
  })
})

describe('input and output', () => {
  const schema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }

  test('SPEC-D-30: bad input reaches no model; bad output is repaired once and then reported', async () => {
    const program = programOf({ io: { input_schema: schema, output_schema: schema } })
    const unused = modelOf()
    const refused = await drive(program, start(program), go({ m: 1 }), portsOf(unused))
    assert.equal(unused.requests.length, 0)
    assert.equal(refused.end?.error?.code, 'INPUT_INVALID')

    const repaired = modelOf(text('{"n":"1"}'), text('```json\n{"n":1}\n```'))
    const good = await drive(program, start(program), go({ n: 0 }), portsOf(repaired))
    assert.deepEqual(good.end?.output, { n: 1 })
    const last = repaired.requests[1]?.messages.at(-1)
    assert.ok(last?.role === 'user' && last.repair === true && /\/n/.test(last.text))

    const hopeless = modelOf(text('no'), text('still no'))
    const bad = await drive(program, start(program), go({ n: 0 }), portsOf(hopeless))
    assert.equal(bad.end?.error?.code, 'OUTPUT_INVALID')
    assert.equal(hopeless.requests.length, 2)
  })

  test('response_format json without a schema asks for JSON and gives its text', async () => {
    const program = programOf({ model: { provider: 'openai', preferred: 'gpt-4o', response_format: 'json' } })
    const state = await drive(program, start(program), go(), portsOf(modelOf(text('[1, 2]'))))
    assert.equal(state.end?.output, '[1, 2]')
  })
})

describe('the ledger', () => {
  test('the intent of a write is durably recorded before it is sent', async () => {
    const program = programOf()
    const log: string[] = []
    const tools = toolsOf({
      send: () => {
        log.push('called')
        return 1
      },
    })
    const sink = {
      append: async (
        events: readonly { decision: { calls?: readonly { status: string }[] } }[],
        durable: boolean,
      ) => {
        await new Promise((resolve) => setTimeout(resolve, 5))
        if (events.some((event) => event.decision.calls?.some((call) => call.status === 'sent'))) {
          log.push(`recorded durable=${durable}`)
        }
      },
    }
    const model = modelOf(calls(['a', 'send', { x: 1 }]), text('done'))
    await drive(program, start(program), go(), portsOf(model, tools, { sink }))
    assert.deepEqual(log, ['recorded durable=true', 'called'])
  })

  test('SPEC-D-20: a call is sent only after the permission of its hook is on record', async () => {
    const program = programOf({ events: { on_tool_call: 'guard' } })
    const log: string[] = []
    const hooks = {
      run: async () => {
        log.push('allowed')
        return { ok: true }
      },
    }
    const sink = {
      append: async (events: readonly { fact: { type: string } }[]) => {
        await new Promise((resolve) => setTimeout(resolve, 5))
        if (events.some(({ fact }) => fact.type === 'hook.ran')) log.push('recorded')
      },
    }
    const tools = toolsOf({
      send: () => {
        log.push('called')
        return 1
      },
    })
    const model = modelOf(calls(['a', 'send', { x: 1 }]), text('done'))
    await drive(program, start(program), go(), portsOf(model, tools, { sink, hooks }))
    assert.deepEqual(log, ['allowed', 'recorded', 'called'])
  })

  test('a write with unknown outcome is not reported to the model: the run waits for a person', async () => {
    const program = programOf()
    const model = modelOf(calls(['a', 'send', { x: 1 }]), text('done'))
    const tools = toolsOf({
      send: () => {
        throw new ToolFailure('TOOL_TIMEOUT', 'no answer in 1 s', 'unknown')
      },
    })
    const ports = portsOf(model, tools)
    const state = await drive(program, start(program), go(), ports)
    assert.equal(state.status, 'waiting')
    assert.equal(state.calls[0]?.status, 'unknown')
    assert.equal(model.requests.length, 1)
    const ended = await drive(
      program,
      state,
      { type: 'person.decided', call_id: 'a', verdict: 'assume', by: 'ann', result: 'ok' },
      ports,
    )
    assert.equal(ended.status, 'completed')
    assert.equal(tools.made.length, 1)
  })

  test('after a crash a person decides about a write in flight, and a read is sent again with the same key', async () => {
    const program = programOf()
    const never = modelOf(calls(['a', 'send', { x: 1 }], ['b', 'look', { x: 2 }]), text('done'))
    const hung = toolsOf({ send: () => new Promise(() => {}), look: () => new Promise(() => {}) })
    const ports = portsOf(never, hung)
    let crashed: RunState | undefined
    void drive(program, start(program), go(), ports, {
      onEvent: (_, state) => {
        crashed = state
      },
    })
    await new Promise((resolve) => setTimeout(resolve, 20))
    assert.equal(hung.made.length, 2)
    assert.ok(crashed)
    const tools = toolsOf({ send: () => 's', look: () => 'l' })
    const resumed = await drive(program, crashed, { type: 'run.resumed', by: 'test' }, portsOf(never, tools))
    assert.deepEqual(
      tools.made.map((call) => call.tool.name),
      ['look'],
    )
    assert.equal(tools.made[0]?.key, hung.made[1]?.key)
    assert.equal(resumed.status, 'waiting')
    assert.deepEqual(
      resumed.calls.map((call) => [call.id, call.status]),
      [
        ['a', 'unknown'],
        ['b', 'done'],
      ],
    )
  })

  test('AAIF-4.9-10: with human_in_the_loop a write waits for approval, a denial is reported to the model', async () => {
    const program = programOf({ compliance: { human_in_the_loop: { enabled: true } } })
    const model = modelOf(calls(['a', 'send', { x: 1 }], ['b', 'look', { x: 1 }]), text('ok'))
    const tools = toolsOf({ send: () => 1, look: () => 1 })
    const state = await drive(program, start(program), go(), portsOf(model, tools))
    assert.deepEqual(
      tools.made.map((call) => call.tool.name),
      ['look'],
    )
    assert.equal(resultOf(program.plan, state).status, 'awaiting_approval')
    assert.equal(resultOf(program.plan, state).stop_reason, 'approval')
    const denied = await drive(
      program,
      state,
      { type: 'person.decided', call_id: 'a', verdict: 'deny', by: 'ann', why: 'too late' },
      portsOf(modelOf(text('ok')), tools),
    )
    assert.equal(denied.status, 'completed')
    const [result] = denied.messages.toArray().filter((message) => message.role === 'tool')
    assert.match(String(result?.result), /ann did not approve.*too late/)
  })
})

describe('pause, resume, conversation', () => {
  test('a pause aborts the model, lets tools finish, and resumes to the same end', async () => {
    const program = programOf()
    let control: Control | undefined
    const hung = modelOf(
      (_, signal) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    )
    const running = drive(program, start(program), go(), portsOf(hung), {
      control: (c) => {
        control = c
      },
    })
    await new Promise((resolve) => setTimeout(resolve, 5))
    control?.pause('test')
    const paused = await running
    assert.equal(paused.status, 'paused')
    assert.equal(resultOf(program.plan, paused).status, 'paused')
    const model = modelOf(text('after'))
    const ended = await drive(program, paused, { type: 'run.resumed', by: 'test' }, portsOf(model))
    assert.equal(ended.end?.output, 'after')
  })

  test('time spent waiting for a person does not count against the deadline', async () => {
    const program = programOf({
      runtime: { timeout_seconds: 10 },
      compliance: { human_in_the_loop: { enabled: true } },
    })
    const clock = fakeClock()
    const tools = toolsOf({ send: () => 1 })
    const model = modelOf(calls(['a', 'send', { x: 1 }]), text('ok'))
    const waiting = await drive(program, start(program), go(), portsOf(model, tools, { clock }))
    assert.equal(waiting.status, 'waiting')
    clock.advance(86_400_000)
    const ended = await drive(
      program,
      waiting,
      { type: 'person.decided', call_id: 'a', verdict: 'approve', by: 'ann' },
      portsOf(modelOf(text('ok')), tools, { clock }),
    )
    assert.equal(ended.status, 'completed')
    assert.equal(ended.totals.duration_ms, 0)
  })

  test('a conversation continues after an interrupted turn', async () => {
    const program = programOf({ orchestration: { max_iterations: 1 } })
    const first = modelOf(calls(['a', 'look', { x: 1 }]))
    const tools = toolsOf({ look: () => 1 })
    const cut = await drive(program, start(program), go(), portsOf(first, tools))
    assert.equal(cut.end?.stop_reason, 'max_iterations')
    const next = modelOf(text('second'))
    const state = await drive(program, cut, { type: 'user.said', input: 'again' }, portsOf(next, tools))
    assert.equal(state.end?.output, 'second')
    assert.equal(state.turn, 2)
    assert.deepEqual(
      next.requests[0]?.messages.map((message) => message.role),
      ['user', 'assistant', 'tool', 'user'],
    )
  })
})

test('state is the fold of its encoded events, for any sequence of facts', async () => {
  const program = programOf({ compliance: { human_in_the_loop: { enabled: true } } })
  const model = modelOf(
    new ModelFailure('unavailable', 'MODEL_UNAVAILABLE', '503'),
    calls(['a', 'send', { x: 1 }], ['b', 'look', { x: 'bad' }]),
    text('ok'),
  )
  const ports = portsOf(model, toolsOf({ send: () => ({ big: [1, 2, 3] }) }), {
    ask: async (call) => ({ type: 'person.decided', call_id: call.id, verdict: 'approve', by: 'ann' }),
  })
  const state = await drive(program, start(program), go(), ports)
  assert.equal(state.status, 'completed')
  let folded = start(program)
  for (const event of ports.events) folded = apply(folded, decodeEvent(encodeEvent(event)))
  assert.deepEqual(JSON.parse(JSON.stringify(folded)), JSON.parse(JSON.stringify(state)))
})
