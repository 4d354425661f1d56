import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Program } from '../../src/plan/plan.ts'
import { advance, type Step } from '../../src/run/advance.ts'
import type { Fact } from '../../src/run/event.ts'
import { unknownIn } from '../../src/run/record/record-version.ts'
import type { Interruption, RunState } from '../../src/run/state.ts'
import { ASKS, answered, END, JUDGE, START, stateAfter, stateWith } from './core.ts'
import { calls, programOf, text } from './fixture.ts'

const NOW = 5_000
const SEND = ['a', 'send', { x: 1 }] as const
const LOOK = ['b', 'look', { x: 2 }] as const
const BOOK = ['c', 'book', { x: 3 }] as const
const TOOLS = {
  tools: ['look', 'send', 'book'].map((name) => ({ name, description: name })),
}
const interrupted = (how: Interruption = 'interrupt', message = 'm2'): Fact => ({
  type: 'turn.interrupted',
  by: 'ann',
  how,
  message,
})
const said = (input: string, message?: string): Fact => ({
  type: 'user.said',
  input,
  ...(message !== undefined && { message }),
})
const failed = (call_id: string): Fact => ({
  type: 'call.failed',
  call_id,
  code: 'TOOL_ERROR',
  message: 'lost',
  outcome: 'unknown',
  latency_ms: 1,
})

function go(program: Program, state: RunState, ...facts: readonly Fact[]): Step {
  let step: Step | null = null
  let at = state
  for (const fact of facts) {
    step = advance(program, at, fact, NOW)
    assert.ok(step !== null, `${fact.type} does not matter here`)
    assert.equal(unknownIn(step.event), undefined)
    at = step.state
  }
  assert.ok(step !== null)
  return step
}

describe('an interruption of a turn', () => {
  const plain = programOf(TOOLS)
  const asks = programOf({ ...TOOLS, ...ASKS })
  const memory = programOf({ memory: [{ scope: 'task', content: 'x' }] })
  const judged = programOf({ ...TOOLS, constraints: ['Be kind.'] }, JUDGE)
  const open = (program: Program, ...facts: readonly Fact[]) => stateAfter(program, [START, ...facts])
  const states: readonly (readonly [
    name: string,
    program: Program,
    state: RunState,
    result: RegExp | null,
  ])[] = [
    ['a model is asked', plain, open(plain), null],
    ['a model is asked again later', plain, { ...open(plain), status: 'paused' }, null],
    ['the memory is searched', memory, open(memory), null],
    [
      'a read is in flight',
      plain,
      open(plain, answered(1, calls(LOOK))),
      /^not finished: the user interrupted the turn$/,
    ],
    [
      'an idempotent write is in flight',
      plain,
      open(plain, answered(1, calls(BOOK))),
      /may or may not have taken effect$/,
    ],
    [
      'a call waits for approval',
      asks,
      open(asks, answered(1, calls(SEND))),
      /^not sent: ann sent another message, which supersedes .* counts as denied$/,
    ],
    [
      'a call of unknown outcome waits for a person',
      plain,
      open(plain, answered(1, calls(SEND)), failed('a')),
      /^the call may or may not have taken effect: it was sent/,
    ],
    [
      'calls wait for the judge',
      judged,
      open(judged, answered(1, calls(SEND))),
      /^not sent: the user interrupted the turn$/,
    ],
    ['the judge reviews the answer', judged, open(judged, answered(1, text('hi'))), null],
  ]
  for (const [name, program, state, result] of states)
    test(`${name}: the turn ends at once, and the next one sees that`, () => {
      const { state: after, effects } = go(program, state, interrupted())
      assert.equal(after.status, 'cancelled')
      assert.equal(after.end?.error?.code, 'TURN_INTERRUPTED')
      assert.deepEqual([after.attempt, after.review, after.recalling, after.calls], [null, null, false, []])
      assert.deepEqual(effects, [{ type: 'abort', what: 'all' }])
      const last = after.messages.toArray().slice(-2)
      if (result !== null) {
        assert.equal(last[0]?.role, 'tool')
        assert.match(String(last[0]?.role === 'tool' && last[0].result), result)
      }
      assert.deepEqual(last[1], {
        role: 'user',
        text: 'The user interrupted the turn here, before it was complete.',
        others: true,
      })
      const next = go(program, after, said('instead', 'm2')).state
      assert.equal(next.turn, 2)
      assert.equal(next.status, 'running')
      assert.deepEqual(next.messages.at(next.messages.length - 1), { role: 'user', text: 'instead' })
    })

  test('a write in flight gets time to answer, and its answer reaches the model', () => {
    const before = open(plain, answered(1, calls(SEND, LOOK)))
    const { state, effects } = go(plain, before, interrupted())
    assert.equal(state.status, 'running')
    assert.equal(state.ending?.superseded, 'interrupt')
    assert.deepEqual(effects, [{ type: 'abort', what: 'all' }])
    assert.equal(advance(plain, state, said('instead'), NOW), null)
    const after = go(plain, state, {
      type: 'call.answered',
      call_id: 'a',
      result: 'sent',
      latency_ms: 1,
    }).state
    assert.equal(after.end?.error?.code, 'TURN_INTERRUPTED')
    const results = after.messages.toArray().filter(({ role }) => role === 'tool')
    assert.deepEqual(
      results.map((message) => message.role === 'tool' && message.result),
      ['sent', 'not finished: the user interrupted the turn'],
    )
  })

  for (const fact of [{ type: 'drain.passed' }, { type: 'run.resumed', by: 'x' }, failed('a')] as const)
    test(`a write without an answer asks no person (${fact.type}), and the same call needs approval later`, () => {
      const state = go(plain, open(plain, answered(1, calls(SEND))), interrupted(), fact).state
      assert.equal(state.end?.error?.code, 'TURN_INTERRUPTED')
      assert.deepEqual(
        state.unsettled.map(({ id, status }) => [id, status]),
        [['a', 'done']],
      )
      assert.equal(state.warnings.toArray().filter(({ code }) => code === 'CALL_UNSETTLED').length, 1)
      const again = go(plain, state, said('again'), answered(2, calls(SEND, ['d', 'send', { x: 9 }]))).state
      assert.deepEqual(
        again.calls.map(({ status }) => status),
        ['asking', 'sent'],
      )
      assert.match(again.calls[0]?.why ?? '', /^the same call was sent in an interrupted turn/)
    })

  test('the end of a cancelled turn no longer waits for a person', () => {
    const cancelled = go(
      plain,
      open(plain, answered(1, calls(SEND))),
      { type: 'run.cancelled', by: 'bob' },
      failed('a'),
    ).state
    assert.equal(cancelled.status, 'waiting')
    const { state } = go(plain, cancelled, interrupted())
    assert.equal(state.end?.error?.code, 'CANCELLED')
    assert.equal(state.unsettled.length, 1)
  })

  const nothing: readonly (readonly [string, RunState])[] = [
    ['a run that has not begun', stateWith({ seq: 0 })],
    ['a turn that has ended', stateWith({ end: END })],
    [
      'the turn of the message itself',
      go(plain, go(plain, open(plain), interrupted()).state, said('x', 'm2')).state,
    ],
    [
      'a turn that is interrupted already',
      go(plain, open(plain, answered(1, calls(SEND))), interrupted()).state,
    ],
  ]
  for (const [name, state] of nothing)
    test(`does not change ${name}`, () => {
      assert.equal(advance(plain, state, interrupted(), NOW), null)
    })

  test('a message is taken in once, as a turn', () => {
    const state = go(plain, open(plain), interrupted(), said('x', 'm2'), interrupted('interrupt', 'm3')).state
    assert.equal(advance(plain, state, said('x', 'm2'), NOW), null)
  })

  test('a rehearsal has no effects to wait for', () => {
    const rehearsal = programOf(TOOLS, { rehearsal: true })
    const state = go(rehearsal, open(rehearsal, answered(1, calls(SEND))), interrupted()).state
    assert.equal(state.end?.error?.code, 'TURN_INTERRUPTED')
    assert.equal(state.calls.length, 0)
  })

  test('a new turn has its own iterations and deadline', () => {
    const timed = programOf({ ...TOOLS, runtime: { timeout_seconds: 2 } })
    const state = go(timed, open(timed, answered(1, calls(LOOK))), interrupted(), said('x')).state
    assert.equal(state.iteration, 0)
    assert.equal(state.deadline_at, NOW + 2_000)
  })
})

