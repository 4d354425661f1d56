import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Program } from '../../src/plan/plan.ts'
import { advance } from '../../src/run/advance.ts'
import { userNamedDestinations } from '../../src/run/decide/taint.ts'
import type { Fact } from '../../src/run/event.ts'
import type { RunState } from '../../src/run/state.ts'
import { ASKS, answered, END, JUDGE, START, stateAfter, stateWith } from './core.ts'
import { calls, programOf, text } from './fixture.ts'

const NOW = 5_000
const LOOK = ['b', 'look', { x: 2 }] as const
const steered = (input: string, message = 'm2'): Fact => ({ type: 'user.steered', input, message })
const result: Fact = { type: 'call.answered', call_id: 'b', result: 1, latency_ms: 1 }

function go(program: Program, state: RunState, ...facts: readonly Fact[]): RunState {
  let at = state
  for (const fact of facts) {
    const step = advance(program, at, fact, NOW)
    assert.ok(step !== null, `${fact.type} does not matter here`)
    at = step.state
  }
  return at
}
const textsOf = ({ messages }: RunState) =>
  messages.toArray().map((message) => (message.role === 'tool' ? 'result' : message.text || 'calls'))

describe('a message to the turn in progress', () => {
  const plain = programOf()
  const asked = stateAfter(plain, [START])

  test('enters the conversation after the results of the open round, before the next question', () => {
    const round = go(plain, asked, answered(1, calls(LOOK)))
    const waiting = go(plain, round, steered('shorter'))
    assert.deepEqual(textsOf(waiting), ['hello', 'calls'])
    const next = go(plain, waiting, result)
    assert.deepEqual(textsOf(next), ['hello', 'calls', 'result', 'shorter'])
    assert.deepEqual([next.attempt?.n, next.steering, next.received.toArray()], [2, [], ['m2']])
    assert.equal(next.turn, 1)
  })

  test('that arrives while the model answers leads to another question instead of the end', () => {
    const next = go(plain, asked, steered('shorter'), steered('much', 'm3'), answered(1, text('long')))
    assert.deepEqual(textsOf(next), ['hello', 'long', 'shorter', 'much'])
    assert.equal(next.end, null)
    const end = go(plain, next, answered(2, text('short')))
    assert.equal(end.end?.output, 'short')
  })

  test('that arrives while the judge reviews the answer leads to another question', () => {
    const judged = programOf({ constraints: ['Be kind.'] }, JUDGE)
    const state = go(judged, stateAfter(judged, [START]), answered(1, text('long')), steered('shorter'), {
      type: 'judge.answered',
      review: 1,
      breaches: [],
      latency_ms: 1,
    })
    assert.deepEqual(textsOf(state), ['hello', 'long', 'shorter'])
    assert.equal(state.attempt?.n, 2)
  })

  test('at the limit of iterations the answer is kept, and the message is read in the next turn', () => {
    const once = programOf({ orchestration: { max_iterations: 1 } })
    const state = go(once, stateAfter(once, [START]), steered('shorter'), answered(1, text('long')))
    assert.equal(state.end?.output, 'long')
    assert.deepEqual([state.steering.length, state.received.length], [1, 0])
    const next = go(once, state, { type: 'user.said', input: 'more', message: 'm3' })
    assert.deepEqual(textsOf(next), ['hello', 'long', 'shorter', 'more'])
    assert.deepEqual(next.received.toArray(), ['m2', 'm3'])
    const same = go(once, state, { type: 'user.said', input: 'shorter', message: 'm2' })
    assert.deepEqual(textsOf(same), ['hello', 'long', 'shorter'])
  })

  test('never answers an open question, and does not count the time of waiting against the deadline', () => {
    const asks = programOf({ ...ASKS, runtime: { timeout_seconds: 10 } })
    const waiting = stateAfter(asks, [START, answered(1, calls(['a', 'send', { x: 1 }]))])
    const step = advance(asks, waiting, steered('yes, do it'), waiting.at + 60_000)
    assert.ok(step !== null)
    assert.equal(step.state.status, 'waiting')
    assert.equal(step.state.calls[0]?.status, 'asking')
    assert.deepEqual(step.effects, [])
    assert.equal(step.state.deadline_at, (waiting.deadline_at ?? 0) + 60_000)
    assert.equal(step.state.totals.duration_ms, waiting.totals.duration_ms)
  })

  test('does not continue a paused turn', () => {
    const paused = go(plain, asked, { type: 'run.paused', by: 'ann' }, steered('shorter'))
    assert.equal(paused.status, 'paused')
    const resumed = go(plain, paused, { type: 'run.resumed', by: 'ann' })
    assert.deepEqual(textsOf(resumed), ['hello', 'shorter'])
  })

  test('is read with the memory that was searched', () => {
    const program = programOf({ memory: [{ scope: 'task', content: 'x' }] })
    const recalling = stateAfter(program, [START])
    assert.equal(recalling.recalling, true)
    const read: Fact = { type: 'memory.read', turn: 1, items: [], latency_ms: 1 }
    assert.deepEqual(textsOf(go(program, recalling, steered('shorter'), read)), ['hello', 'shorter'])
  })

  const dropped: readonly (readonly [string, RunState])[] = [
    ['a run that has not begun', stateWith({ seq: 0 })],
    ['a turn that has ended', stateWith({ end: END })],
    ['a turn whose end waits for a write', stateWith({ ending: { end: END, since: 0 } })],
    ['a turn that has it already', go(plain, asked, steered('x'))],
    ['a turn that has read it', go(plain, asked, steered('x'), answered(1, text('y')))],
  ]
  for (const [name, state] of dropped)
    test(`is not taken in by ${name}`, () => {
      assert.equal(advance(plain, state, steered('x'), NOW), null)
    })

  test('is the word of the user: it names destinations', () => {
    const state = go(plain, asked, steered('to ann@example.org'), answered(1, text('y')))
    assert.ok(userNamedDestinations(state).some((key) => key.includes('ann@example.org')))
  })

  test('that does not match the input schema, or holds personal data that is rejected, is refused and recorded', () => {
    const schema = programOf({ io: { input_schema: { type: 'object' } } })
    const begun = stateAfter(schema, [{ type: 'run.started', input: {} }])
    const refused = go(schema, begun, steered('text'))
    assert.deepEqual([refused.steering.length, refused.received.toArray()], [0, ['m2']])
    assert.equal(refused.warnings.at(0)?.code, 'INPUT_INVALID')
    assert.equal(go(schema, begun, { ...steered('x'), fits: true } as Fact).steering.length, 1)
    const rejects = programOf({ compliance: { pii_handling: 'reject' } })
    const pii = [{ kind: 'email', at: '/input', count: 1 }]
    const withheld = go(rejects, stateAfter(rejects, [START]), { ...steered('x'), pii } as Fact)
    assert.equal(withheld.steering.length, 0)
    assert.ok(withheld.warnings.some(({ code }) => code === 'PII_REJECTED'))
  })

  test('waits while a pipeline works, and is read in the next turn', () => {
    const state = stateWith({ stage: { type: 'pipeline', step: 0 }, messages: asked.messages })
    assert.equal(go(plain, state, steered('x')).steering.length, 1)
  })
})
