import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Program } from '../../src/plan/plan.ts'
import { apply } from '../../src/run/apply.ts'
import { drive } from '../../src/run/drive/drive.ts'
import type { Control } from '../../src/run/drive/drive-ports.ts'
import type { Fact, RunEvent } from '../../src/run/event.ts'
import { initialState } from '../../src/run/initial-state.ts'
import { type MemoryPort, type Span, ToolFailure } from '../../src/run/ports.ts'
import { foldSpans, type OpenSpans, openSpansOf } from '../../src/run/trace/spans.ts'
import { calls, fakeClock, modelOf, portsOf, programOf, text, toolsOf } from '../run/fixture.ts'

const START: Fact = { type: 'run.started', input: 'go' }

function fresh(program: Program, id = 'run-1') {
  return initialState(id, program.plan.agent_id, program.hash)
}

/** The spans of a record, ended and open. */
function spansOf(program: Program, events: readonly RunEvent[], id = 'run-1') {
  let state = fresh(program, id)
  let open: OpenSpans | null = null
  const ended: Span[] = []
  for (const event of events) {
    state = apply(state, event)
    const step: ReturnType<typeof foldSpans> = foldSpans(program.plan, () => undefined, open, event, state)
    open = step.open
    ended.push(...step.ended)
  }
  return { ended, open: open === null ? [] : openSpansOf(open) }
}

const brief = (spans: readonly Span[]) =>
  spans.map(({ name, start, end, error }) => [name.slice('aaif.agent.'.length), start, end, error])

