import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Program } from '../../src/plan/plan.ts'
import { withBackground } from '../../src/run/decide/background.ts'
import { beginNextTurn, beginRun } from '../../src/run/decide/begin-turn.ts'
import type { Decision, FactOf } from '../../src/run/event.ts'
import type { MemoryItem, RunEnd } from '../../src/run/state.ts'
import { callWith, END, started, stateWith, withPlan } from './core.ts'
import { familyProgram } from './family-program.ts'
import { programOf } from './fixture.ts'

const NOW = 1_000

describe('the start of a run', () => {
  const schema = { io: { input_schema: { type: 'object' } } }
  const found = (at: string) => [{ kind: 'email', at, count: 1 }]
  const rejects = programOf({ compliance: { pii_handling: 'reject' } })
  const refusal = { code: 'PII_REJECTED', message: 'no', pointer: '/p', rule: 'R', hint: 'h' } as const
  const cases: readonly {
    readonly rule: string
    readonly program?: Program
    readonly fact?: FactOf<'run.started'>
    /** Absent: the model is asked. */
    readonly error?: readonly [status: RunEnd['status'], message: RegExp]
  }[] = [
    { rule: 'a text without a schema' },
    {
      rule: 'a plan with a refusal',
      program: withPlan(programOf(), { refusals: [refusal] }),
      error: ['refused', /^no$/],
    },
    {
      rule: 'AAIF-7-08: a plan with three refusals, which are all listed',
      program: withPlan(programOf(), { refusals: [refusal, refusal, refusal] }),
      error: ['refused', /^3 reasons: no \(.*\); no \(.*\); no \(.*\)$/],
    },
    { rule: 'an input that fits', program: programOf(schema), fact: started({ input: {} }) },
    {
      rule: 'an input that does not fit',
      program: programOf(schema),
      error: ['refused', /^the input does not match io\.input_schema: /],
    },
    {
      rule: 'an input that fits with its real values',
      program: programOf(schema),
      fact: started({ fits: true }),
    },
    {
      rule: 'an input that does not fit, in a rehearsal',
      program: programOf(schema, { rehearsal: true }),
      error: ['refused', /^the input does not match/],
    },
    {
      rule: 'an input from the test double of a caller that does not fit',
      program: programOf(schema, { rehearsal: true }),
      fact: started({ depth: 1 }),
    },
    {
      rule: 'an input from a real caller that does not fit',
      program: programOf(schema),
      fact: started({ depth: 1 }),
      error: ['refused', /^the input does not match/],
    },
    { rule: 'personal data where it is allowed', fact: started({ pii: found('/x') }) },
    {
      rule: 'personal data where it is rejected',
      program: rejects,
      fact: started({ pii: found('/x') }),
      error: ['refused', /^the input holds personal data: /],
    },
    {
      rule: 'personal data in a text that was fetched',
      program: rejects,
      fact: started({ pii: found('/background/0') }),
    },
    { rule: 'no personal data', program: rejects },
    { rule: 'AAIF-4.3-09: sub-agents at the maximum depth', fact: started({ depth: 10 }) },
    {
      rule: 'AAIF-4.3-09: sub-agents below the maximum depth',
      fact: started({ depth: 11 }),
      error: ['failed', /^sub-agents call one another 11 deep, more than max_iterations allows$/],
    },
  ]
  for (const { rule, program = programOf(), fact = started(), error } of cases) {
    test(`${rule}: ${error === undefined ? 'the model is asked' : error[0]}`, () => {
      const decision = beginRun(program, stateWith({ seq: 0, turn: 0 }), fact, NOW)
      assert.equal(decision.end?.status, error?.[0])
      assert.match(decision.end?.error?.message ?? '', error?.[1] ?? /^$/)
      assert.equal(decision.attempt?.n, error === undefined ? 1 : undefined)
    })
  }

  const deadlines: readonly (readonly [
    seconds: number | undefined,
    given: number | undefined,
    at: number | null,
  ])[] = [
    [undefined, undefined, null],
    [2, undefined, 3_000],
    [undefined, 1_500, 1_500],
    [2, 1_500, 1_500],
    [2, 9_000, 3_000],
  ]
  for (const [seconds, given, deadline_at] of deadlines) {
    test(`with a timeout of ${seconds} s and a deadline of the caller at ${given}: ${deadline_at}`, () => {
      const program = programOf(seconds === undefined ? {} : { runtime: { timeout_seconds: seconds } })
      const fact = started(given === undefined ? {} : { limits: { deadline_at: given } })
      assert.equal(beginRun(program, stateWith({ seq: 0 }), fact, NOW).deadline_at, deadline_at)
    })
  }

  test('the limits of the caller hold from the first question on', () => {
    const spent = { totals: { ...stateWith({}).totals, input_tokens: 5 } }
    const go = (tokens: number) =>
      beginRun(programOf(), stateWith(spent), started({ limits: { tokens } }), NOW)
    assert.equal(go(5).end?.error?.code, 'BUDGET_EXCEEDED')
    assert.equal(go(6).attempt?.n, 1)
  })

  test('memory items of the caller are stored and sent to the model; items that could not be read add a warning', () => {
    const item: MemoryItem = { scope: 'user', key: 'k', content: 'c', saved_at: 1, expires_at: null }
    const warning = { code: 'MEMORY_FAILED', message: 'x' } as const
    const fact = started({ memory: { items: [item], warnings: [warning] } })
    const decision = beginRun(programOf(), stateWith({}), fact, NOW)
    assert.deepEqual(decision.remember, [{ ...item, scope: 'task', passed: true }])
    assert.deepEqual(decision.warnings, [warning])
    assert.equal(decision.recalled?.items.length, 1)
    const none = beginRun(programOf(), stateWith({}), started(), NOW)
    assert.deepEqual([none.remember, none.warnings, none.recalled], [undefined, undefined, undefined])
  })
})

