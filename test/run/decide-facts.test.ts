import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Json } from '../../src/document/json.ts'
import { agentRunId } from '../../src/run/decide/agent-run-id.ts'
import { conditionPayload } from '../../src/run/decide/condition-payload.ts'
import { deadlinePassed } from '../../src/run/decide/deadline.ts'
import { decide } from '../../src/run/decide/decide.ts'
import { hookRan } from '../../src/run/decide/take-hook.ts'
import type { Fact, FactOf } from '../../src/run/event.ts'
import type { RunState } from '../../src/run/state.ts'
import { callWith, END, START, started, stateWith } from './core.ts'
import { planOf, programOf } from './fixture.ts'

const NOW = 1_000

describe('which facts are recorded', () => {
  const attempt = { n: 1, route: 0, retry: 0, delay_ms: 0, failed: [] }
  const failure: Fact = {
    type: 'model.failed',
    attempt: 1,
    kind: 'timeout',
    code: 'MODEL_ERROR',
    message: '',
    latency_ms: 1,
  }
  const held: Fact = { type: 'call.held', call_id: 'a' }
  const hook: Fact = { type: 'hook.ran', hook: 'on_start', ok: true, latency_ms: 1 }
  const lapsed: Fact = { type: 'approval.lapsed', call_id: 'a' }
  const person: Fact = { type: 'person.decided', call_id: 'a', verdict: 'approve', by: 'ann' }
  const cases: readonly (readonly [rule: string, fact: Fact, state: Partial<RunState>, matters: boolean])[] =
    [
      ['a start of a run that has not begun', START, { seq: 0 }, true],
      ['a start of a run that has begun', START, {}, false],
      ['a message of the user during a turn', { type: 'user.said', input: '' }, {}, false],
      ['a message of the user after a turn', { type: 'user.said', input: '' }, { end: END }, true],
      ['a hook after the end', hook, { end: END }, true],
      ['a deadline after the end', { type: 'deadline.passed' }, { end: END, deadline_at: 1 }, false],
      ['a failure of the open request', failure, { attempt }, true],
      ['a failure of an older request', failure, { attempt: { ...attempt, n: 2 } }, false],
      ['a failure without an open request', failure, {}, false],
      ['a failure in a paused run', failure, { attempt, status: 'paused' }, false],
      ['a held sub-agent that was sent', held, { calls: [callWith()] }, true],
      ['a held sub-agent that was not sent', held, { calls: [callWith({ status: 'asking' })] }, false],
      ['a held sub-agent that is not in the round', held, { calls: [callWith({ id: 'b' })] }, false],
      ['the end of the drain time of a run that does not end', { type: 'drain.passed' }, {}, false],
      ['a pause', { type: 'run.paused', by: 'ann' }, {}, true],
      ['a second pause', { type: 'run.paused', by: 'ann' }, { status: 'paused' }, false],
      ['a resume', { type: 'run.resumed', by: 'ann' }, { attempt }, true],
      ['a cancellation', { type: 'run.cancelled', by: 'ann' }, {}, true],
      ['an approval that lapsed without a limit', lapsed, { calls: [callWith({ status: 'asking' })] }, false],
      [
        'a decision about a call that waits for approval',
        person,
        { calls: [callWith({ status: 'asking' })] },
        true,
      ],
      [
        'a verdict without a review',
        { type: 'judge.answered', review: 1, breaches: [], latency_ms: 1 },
        {},
        false,
      ],
      [
        'a missing verdict without a review',
        { type: 'judge.failed', review: 1, message: '', latency_ms: 1 },
        {},
        false,
      ],
      ['memory that is not awaited', { type: 'memory.read', turn: 1, items: [], latency_ms: 1 }, {}, false],
    ]
  for (const [rule, fact, state, matters] of cases) {
    test(`${rule}: ${matters ? 'recorded' : 'not recorded'}`, () => {
      const decision = decide(programOf(), stateWith(state), fact, { at: NOW })
      assert.equal(decision !== null, matters)
    })
  }

  const go = (fact: Fact, state: Partial<RunState>, program = programOf()) =>
    decide(program, stateWith(state), fact, { at: NOW })

  test('each type of fact leads to its own decision', () => {
    const calls = [callWith(), callWith({ id: 'b' })]
    const answer: Fact = { type: 'call.answered', call_id: 'a', result: 1, latency_ms: 1 }
    assert.deepEqual(go(answer, { calls }), { done: { call_id: 'a', result: 1 } })
    assert.deepEqual(go(held, { calls }), { set: { a: 'held' } })
    const review = { n: 1, subject: 'answer', text: 'x' } as const
    const verdict: Fact = { type: 'judge.answered', review: 1, breaches: [], latency_ms: 1 }
    assert.equal(go(verdict, { review })?.warnings, undefined)
    const none: Fact = { type: 'judge.failed', review: 1, message: '', latency_ms: 1 }
    assert.equal(go(none, { review })?.warnings?.[0]?.code, 'CONSTRAINT_UNJUDGED')
    const asks = programOf({ compliance: { human_in_the_loop: { enabled: true, timeout_seconds: 1 } } })
    const asking = [callWith({ status: 'asking', asked_at: 0 }), callWith({ id: 'b' })]
    assert.equal(go(lapsed, { calls: asking }, asks)?.done?.error, true)
    const late = { deadline_at: NOW }
    assert.equal(go({ type: 'drain.passed' }, late), null)
    assert.equal(go({ type: 'deadline.passed' }, late)?.end?.error?.code, 'TIMEOUT')
    assert.equal(go({ type: 'run.resumed', by: 'ann' }, { attempt })?.end, undefined)
    assert.equal(go({ type: 'deadline.passed' }, { ending: { end: END, since: 0 }, deadline_at: NOW }), null)
  })

  test('what a sub-agent used counts before the next question', () => {
    const usage = { ...stateWith({}).totals, input_tokens: 9 }
    const program = programOf({}, { budget: { tokens: 9 } })
    const answer: Fact = { type: 'call.answered', call_id: 'a', result: 1, latency_ms: 1 }
    assert.equal(go(answer, { calls: [callWith()] }, program)?.end, undefined)
    assert.equal(
      go({ ...answer, usage }, { calls: [callWith()] }, program)?.end?.error?.code,
      'BUDGET_EXCEEDED',
    )
    const broke: Fact = {
      type: 'call.failed',
      call_id: 'a',
      code: 'TOOL_ERROR',
      message: '',
      outcome: 'answered',
      latency_ms: 1,
    }
    assert.equal(go(broke, { calls: [callWith()] }, program)?.end, undefined)
    assert.equal(
      go({ ...broke, usage }, { calls: [callWith()] }, program)?.end?.error?.code,
      'BUDGET_EXCEEDED',
    )
  })

  test('personal data in a fact is warned of beside the decision', () => {
    const pii = [{ kind: 'email', at: '/x', count: 1 }]
    const decision = decide(programOf(), stateWith({ seq: 0 }), { ...started({ pii }) }, { at: NOW })
    assert.deepEqual([decision?.warnings?.[0]?.code, decision?.attempt?.n], ['PII_DETECTED', 1])
  })

  test('a cancellation names who cancelled', () => {
    const decision = decide(programOf(), stateWith({}), { type: 'run.cancelled', by: 'ann' }, { at: NOW })
    assert.deepEqual(
      [decision?.abort, decision?.end?.status, decision?.end?.error?.message],
      ['all', 'cancelled', 'the run was cancelled by ann'],
    )
  })
})