describe('a rollback of a turn', () => {
  const plain = programOf(TOOLS)
  const first = stateAfter(plain, [START, answered(1, text('hi'))])

  test('the messages of the turn leave the conversation, and a turn without effects leaves no trace in it', () => {
    const before = go(plain, first, said('look up x'), answered(2, calls(LOOK))).state
    const state = go(plain, before, interrupted('rollback')).state
    assert.deepEqual(state.messages.toArray(), first.messages.toArray())
    assert.equal(before.messages.length, 4)
    assert.equal(state.counted, null)
    assert.equal(state.end?.error?.message, 'the turn was rolled back by ann')
  })

  test('the model gets effects that were sent as data, also those of settled rounds', () => {
    const state = go(
      plain,
      first,
      said('send x'),
      answered(2, calls(SEND)),
      { type: 'call.answered', call_id: 'a', result: { id: 7 }, latency_ms: 1 },
      answered(3, calls(['e', 'send', { x: 5 }])),
      interrupted('rollback'),
      { type: 'drain.passed' },
    ).state
    const added = state.messages.toArray().slice(first.messages.length)
    assert.equal(added.length, 1)
    const [note] = added
    assert.ok(note?.role === 'user' && note.others === true)
    const data = JSON.parse(note.text.slice(note.text.indexOf('[')))
    assert.deepEqual(data[0], { tool: 'send', arguments: { x: 1 }, result: { id: 7 }, failed: false })
    assert.deepEqual(data[1].arguments, { x: 5 })
    assert.match(data[1].result, /may or may not have taken effect/)
    assert.deepEqual(
      state.unsettled.map(({ id }) => id),
      ['e'],
    )
  })

  test('calls that were refused or denied are not among the effects', () => {
    const asks = programOf({ ...TOOLS, ...ASKS })
    const state = go(asks, stateAfter(asks, [START, answered(1, calls(SEND))]), interrupted('rollback')).state
    assert.deepEqual(state.messages.toArray(), [])
  })

  test('an interruption that waits for a write becomes a rollback, and never the reverse', () => {
    const held = go(plain, go(plain, first, said('x'), answered(2, calls(SEND))).state, interrupted()).state
    const state = go(plain, held, interrupted('rollback', 'm3')).state
    assert.equal(state.ending?.superseded, 'rollback')
    assert.equal(advance(plain, state, interrupted('interrupt', 'm4'), NOW), null)
    const ended = go(plain, state, { type: 'drain.passed' }).state
    assert.equal(ended.messages.length, first.messages.length + 1)
  })
})
