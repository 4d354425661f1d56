import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Program } from '../../src/plan/plan.ts'
import { afterChild, callAnswered, callFailed } from '../../src/run/decide/take-result.ts'
import type { Decision, FactOf } from '../../src/run/event.ts'
import type { AgentCall, CallEntry, RunState } from '../../src/run/state.ts'
import { agentWith, worker } from './agent-with.ts'
import { callWith, stateWith, withPlan, withTool } from './core.ts'
import { programOf } from './fixture.ts'

const NOW = 1_000

const AGENT: AgentCall = {
  alias: 'a',
  definition: 'd'.repeat(64),
  run_id: 'run-2',
  input: 'go',
  pass_context: false,
  limits: {},
}

const open = callWith({ id: 'z' })

describe('the answer to a call', () => {
  const schema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }
  const typed = withTool(programOf(), 'send', { output_schema: schema })
  const rejects = programOf({ compliance: { pii_handling: 'reject' } })
  const pii = [{ kind: 'email', at: '', count: 1 }]
  const cases: readonly {
    readonly rule: string
    readonly program?: Program
    readonly call?: CallEntry
    readonly fact: Partial<FactOf<'call.answered'>>
    readonly fails: boolean
  }[] = [
    { rule: 'without a schema', fact: { result: 'x' }, fails: false },
    { rule: 'a result that fits the schema', program: typed, fact: { result: { n: 1 } }, fails: false },
    {
      rule: 'a result that does not fit the schema',
      program: typed,
      call: callWith({ effect: 'none' }),
      fact: { result: { n: 'x' } },
      fails: true,
    },
    {
      rule: 'a result that fits the schema with its real values',
      program: typed,
      fact: { result: { n: 'x' }, fits: true },
      fails: false,
    },
    {
      rule: 'a result that was cut',
      program: typed,
      fact: { result: { result_cut: 'the rest', result: 'x' } },
      fails: false,
    },
    {
      rule: 'a result of a sub-agent',
      program: typed,
      call: callWith({ agent: AGENT }),
      fact: { result: 'x' },
      fails: false,
    },
    { rule: 'personal data where it is allowed', fact: { result: 'x', pii }, fails: false },
    { rule: 'personal data where it is rejected', program: rejects, fact: { result: 'x', pii }, fails: true },
    { rule: 'no personal data where it is rejected', program: rejects, fact: { result: 'x' }, fails: false },
  ]
  for (const { rule, program = programOf(), call = callWith(), fact, fails } of cases) {
    test(`${rule}: ${fails ? 'an error' : 'the result'}`, () => {
      const answer = { type: 'call.answered', call_id: 'a', result: null, latency_ms: 1, ...fact } as const
      const decision = callAnswered(program, stateWith({ calls: [call, open] }), answer, NOW)
      assert.equal(decision?.done?.error, fails ? true : undefined)
      if (program === rejects && fails)
        assert.match(String(decision?.done?.result), /^PII_REJECTED: the tool answered.*email/)
      if (!fails) assert.deepEqual(decision, { done: { call_id: 'a', result: answer.result } })
    })
  }

  test('a write whose result does not fit the schema is reported as made, with its answer', () => {
    for (const effect of ['once', 'idempotent'] as const) {
      const call = callWith({ effect })
      const answer = { type: 'call.answered', call_id: 'a', result: { n: 'x' }, latency_ms: 1 } as const
      const { done } = callAnswered(typed, stateWith({ calls: [call, open] }), answer, NOW) ?? {}
      assert.equal(done?.error, undefined)
      const { note, answer: given } = (done?.result ?? {}) as { note: string; answer: unknown }
      assert.match(note, /^The call was made\. Do not repeat it: .*output_schema/)
      assert.deepEqual(given, { n: 'x' })
    }
  })

  test('an answer to a call that is done or unknown is ignored', () => {
    const answer = { type: 'call.answered', call_id: 'a', result: 1, latency_ms: 1 } as const
    const done = stateWith({ calls: [callWith({ status: 'done' }), open] })
    assert.equal(callAnswered(programOf(), done, answer, NOW), null)
    assert.equal(callAnswered(programOf(), stateWith({ calls: [open] }), answer, NOW), null)
  })

  test('a saved item of task memory is recorded, only if the call succeeded', () => {
    const memory = (scope: string) => ({ memory: [{ scope, content: 'x' }] })
    const answer = { type: 'call.answered', call_id: 'a', result: 'ok', latency_ms: 1 } as const
    const kept = (program: Program, tool: string, fact: FactOf<'call.answered'> = answer) => {
      const call = callWith({ tool, args: { key: 'k', content: 'c' } })
      return callAnswered(program, stateWith({ calls: [call, open] }), fact, NOW)?.remember?.map(
        ({ key }) => key,
      )
    }
    const task = programOf({ ...memory('task'), compliance: { pii_handling: 'reject' } })
    assert.deepEqual(kept(task, 'memory_save'), ['k'])
    const elsewhere = task.plan.memory.map((entry) => ({ ...entry, kept_in: 'sqlite' }))
    assert.equal(kept(withPlan(task, { memory: elsewhere }), 'memory_save'), undefined)
    assert.equal(kept(task, 'memory_search'), undefined)
    assert.equal(kept(task, 'send'), undefined)
    assert.equal(kept(task, 'memory_save', { ...answer, pii }), undefined)
  })

  test('what a sub-agent used is added to the totals', () => {
    const state = stateWith({})
    const answer = { type: 'call.answered', call_id: 'a', result: 1, latency_ms: 1 } as const
    assert.equal(afterChild(state, answer), state)
    const usage = { ...state.totals, input_tokens: 7 }
    assert.equal(afterChild(state, { ...answer, usage }).totals.input_tokens, 7)
  })
})

