import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Program } from '../../src/plan/plan.ts'
import { laterDeadline, resumed } from '../../src/run/decide/resumed.ts'
import { approvalLapsed, personDecided } from '../../src/run/decide/take-decision.ts'
import type { Decision, Fact, FactOf, Verdict } from '../../src/run/event.ts'
import type { CallEntry, ModelAttempt, RunState } from '../../src/run/state.ts'
import { callWith, stateWith } from './core.ts'
import { familyProgram } from './family-program.ts'
import { programOf } from './fixture.ts'

const RESUMED: FactOf<'run.resumed'> = { type: 'run.resumed', by: 'ann' }
const SWARM = familyProgram({
  parallel_execution: true,
  max_parallel: 2,
  subagents: [{ ref: 'a' }, { ref: 'b' }, { ref: 'c' }],
})
const open = callWith({ id: 'b', effect: 'none' })

describe('how a run resumes', () => {
  const attempt: ModelAttempt = { n: 3, route: 1, retry: 1, delay_ms: 50, failed: [] }
  const again: Decision = { attempt: { n: 8, route: 1, retry: 1, delay_ms: 0, failed: [] } }
  const first: Decision = {
    attempt: { n: 8, route: 0, retry: 0, delay_ms: 0, failed: [], why: 'first in declared order' },
  }
  const done = callWith({ status: 'done', result: 'x' })
  const worker = (id: string, status: CallEntry['status']) =>
    callWith({ id, tool: id, status, effect: 'idempotent', ...(status === 'done' && { result: 'x' }) })
  const work = { type: 'swarm', phase: 'work' } as const
  const cases: readonly {
    readonly rule: string
    readonly program?: Program
    readonly state: Partial<RunState>
    readonly decision: Decision
  }[] = [
    { rule: 'an open model request is sent again without a wait', state: { attempt }, decision: again },
    {
      rule: 'AAIF-4.6-08: a provider that asked for a delay is not asked before, after a pause either',
      state: { attempt: { ...attempt, due_at: 5_000 } },
      decision: { attempt: { ...attempt, n: 8, delay_ms: 4_900, due_at: 5_000 } },
    },
    {
      rule: 'a delay that is over has no effect',
      state: { attempt: { ...attempt, due_at: 100 } },
      decision: again,
    },
    { rule: 'without an open request, the next one is sent', state: {}, decision: first },
    {
      rule: 'a look-up in memory is repeated',
      state: { recalling: true, attempt },
      decision: { recall: true },
    },
    {
      rule: 'the outcome of a write in flight becomes unknown; a read is sent again without a decision',
      state: { calls: [callWith(), open, callWith({ id: 'c', status: 'held' })], attempt },
      decision: { set: { a: 'unknown', c: 'sent' } },
    },
    {
      rule: 'a call that waits for approval does not change',
      state: { calls: [callWith({ status: 'asking' })] },
      decision: {},
    },
    { rule: 'one open call keeps the round open', state: { calls: [done, open] }, decision: {} },
    {
      rule: 'a round whose calls are all done is settled',
      state: { calls: [done] },
      decision: { settle: true, ...first },
    },
    {
      rule: 'queued workers start in the places that are free',
      program: SWARM,
      state: { stage: work, calls: [worker('a', 'done'), worker('b', 'sent'), worker('c', 'queued')] },
      decision: { set: { c: 'sent' } },
    },
    {
      rule: 'queued workers of an agent without a stage do not start',
      program: SWARM,
      state: { calls: [worker('a', 'done'), worker('b', 'sent'), worker('c', 'queued')] },
      decision: {},
    },
    {
      rule: 'queued workers of an agent without sub-agents do not start',
      state: { stage: work, calls: [worker('c', 'queued')] },
      decision: {},
    },
    {
      rule: 'a review of calls is repeated, and calls in flight are settled beside it',
      state: {
        review: { n: 2, subject: 'calls' },
        calls: [callWith(), callWith({ id: 'b', status: 'judging' })],
      },
      decision: { review: { n: 5, subject: 'calls' }, set: { a: 'unknown' } },
    },
    {
      rule: 'a review of an answer is repeated, and nothing beside it',
      state: { review: { n: 2, subject: 'answer', text: 'x' }, attempt },
      decision: { review: { n: 5, subject: 'answer', text: 'x' } },
    },
    {
      rule: 'the deadline moves by the time without a process',
      state: { attempt, deadline_at: 500, at: 90 },
      decision: { ...again, deadline_at: 510 },
    },
  ]
  for (const { rule, program = programOf(), state, decision } of cases) {
    test(rule, () => {
      const before = stateWith({ status: 'paused', attempts: 7, reviews: 4, at: 100, ...state })
      assert.deepEqual(resumed(program, before, RESUMED, 100), decision)
    })
  }

  test('when all workers are done, the orchestration continues with their results', () => {
    const calls = ['a', 'b', 'c'].map((id) => worker(id, 'done'))
    const state = stateWith({ status: 'paused', stage: work, calls, attempts: 7 })
    const decision = resumed(SWARM, state, RESUMED, 100)
    assert.deepEqual([decision.clear, decision.stage, decision.settle], [true, null, undefined])
    assert.match(decision.say ?? '', /"results"/)
  })
})