describe('spans out of a record', () => {
  test('the same record gives the same spans, ids included, and another run has others', async () => {
    const program = programOf()
    const record = async (id: string) => {
      const ports = portsOf(
        modelOf(calls(['c1', 'look', { x: 1 }]), text('done')),
        toolsOf({ look: () => 1 }),
      )
      await drive(program, fresh(program, id), START, ports)
      return ports.events
    }
    const events = await record('run-1')
    const { ended, open } = spansOf(program, events)
    assert.deepEqual(spansOf(program, JSON.parse(JSON.stringify(events))).ended, ended)
    assert.deepEqual(open, [])
    const ids = ended.map(({ span_id }) => span_id)
    assert.equal(new Set(ids).size, ended.length)
    const other = spansOf(program, await record('run-2'), 'run-2').ended
    assert.ok(
      other.every(({ span_id, trace_id }) => !ids.includes(span_id) && trace_id !== ended[0]?.trace_id),
    )
  })

  test('a retry begins after its pause, and every attempt is a span', async () => {
    const { ModelFailure } = await import('../../src/run/ports.ts')
    const program = programOf({ runtime: { max_retries: 1, retry_backoff: 'fixed' } }, { retry_base_ms: 500 })
    const busy = new ModelFailure('unavailable', 'MODEL_UNAVAILABLE', 'busy')
    const ports = portsOf(modelOf(busy, text('done')))
    await drive(program, fresh(program), START, ports)
    assert.deepEqual(brief(spansOf(program, ports.events).ended), [
      ['llm_call', 1_000_000, 1_000_000, 'MODEL_UNAVAILABLE'],
      ['llm_call', 1_000_500, 1_000_500, undefined],
      ['run', 1_000_000, 1_000_500, undefined],
    ])
  })

  test('a pause ends the span of the model request but not of the run; the trace continues on resume', async () => {
    const program = programOf()
    const clock = fakeClock()
    let control: Control | undefined
    const stuck = (_: unknown, signal: AbortSignal) =>
      new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    const first = portsOf(modelOf(stuck), toolsOf({}), { clock })
    const running = drive(program, fresh(program), START, first, {
      control: (given) => {
        control = given
      },
    })
    await new Promise((resolve) => setImmediate(resolve))
    clock.advance(20)
    control?.pause('test')
    const paused = await running
    assert.deepEqual(brief(spansOf(program, first.events).ended), [
      ['llm_call', 1_000_000, 1_000_020, 'interrupted'],
    ])
    assert.deepEqual(brief(spansOf(program, first.events).open), [['run', 1_000_000, null, undefined]])
    clock.advance(5000)
    const second = portsOf(modelOf(text('done')), toolsOf({}), { clock })
    await drive(program, paused, { type: 'run.resumed', by: 'test' }, second)
    const { ended } = spansOf(program, [...first.events, ...second.events])
    assert.deepEqual(brief(ended).slice(1), [
      ['llm_call', 1_005_020, 1_005_020, undefined],
      ['run', 1_000_000, 1_005_020, undefined],
    ])
    assert.equal(new Set(ended.map(({ trace_id }) => trace_id)).size, 1)
    assert.equal(ended.at(-1)?.attributes['waybill.run.duration_ms'], 20)
  })

  test('a question that a crash cut short ended with the last thing on record', async () => {
    const program = programOf()
    const ports = portsOf(modelOf(text('done')))
    await drive(program, fresh(program), START, ports)
    const crashed = ports.events.slice(0, 1)
    const clock = fakeClock(2_000_000)
    const again = portsOf(modelOf(text('done')), toolsOf({}), { clock })
    const state = crashed.reduce(apply, fresh(program))
    await drive(program, state, { type: 'run.resumed', by: 'test' }, again)
    assert.deepEqual(brief(spansOf(program, [...crashed, ...again.events]).ended), [
      ['llm_call', 1_000_000, 1_000_000, 'interrupted'],
      ['llm_call', 2_000_000, 2_000_000, undefined],
      ['run', 1_000_000, 2_000_000, undefined],
    ])
  })

  for (const [verdict, end, error] of [
    ['assume', 1_000_010, undefined],
    ['deny', 1_000_010, 'TOOL_TIMEOUT'],
    ['resend', 1_003_600_010, undefined],
  ] as const) {
    test(`a call with an unknown outcome is reported after a person decided ${verdict}, with its duration`, async () => {
      const program = programOf()
      const clock = fakeClock()
      let sent = 0
      const tools = toolsOf({
        send: () => {
          if (++sent > 1) return 'sent'
          clock.advance(10)
          throw new ToolFailure('TOOL_TIMEOUT', 'too slow', 'unknown')
        },
      })
      const ask = async () => {
        clock.advance(1_003_600_010 - clock.now())
        return { type: 'person.decided' as const, call_id: 'c1', verdict, by: 'ada' }
      }
      const ports = portsOf(modelOf(calls(['c1', 'send', { x: 1 }]), text('done')), tools, { clock, ask })
      await drive(program, fresh(program), START, ports)
      const [, call] = brief(spansOf(program, ports.events).ended)
      assert.deepEqual(call, ['tool_call', 1_000_000, end, error])
    })
  }

  test('what was under way when the time was up ends with it', async () => {
    const program = programOf({ runtime: { timeout_seconds: 1 } })
    const clock = fakeClock()
    let begun: (() => void) | undefined
    const called = new Promise<void>((resolve) => {
      begun = resolve
    })
    const tools = toolsOf({
      look: (_args, signal) => {
        begun?.()
        return new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason)),
        )
      },
    })
    const ports = portsOf(modelOf(calls(['c1', 'look', { x: 1 }])), tools, { clock })
    let control: Control | undefined
    const running = drive(program, fresh(program), START, ports, {
      control: (given) => {
        control = given
      },
    })
    await called
    clock.advance(1000)
    control?.submit({ type: 'deadline.passed' })
    await running
    assert.deepEqual(brief(spansOf(program, ports.events).ended).slice(1), [
      ['tool_call', 1_000_000, 1_001_000, 'TIMEOUT'],
      ['run', 1_000_000, 1_001_000, 'TIMEOUT'],
    ])
  })

  test('each turn of a conversation is a run span of the same trace, with what that turn used', async () => {
    const program = programOf()
    const ports = portsOf(modelOf(text('one'), text('two')))
    const state = await drive(program, fresh(program), START, ports)
    await drive(program, state, { type: 'user.said', input: 'more' }, { ...ports })
    const turns = spansOf(program, ports.events).ended.filter(({ name }) => name === 'aaif.agent.run')
    assert.equal(new Set(turns.map(({ trace_id }) => trace_id)).size, 1)
    assert.equal(new Set(turns.map(({ span_id }) => span_id)).size, 2)
    assert.deepEqual(
      turns.map(({ attributes }) => attributes['gen_ai.usage.input_tokens']),
      [10, 10],
    )
  })

  test('AAIF-4.7-04: what is looked up for a turn, searched and saved by the model are memory spans', async () => {
    const memory = [
      { scope: 'task', key: 'tone', content: 'friendly', backend: 'in_memory' },
      { scope: 'task', key: 'place', content: 'counter', backend: 'in_memory' },
    ]
    const program = programOf({ memory })
    const port: MemoryPort = {
      recall: async () => ({ items: [], warnings: [] }),
      collect: async () => ({ items: [], warnings: [] }),
      save: async () => {},
    }
    const model = modelOf(
      calls(
        ['c1', 'memory_search', { query: 'a private question' }],
        ['c2', 'memory_save', { scope: 'task', key: 'k', content: 'a private thing' }],
      ),
      text('done'),
    )
    const ports = portsOf(model, toolsOf({}), { memory: port })
    const state = await drive(program, fresh(program), START, ports)
    assert.equal(state.status, 'completed', JSON.stringify(state.end))
    const { ended } = spansOf(program, ports.events)
    const found = ended.filter(({ name }) => name.startsWith('aaif.agent.memory'))
    assert.deepEqual(
      found
        .map(({ name, attributes }) => [name, attributes['memory.scope'], attributes['memory.backend']])
        .sort(),
      [
        ['aaif.agent.memory_read', 'task', 'in_memory'],
        ['aaif.agent.memory_read', 'task', 'in_memory'],
        ['aaif.agent.memory_write', 'task', 'in_memory'],
      ],
    )
    const root = ended.find(({ name }) => name === 'aaif.agent.run')
    for (const span of found) assert.equal(span.parent_id, root?.span_id)
    assert.doesNotMatch(JSON.stringify(ended), /private/)
  })
})