describe('the failure of a call', () => {
  const failure = (members: Partial<FactOf<'call.failed'>> = {}): FactOf<'call.failed'> => ({
    type: 'call.failed',
    call_id: 'a',
    code: 'TOOL_ERROR',
    message: 'it broke',
    outcome: 'answered',
    latency_ms: 1,
    ...members,
  })
  const done: Decision = { done: { call_id: 'a', result: 'TOOL_ERROR: it broke', error: true } }
  const safe = agentWith({ mode: 'model', fallback: 'judge' })
  const child = worker('a', { id: 'a' })
  const cases: readonly {
    readonly rule: string
    readonly program?: Program
    readonly calls: readonly CallEntry[]
    readonly state?: Partial<RunState>
    readonly fact?: FactOf<'call.failed'>
    readonly decision: Decision | null
  }[] = [
    { rule: 'is sent to the model', calls: [callWith(), open], decision: done },
    { rule: 'of an unknown call is ignored', calls: [open], decision: null },
    {
      rule: 'of a call that is done is ignored',
      calls: [callWith({ status: 'done' }), open],
      decision: null,
    },
    {
      rule: 'with an unknown outcome waits for the decision of a person',
      calls: [callWith(), open],
      fact: failure({ outcome: 'unknown' }),
      decision: { set: { a: 'unknown' } },
    },
    {
      rule: 'with an unknown outcome, of a call that may be repeated, is sent to the model',
      calls: [callWith({ effect: 'idempotent' }), open],
      fact: failure({ outcome: 'unknown' }),
      decision: done,
    },
    {
      rule: 'of a sub-agent before the deadline',
      calls: [child, open],
      state: { deadline_at: NOW + 1 },
      decision: done,
    },
    {
      rule: 'of a tool at the deadline',
      calls: [callWith(), open],
      state: { deadline_at: NOW },
      decision: done,
    },
    {
      rule: 'of a sub-agent at the deadline of a run that waits',
      calls: [child, open],
      state: { deadline_at: NOW, status: 'waiting' },
      decision: null,
    },
    {
      rule: 'of a sub-agent that a hook refused calls no fallback',
      program: safe,
      calls: [child, open],
      fact: failure({ code: 'TOOL_VETOED' }),
      decision: { done: { call_id: 'a', result: 'TOOL_VETOED: it broke', error: true } },
    },
    {
      rule: 'of a sub-agent of a paused run calls no fallback',
      program: safe,
      calls: [child, open],
      state: { status: 'paused' },
      decision: done,
    },
    { rule: 'of a tool calls no fallback', program: safe, calls: [callWith(), open], decision: done },
  ]
  for (const { rule, program = programOf(), calls, state = {}, fact = failure(), decision } of cases) {
    test(rule, () => {
      assert.deepEqual(callFailed(program, stateWith({ calls, ...state }), fact, NOW), decision)
    })
  }

  test('of a sub-agent at the deadline ends the run', () => {
    const decision = callFailed(
      programOf(),
      stateWith({ calls: [child, open], deadline_at: NOW }),
      failure(),
      NOW,
    )
    assert.deepEqual(
      [decision?.end?.error?.code, decision?.done, decision?.abort],
      ['TIMEOUT', done.done, 'all'],
    )
  })

  test('of a sub-agent calls its fallback', () => {
    const decision = callFailed(safe, stateWith({ calls: [child, open] }), failure(), NOW)
    assert.deepEqual(decision?.replace?.agent?.alias, 'judge')
    assert.deepEqual(decision.replace?.agent?.input, 'go')
    assert.deepEqual(decision.warnings, [
      { code: 'SUBAGENT_FALLBACK', message: 'a failed (TOOL_ERROR: it broke); judge steps in' },
    ])
  })

  test('of a call of memory is a warning as well', () => {
    const program = programOf({ memory: [{ scope: 'task', content: 'x' }] })
    const warnings = (tool: string) =>
      callFailed(program, stateWith({ calls: [callWith({ tool }), open] }), failure(), NOW)?.warnings
    const message = (tool: string) => [{ code: 'TOOL_ERROR', message: `${tool}: it broke` }]
    assert.deepEqual(warnings('memory_save'), message('memory_save'))
    assert.deepEqual(warnings('memory_search'), message('memory_search'))
    assert.equal(warnings('send'), undefined)
  })
})