describe('the next turn of a conversation', () => {
  const said = (members: Partial<FactOf<'user.said'>> = {}): FactOf<'user.said'> => ({
    type: 'user.said',
    input: 'and?',
    ...members,
  })
  const refused = (code: 'PII_REJECTED' | 'INPUT_INVALID'): RunEnd => ({
    status: 'refused',
    stop_reason: 'constraint',
    error: { code, message: '' },
  })
  const ends: readonly (readonly [rule: string, end: RunEnd, begins: boolean])[] = [
    ['completed', END, true],
    ['failed', { status: 'failed', stop_reason: 'error' }, true],
    ['refused', refused('INPUT_INVALID'), false],
    ['refused for personal data', refused('PII_REJECTED'), true],
    ['refused without an error', { status: 'refused', stop_reason: 'constraint' }, false],
  ]
  for (const [rule, end, begins] of ends) {
    test(`after a turn that was ${rule}: ${begins ? 'begins' : 'does not begin'}`, () => {
      const decision = beginNextTurn(programOf(), stateWith({ end, attempts: 3 }), said(), NOW)
      assert.equal(decision?.attempt?.n, begins ? 4 : undefined)
    })
  }

  test('begins at the first iteration', () => {
    assert.equal(
      beginNextTurn(programOf(), stateWith({ end: END, iteration: 99 }), said(), NOW)?.attempt?.n,
      1,
    )
  })

  test('gives calls that were left open a result', () => {
    const done = callWith({ id: 'b', status: 'done', result: 1 })
    const decision = beginNextTurn(
      programOf(),
      stateWith({ end: END, calls: [callWith(), done] }),
      said(),
      NOW,
    )
    assert.equal(decision?.settle, true)
    assert.deepEqual(decision.calls, [
      callWith({ status: 'done', error: true, result: 'not finished: the turn had ended' }),
      done,
    ])
    const none = beginNextTurn(programOf(), stateWith({ end: END }), said(), NOW)
    assert.deepEqual([none?.settle, none?.calls], [undefined, undefined])
  })

  test('tells the texts that were fetched again', () => {
    const background = [{ item: 0, source: 's', sha256: 'f'.repeat(64), text: 'new' }]
    const decision = beginNextTurn(programOf(), stateWith({ end: END }), said({ background }), NOW)
    assert.match(decision?.recalled?.text ?? '', /new/)
  })
})

describe('context items that are fetched again before a turn', () => {
  const sha256 = 'f'.repeat(64)
  const fresh = { item: 2, source: 'https://a.example', sha256, text: 'new' }
  const same = { item: 1, source: 's', sha256 }
  const failed = { item: 0, source: 's', reason: 's did not answer' }
  const memory: Decision = { recalled: { text: 'remembered', items: ['user/k@1'] } }
  const freshName = `context/2@${sha256.slice(0, 16)}`
  const cases: readonly {
    readonly rule: string
    readonly turn: Decision
    readonly items: Parameters<typeof withBackground>[1]
    readonly names: readonly string[] | undefined
    readonly text?: RegExp
    readonly warns?: true
  }[] = [
    { rule: 'no item: no message is added', turn: {}, items: undefined, names: undefined },
    { rule: 'an unchanged text adds no message', turn: {}, items: [same], names: undefined },
    { rule: 'a failed fetch adds a warning', turn: {}, items: [failed], names: undefined, warns: true },
    {
      rule: 'a changed text is sent',
      turn: {},
      items: [fresh],
      names: [freshName],
      text: /^This text of your background has changed.*\n[\s\S]*new/,
    },
    {
      rule: 'a changed text precedes memory items',
      turn: memory,
      items: [failed, fresh, same],
      names: [freshName, 'user/k@1'],
      text: /new[\s\S]*\n\nremembered$/,
      warns: true,
    },
    {
      rule: 'without a changed text only memory items are sent',
      turn: memory,
      items: [same],
      names: ['user/k@1'],
      text: /^remembered$/,
    },
    {
      rule: 'a turn that ended gets no text',
      turn: { end: END },
      items: [fresh, failed],
      names: undefined,
    },
    {
      rule: 'a text without a hash is sent',
      turn: {},
      items: [{ item: 3, source: 's', text: 'new' }],
      names: ['context/3@'],
      text: /new/,
    },
  ]
  for (const { rule, turn, items, names, text, warns } of cases) {
    test(rule, () => {
      const decision = withBackground(turn, items)
      assert.deepEqual(decision.recalled?.items, names)
      assert.match(decision.recalled?.text ?? '', text ?? /^$/)
      const warning = { code: 'CONTEXT_STALE', message: 's did not answer; the older text is still used' }
      assert.deepEqual(decision.warnings, warns === true ? [warning] : undefined)
    })
  }
})

test('an agent with sub-agents begins each turn with them', () => {
  const program = familyProgram({ pipeline: ['a', 'b'] })
  const first = beginRun(program, stateWith({ turn: 0 }), started(), NOW)
  assert.deepEqual([first.stage, first.attempt], [{ type: 'pipeline', step: 0 }, undefined])
  assert.equal(first.add?.[0]?.key, 'run-1:1.0:step0')
  const second = beginNextTurn(
    program,
    stateWith({ end: END, iteration: 3 }),
    { type: 'user.said', input: 'and?' },
    NOW,
  )
  assert.equal(second?.add?.[0]?.key, 'run-1:2.0:step0')
})
