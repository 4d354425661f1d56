import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { advance } from '../../src/run/advance.ts'
import { initialState } from '../../src/run/initial-state.ts'
import { answeredByOrigin, originCallOf, originCallsOf, withoutReused } from '../../src/run/origin-calls.ts'
import type { CallEntry, OriginCall, RunState } from '../../src/run/state.ts'
import { calls, programOf } from './fixture.ts'

const own = (x: number, more: Partial<OriginCall> = {}): OriginCall => ({
  path: [],
  tool: 'send',
  args: { x },
  ...more,
})
const entry = (x: number, more: Partial<CallEntry> = {}): CallEntry => ({
  id: 'c',
  tool: 'send',
  args: { x },
  key: 'k',
  effect: 'once',
  status: 'sent',
  ...more,
})

describe('the call of the origin that a call would send again', () => {
  const sent_by_origin = [own(1), own(2), own(1), own(3, { path: ['helper'] })]
  for (const [what, call, used, expected] of [
    ['the same tool and arguments', entry(2), [], 1],
    ['the first of two', entry(1), [], 0],
    ['the second, if the first stands for another call', entry(1), [0], 2],
    ['none, if both do', entry(1), [0, 2], null],
    ['other arguments', entry(9), [], null],
    ['another tool', entry(1, { tool: 'look' }), [], null],
    ['a call of a sub-agent', entry(3), [], null],
    ['an idempotent call, whose key would be another one', entry(1, { effect: 'idempotent' }), [], 0],
    ['a read', entry(1, { effect: 'none' }), [], null],
    ['a sub-agent', entry(1, { agent: {} as NonNullable<CallEntry['agent']> }), [], null],
  ] as const)
    test(what, () => {
      assert.equal(originCallOf({ sent_by_origin }, call, used), expected)
    })

  test('a sub-agent gets the calls below its alias', () => {
    const all = [own(1), own(2, { path: ['a'] }), own(3, { path: ['b'] }), own(4, { path: ['a', 'b'] })]
    assert.deepEqual(originCallsOf({ sent_by_origin: all }, 'a'), [own(2), own(4, { path: ['b'] })])
    assert.deepEqual(originCallsOf({ sent_by_origin: all }, 'z'), [])
  })

  test('a recorded answer is used, also that of a failure; without one a person is asked', () => {
    assert.deepEqual(answeredByOrigin(entry(1), own(1, { result: 'ok' })), {
      ...entry(1),
      status: 'done',
      result: 'ok',
      by_origin: true,
    })
    assert.equal(answeredByOrigin(entry(1), own(1, { result: 'no', error: true })).error, true)
    assert.equal(answeredByOrigin(entry(1), own(1)).status, 'unknown')
  })

  test('an idempotent write without an answer is sent again, with the key that it was sent with', () => {
    const origin = own(1, { key: 'origin:1', idempotent: true })
    const call = entry(1, { effect: 'idempotent' })
    assert.deepEqual(answeredByOrigin(call, origin), { ...call, key: 'origin:1' })
    assert.equal(answeredByOrigin(entry(1), origin).status, 'unknown', 'it is not idempotent here')
    assert.equal(answeredByOrigin(call, own(1, { key: 'origin:1' })).status, 'unknown', 'it was not there')
    assert.equal(answeredByOrigin(call, { ...origin, result: 'ok' }).result, 'ok')
  })

  test('calls that were used are gone', () => {
    assert.deepEqual(withoutReused([own(1), own(2), own(3)], { reused: [0, 2] }), [own(2)])
    assert.deepEqual(withoutReused([own(1)], {}), [own(1)])
  })

  test('each stands for one call of a fork: one more of the same is sent', () => {
    const program = programOf()
    const state: RunState = {
      ...initialState('r', program.plan.agent_id, program.hash),
      seq: 1,
      turn: 1,
      attempts: 1,
      attempt: { n: 1, route: 0, retry: 0, delay_ms: 0, failed: [] },
      sent_by_origin: [own(1, { result: 'sent before' })],
    }
    const { message, finish } = calls(['c1', 'send', { x: 1 }], ['c2', 'send', { x: 1 }])
    const fact = {
      type: 'model.answered',
      attempt: 1,
      message,
      finish,
      usage: { input_tokens: 1, output_tokens: 1 },
      latency_ms: 1,
    } as const
    const step = advance(program, state, fact, 1000)
    assert.deepEqual(
      step?.state.calls.map(({ id, status, by_origin }) => [id, status, by_origin]),
      [
        ['c1', 'done', true],
        ['c2', 'sent', undefined],
      ],
    )
    assert.deepEqual(step?.state.sent_by_origin, [])
  })
})
