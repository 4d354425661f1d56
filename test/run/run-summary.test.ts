import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { RunEvent } from '../../src/run/event.ts'
import { initialState } from '../../src/run/initial-state.ts'
import {
  assertInOrder,
  foldRun,
  listedSummary,
  seqBefore,
  summaryOf,
} from '../../src/run/record/run-summary.ts'
import type { CallEntry, CallStatus } from '../../src/run/state.ts'
import { AT, newRun, started } from '../../src/testing/contracts/records-fixture.ts'

const eventsOf = (...seqs: readonly number[]): readonly RunEvent[] =>
  seqs.map((seq) => ({ seq, at: AT, fact: { type: 'run.paused', by: 'ann' }, decision: {} }))

const callOf = (status: CallStatus, index: number): CallEntry => ({
  id: `c${index}`,
  tool: 'send',
  args: {},
  key: `key-${index}`,
  effect: 'once',
  status,
})

describe('the list entry of a run', () => {
  const state = initialState('r1', 'agent-1', 'hash')

  test('a run that has not begun', () => {
    const summary = summaryOf(state)
    assert.deepEqual(summary, { status: 'running', stop_reason: null, questions: 0, seq: 0, at: 0 })
    assert.deepEqual(listedSummary(summary, AT), {
      status: 'running',
      seq: 0,
      questions: 0,
      created_at: AT,
      updated_at: AT,
    })
  })

  test('a run that has ended: why, and when', () => {
    const end = { status: 'failed', stop_reason: 'budget' } as const
    const summary = summaryOf({ ...state, status: 'failed', seq: 9, at: AT + 5, end })
    assert.deepEqual(listedSummary(summary, AT), {
      status: 'failed',
      stop_reason: 'budget',
      seq: 9,
      questions: 0,
      created_at: AT,
      updated_at: AT + 5,
    })
  })

  const statuses: readonly CallStatus[] = ['queued', 'judging', 'asking', 'held', 'sent', 'unknown', 'done']
  for (const [names, questions] of [
    [['asking'], 1],
    [['unknown'], 1],
    [['asking', 'asking', 'unknown'], 3],
    [['queued', 'judging', 'held', 'sent', 'done'], 0],
    [statuses, 2],
  ] as const)
    test(`calls that are ${names.join(', ')}: ${questions} wait for a person`, () => {
      assert.equal(summaryOf({ ...state, calls: names.map(callOf) }).questions, questions)
    })
})

describe('the events of a run, in order', () => {
  for (const [seqs, missing] of [
    [[], undefined],
    [[1], undefined],
    [[1, 2, 3], undefined],
    [[2], 1],
    [[0, 1], 1],
    [[1, 3], 2],
    [[1, 2, 2], 3],
    [[2, 1], 1],
  ] as const)
    test(`${seqs.join(' ') || 'none'}: ${missing === undefined ? 'whole' : `damaged at event ${missing}`}`, () => {
      const check = () => assertInOrder('r1', eventsOf(...seqs))
      if (missing === undefined) check()
      else
        assert.throws(check, {
          code: 'RECORD_DAMAGED',
          message: new RegExp(`run r1 .* at event ${missing}:`),
        })
    })

  test('without events a run has not begun; with its first event it has', () => {
    const { header } = newRun('r1')
    const state = foldRun(header, [])
    assert.deepEqual(
      [state.run_id, state.agent_id, state.plan_hash],
      ['r1', header.agent_id, header.plan_hash],
    )
    assert.equal(state.seq, 0)
    const begun = foldRun(header, [{ seq: 1, at: AT, fact: started('r1'), decision: {} }])
    assert.deepEqual([begun.seq, begun.at, begun.turn], [1, AT, 1])
  })

  for (const [name, seqs, seq, expected] of [
    ['the first event of a run', [1], 1, 0],
    ['two events', [4, 5], 5, 3],
    ['no event: the last on record is the last of the state', [], 5, 5],
  ] as const)
    test(`${name} follows event ${expected}`, () => {
      assert.equal(seqBefore(eventsOf(...seqs), { seq }), expected)
    })
})