describe('AAIF-4.6-01: the deadline', () => {
  const cases: readonly (readonly [rule: string, state: Partial<RunState>, passed: boolean])[] = [
    ['no deadline', {}, false],
    ['a millisecond before the deadline', { deadline_at: NOW + 1 }, false],
    ['at the deadline', { deadline_at: NOW }, true],
    ['while a person is waited for', { deadline_at: NOW, status: 'waiting' }, false],
    ['while the run is paused', { deadline_at: NOW, status: 'paused' }, true],
  ]
  for (const [rule, state, passed] of cases) {
    test(`${rule}: ${passed ? 'the run ends' : 'no decision'}`, () => {
      const decision = deadlinePassed(programOf({ runtime: { timeout_seconds: 7 } }), stateWith(state), NOW)
      assert.equal(decision?.end?.error?.message, passed ? 'the run was stopped after 7 s' : undefined)
    })
  }
  test('of a caller ends a run that has no limit of its own', () => {
    assert.equal(
      deadlinePassed(programOf(), stateWith({ deadline_at: 1 }), NOW)?.end?.error?.message,
      'the run was stopped at the deadline of the agent that called it',
    )
  })
})

describe('AAIF §5 what a condition sees', () => {
  const plan = planOf()
  const inputs: readonly (readonly [input: Json, members: object])[] = [
    ['go', { input: 'go', task: 'go' }],
    [
      { task: 'a', x: 1 },
      { x: 1, input: { task: 'a', x: 1 }, task: 'a' },
    ],
    [{ x: 1 }, { x: 1, input: { x: 1 }, task: { x: 1 } }],
    [
      { turn: 99, output: 'x' },
      { input: { turn: 99, output: 'x' }, task: { turn: 99, output: 'x' } },
    ],
    [[1], { input: [1], task: [1] }],
  ]
  for (const [input, members] of inputs) {
    test(`of ${JSON.stringify(input)}`, () => {
      const { agent, ...seen } = conditionPayload(plan, stateWith({ iteration: 2, turn: 3 }), input, 'out')
      assert.deepEqual(seen, { output: 'out', iteration: 2, turn: 3, ...members })
      assert.deepEqual(agent, { id: plan.agent_id, name: plan.agent_name })
    })
  }
  test('the version of the agent, and the first turn before the run has begun', () => {
    const payload = conditionPayload({ ...plan, agent_version: '1.2.0' }, stateWith({ turn: 0 }), 'go', null)
    assert.deepEqual(
      [payload.agent, payload.turn],
      [{ id: plan.agent_id, name: plan.agent_name, version: '1.2.0' }, 1],
    )
  })
})