describe('AAIF-4.6-01: time in which a run waits does not count', () => {
  const person: Fact = { type: 'person.decided', call_id: 'a', verdict: 'deny', by: 'ann' }
  const lapsed: Fact = { type: 'approval.lapsed', call_id: 'a' }
  const cases: readonly (readonly [
    rule: string,
    fact: Fact,
    state: Partial<RunState>,
    at: number,
    deadline: number | undefined,
  ])[] = [
    ['without a deadline none moves', RESUMED, { deadline_at: null }, 150, undefined],
    ['a resumed run', RESUMED, {}, 150, 550],
    ['a clock that went back does not bring the deadline closer', RESUMED, {}, 50, 500],
    ['a person who was waited for', person, { status: 'waiting' }, 150, 550],
    ['an approval that was waited for', lapsed, { status: 'waiting' }, 150, 550],
    ['a person who was not waited for', person, {}, 150, undefined],
    ['an approval that was not waited for', lapsed, {}, 150, undefined],
    ['any other fact', { type: 'deadline.passed' }, { status: 'waiting' }, 150, undefined],
  ]
  for (const [rule, fact, state, at, deadline_at] of cases) {
    test(`${rule}: ${deadline_at ?? 'no change'}`, () => {
      const before = stateWith({ deadline_at: 500, at: 100, ...state })
      assert.deepEqual(laterDeadline(before, fact, at), deadline_at === undefined ? {} : { deadline_at })
    })
  }
})

const NOT_AGAIN = 'Do not make the same call again unless the user asks for it.'

describe('AAIF §4.9 a decision about a call', () => {
  const decided = (verdict: Verdict, more: Partial<FactOf<'person.decided'>> = {}) =>
    ({ type: 'person.decided', call_id: 'a', verdict, by: 'ann', ...more }) as const
  const cases: readonly {
    readonly status: CallEntry['status']
    readonly fact: FactOf<'person.decided'>
    readonly decision: Decision | null
  }[] = [
    { status: 'asking', fact: decided('approve'), decision: { set: { a: 'sent' } } },
    {
      status: 'asking',
      fact: decided('deny'),
      decision: {
        done: { call_id: 'a', result: `ann did not approve this call. ${NOT_AGAIN}`, error: true },
      },
    },
    {
      status: 'asking',
      fact: decided('deny', { why: 'too late' }),
      decision: {
        done: { call_id: 'a', result: `ann did not approve this call: too late. ${NOT_AGAIN}`, error: true },
      },
    },
    { status: 'asking', fact: decided('resend'), decision: null },
    { status: 'asking', fact: decided('assume'), decision: null },
    { status: 'unknown', fact: decided('resend'), decision: { set: { a: 'sent' } } },
    {
      status: 'unknown',
      fact: decided('assume'),
      decision: { done: { call_id: 'a', result: 'done (confirmed by a person)' } },
    },
    {
      status: 'unknown',
      fact: decided('assume', { result: 'ticket 7' }),
      decision: { done: { call_id: 'a', result: 'ticket 7' } },
    },
    {
      status: 'unknown',
      fact: decided('deny'),
      decision: {
        done: { call_id: 'a', result: 'the call did not take effect, according to ann', error: true },
      },
    },
    {
      status: 'unknown',
      fact: decided('deny', { why: 'I looked' }),
      decision: {
        done: {
          call_id: 'a',
          result: 'the call did not take effect, according to ann: I looked',
          error: true,
        },
      },
    },
    { status: 'unknown', fact: decided('approve'), decision: null },
    { status: 'asking', fact: decided('approve', { call_id: 'z' }), decision: null },
    ...(['queued', 'judging', 'held', 'sent', 'done'] as const).flatMap((status) =>
      (['approve', 'deny', 'resend', 'assume'] as const).map((verdict) => ({
        status,
        fact: decided(verdict),
        decision: null,
      })),
    ),
  ]
  for (const { status, fact, decision } of cases) {
    const { type: _type, by: _by, ...what } = fact
    test(`${JSON.stringify(what)} on a call that is ${status}: ${JSON.stringify(decision)}`, () => {
      const waiting = stateWith({
        status: 'waiting',
        calls: [callWith({ status }), open],
        deadline_at: 500,
        at: 100,
      })
      // The time that the person took is added to the deadline.
      const expected = decision === null ? null : { deadline_at: 530, ...decision }
      assert.deepEqual(personDecided(programOf(), waiting, fact, 130), expected)
    })
  }

  test('the last open call settles the round', () => {
    const state = stateWith({ status: 'waiting', calls: [callWith({ status: 'unknown' })] })
    const decision = personDecided(programOf(), state, decided('assume'), 130)
    assert.deepEqual([decision?.settle, decision?.attempt?.n], [true, 1])
  })

  const lapses: readonly (readonly [
    rule: string,
    timeout: number | null,
    call: Partial<CallEntry>,
    at: number,
    denied: boolean,
  ])[] = [
    ['a moment too early', 60, { asked_at: 100 }, 60_099, false],
    ['when its time is up', 60, { asked_at: 100 }, 60_100, true],
    ['without a time limit', null, { asked_at: 100 }, 9e9, false],
    ['a call that does not ask any more', 60, { asked_at: 100, status: 'sent' }, 60_100, false],
    ['a call that was never asked about', 60, {}, 9e9, false],
    ['another call', 60, { id: 'z', asked_at: 100 }, 60_100, false],
  ]
  for (const [rule, timeout, call, at, denied] of lapses) {
    test(`AAIF-4.9-12: ${rule}: ${denied ? 'denied' : 'no decision'}`, () => {
      const program = programOf({
        compliance: {
          human_in_the_loop: { enabled: true, ...(timeout !== null && { timeout_seconds: timeout }) },
        },
      })
      const state = stateWith({
        status: 'waiting',
        calls: [callWith({ status: 'asking', ...call }), open],
        deadline_at: 500,
        at: 60_090,
      })
      const result = 'this call was not approved within 60 s, so it was denied'
      assert.deepEqual(
        approvalLapsed(program, state, { type: 'approval.lapsed', call_id: 'a' }, at),
        denied ? { deadline_at: 510, done: { call_id: 'a', result, error: true } } : null,
      )
    })
  }
})
