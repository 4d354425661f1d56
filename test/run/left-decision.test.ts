import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Decision, Fact, RunEvent, Verdict } from '../../src/run/event.ts'
import { concerns, decisionFact, fits } from '../../src/run/record/left-decision.ts'
import type { CallEntry, CallStatus } from '../../src/run/state.ts'

const callOf = (status: CallStatus): CallEntry => ({
  id: 'c1',
  tool: 'send',
  args: {},
  key: 'key-1',
  effect: 'once',
  status,
})

const VERDICTS: readonly Verdict[] = ['approve', 'answer', 'deny', 'edit', 'resend', 'assume']

/** The verdicts that answer what a call of this status asks. */
const ANSWERS: Readonly<Record<CallStatus, readonly Verdict[]>> = {
  queued: [],
  judging: [],
  asking: ['approve', 'deny', 'edit'],
  input_required: ['answer', 'deny'],
  held: [],
  sent: [],
  unknown: ['deny', 'resend', 'assume'],
  done: [],
}

describe('a decision that was left for a run', () => {
  for (const [status, expected] of Object.entries(ANSWERS))
    test(`a call that is ${status} is answered by: ${expected.join(', ') || 'no verdict'}`, () => {
      const answers = VERDICTS.filter((verdict) => fits(callOf(status as CallStatus), { verdict }))
      assert.deepEqual(answers, expected)
    })

  test('the recorded fact has neither the key nor the event that the person saw', () => {
    const fact = {
      type: 'person.decided',
      call_id: 'c1',
      verdict: 'deny',
      by: 'ann',
      why: 'too dear',
    } as const
    assert.deepEqual(decisionFact({ ...fact, key: 'key-1', seen: 7 }), fact)
  })

  const by = { verdict: 'deny', by: 'ann' } as const
  const paused: Fact = { type: 'run.paused', by: 'ann' }
  const own = callOf('asking')
  const other: CallEntry = { ...own, id: 'c2', key: 'key-2' }
  const table: readonly (readonly [name: string, fact: Fact, decision: Decision, expected: boolean])[] = [
    ['an event about other things', paused, {}, false],
    ['a decision about the call', { type: 'person.decided', call_id: 'c1', ...by }, {}, true],
    ['a decision about another call', { type: 'person.decided', call_id: 'c2', ...by }, {}, false],
    // The call is held: its status and its entry have not changed.
    ['another fact about the call', { type: 'call.held', call_id: 'c1' }, {}, false],
    ['a new status of the call', paused, { set: { c1: 'unknown' } }, true],
    ['a new status of two calls', paused, { set: { c2: 'sent', c1: 'sent' } }, true],
    ['a new status of another call', paused, { set: { c2: 'unknown' } }, false],
    ['the call, judged', paused, { judged: [own] }, true],
    ['two calls, judged', paused, { judged: [other, own] }, true],
    ['another call, judged', paused, { judged: [other] }, false],
    ['the call, new', paused, { calls: [own] }, true],
    ['two calls, new', paused, { calls: [other, own] }, true],
    ['another call, new', paused, { calls: [other] }, false],
    ['the same id for another call', paused, { calls: [{ ...own, key: 'key-9' }] }, false],
    ['no call', paused, { calls: [], judged: [], set: {} }, false],
  ]
  for (const [name, fact, decision, expected] of table)
    test(`${name} ${expected ? 'changes' : 'does not change'} what is asked`, () => {
      const event: RunEvent = { seq: 3, at: 5, fact, decision }
      assert.equal(concerns(event, own), expected)
    })

  test('a call id that equals the name of an object method is an ordinary id', () => {
    const event: RunEvent = { seq: 3, at: 5, fact: paused, decision: { set: { c2: 'sent' } } }
    assert.equal(concerns(event, { ...own, id: 'toString' }), false)
  })
})