describe('hooks', () => {
  const hooks: readonly (readonly [
    hook: FactOf<'hook.ran'>['hook'],
    ok: boolean,
    message: string | undefined,
    warning: string | undefined,
  ])[] = [
    ['on_start', true, undefined, undefined],
    ['on_start', false, undefined, 'the hook on_start failed: it gave no reason'],
    ['on_complete', false, 'no', 'the hook on_complete failed: no'],
    ['on_tool_call', false, 'no', undefined],
    ['on_tool_call', true, undefined, undefined],
  ]
  for (const [hook, ok, message, warning] of hooks) {
    test(`${hook} that ${ok ? 'succeeded' : 'failed'}: ${warning ?? 'no warning'}`, () => {
      const fact = {
        type: 'hook.ran',
        hook,
        ok,
        latency_ms: 1,
        ...(message !== undefined && { message }),
      } as const
      assert.equal(hookRan(fact).warnings?.[0]?.message, warning)
    })
  }
})

describe('the id of a sub-agent’s run', () => {
  const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
  test('is a UUID that begins with the time of its parent', () => {
    const parent = '0191f3a0-1234-7abc-8def-000000000000'
    const id = agentRunId(parent, 'k')
    assert.match(id, UUID)
    assert.ok(id.startsWith('0191f3a0-1234-8'))
    assert.equal(agentRunId(parent, 'k'), id)
    assert.notEqual(agentRunId(parent, 'l'), id)
  })
  test('is a UUID also when the id of the parent is not one', () => {
    for (const parent of ['run-1', 'x0191f3a0-1234', '0191f3a0-12'])
      assert.match(agentRunId(parent, 'k'), UUID)
    assert.notEqual(agentRunId('run-1', 'k').slice(0, 13), agentRunId('run-2', 'k').slice(0, 13))
  })
  test('has each of the four variants', () => {
    const variants = new Set(
      Array.from({ length: 64 }, (_, index) => agentRunId('run-1', `${index}`).charAt(19)),
    )
    assert.deepEqual([...variants].sort(), ['8', '9', 'a', 'b'])
  })
})
