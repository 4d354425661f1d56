import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { breachOfAnswer } from '../../src/policy/constraints/check-answer.ts'
import { breachOfCall } from '../../src/policy/constraints/check-call.ts'
import type { ConstraintRule } from '../../src/policy/constraints/constraint-rule.ts'
import { impliesRule } from '../../src/policy/constraints/implies-rule.ts'

const tools = fc.constantFrom('f', 'g')
const small = fc.integer({ min: 0, max: 3 })
const argument = fc.constantFrom('to', 'amount')
const rules: fc.Arbitrary<ConstraintRule> = fc.oneof(
  fc.record({
    kind: fc.constant('length' as const),
    max: small,
    unit: fc.constantFrom('words' as const, 'characters' as const),
  }),
  fc.record({
    kind: fc.constant('contains' as const),
    phrase: fc.constantFrom('a', 'b'),
    must: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('format' as const),
    format: fc.constantFrom('json' as const, 'lower_case' as const),
  }),
  fc.record({ kind: fc.constant('never_call' as const), tool: tools }),
  fc.record({ kind: fc.constant('call_after' as const), tool: tools, first: tools }),
  fc.record({ kind: fc.constant('call_count' as const), tool: tools, max: small }),
  fc.record({
    kind: fc.constant('call_time' as const),
    tool: tools,
    from: fc.constantFrom(0, 360, 720, 1080),
    to: fc.constantFrom(0, 360, 720, 1080),
    weekdays: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('items' as const), tool: fc.option(tools), argument, max: small }),
  fc.record({
    kind: fc.constant('argument' as const),
    tool: tools,
    argument,
    test: fc.constantFrom('is' as const, 'starts' as const, 'ends' as const, 'below' as const),
    value: fc.constantFrom('1', '2', 'A', 'a '),
  }),
)
const calls = fc.record({
  tool: tools,
  args: fc.record({ to: fc.constantFrom('a', 'b', '1', 'a, b'), amount: fc.integer({ min: 0, max: 3 }) }),
  at: fc.integer({ min: 0, max: 7 * 24 }).map((hour) => hour * 3_600_000),
  count: small,
  done: fc.boolean(),
})

describe('one rule implies another', () => {
  test('what satisfies the stricter rule satisfies the other', () => {
    let implied = 0
    fc.assert(
      fc.property(
        rules,
        rules,
        fc.array(calls, { minLength: 10 }),
        fc.array(fc.constantFrom('a', 'A b', 'b b b', '1'), { minLength: 3 }),
        (strict, rule, samples, answers) => {
          if (!impliesRule(strict, rule)) return
          implied++
          for (const { count, done, ...call } of samples) {
            const question = { ...call, called: () => count, succeeded: () => done }
            if (breachOfCall(strict, question) === null) assert.equal(breachOfCall(rule, question), null)
          }
          for (const answer of answers)
            if (breachOfAnswer(strict, answer) === null) assert.equal(breachOfAnswer(rule, answer), null)
        },
      ),
      { numRuns: 5000 },
    )
    assert.ok(implied > 100, `${implied}`)
  })

  test('every rule implies itself', () => {
    fc.assert(fc.property(rules, (rule) => impliesRule(rule, rule)))
    const odd = { kind: 'argument', tool: 'f', argument: 'to', test: 'below', value: 'a ' } as const
    assert.ok(impliesRule(odd, { ...odd }))
    assert.ok(!impliesRule(odd, { ...odd, value: 'b' }))
  })

  const time = (from: number, to: number, weekdays = false) =>
    ({ kind: 'call_time', tool: 'f', from, to, weekdays }) as const
  const cases: readonly [what: string, strict: ConstraintRule, rule: ConstraintRule][] = [
    ['a shorter window', time(600, 700), time(500, 800)],
    ['fewer days', time(600, 700, true), time(600, 700)],
    ['no call at all', { kind: 'never_call', tool: 'f' }, { kind: 'call_count', tool: 'f', max: 1 }],
    [
      'a lower limit',
      { kind: 'argument', tool: 'f', argument: 'n', test: 'below', value: '9' },
      { kind: 'argument', tool: 'f', argument: 'n', test: 'below', value: '10' },
    ],
    [
      'fewer recipients',
      { kind: 'items', tool: null, argument: 'to', max: 1 },
      { kind: 'items', tool: null, argument: 'to', max: 2 },
    ],
  ]
  for (const [what, strict, rule] of cases) {
    test(what, () => assert.deepEqual([impliesRule(strict, rule), impliesRule(rule, strict)], [true, false]))
  }

  test('windows that span midnight are compared only with equal ones', () => {
    assert.ok(impliesRule(time(1300, 100), time(1300, 100)))
    assert.ok(!impliesRule(time(1320, 60), time(1300, 100)))
    assert.ok(!impliesRule(time(600, 700), time(1300, 100)))
  })
})
