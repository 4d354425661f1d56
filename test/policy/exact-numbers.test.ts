import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { evaluateCondition } from '../../src/condition/compile-condition.ts'
import { parseExact } from '../../src/document/exact-numbers.ts'
import type { Json, JsonObject } from '../../src/document/json.ts'
import { breachOfCall } from '../../src/policy/constraints/check-call.ts'
import { destinationsIn } from '../../src/policy/destination/destination.ts'
import { JsonCleaner } from '../../src/policy/pii/clean-json.ts'
import { createPiiFinder } from '../../src/policy/pii/find-pii.ts'

describe('checks of values with marked digits', () => {
  const amount = parseExact('{"amount":12345678901234567890}') as JsonObject

  test('a condition compares the nearest double, so a large amount stays above a limit', () => {
    // Integers of CEL have 64 bits; a condition that cannot be evaluated asks a person.
    for (const condition of [
      { lang: 'cel', expr: 'args.amount > 100' },
      { lang: 'jsonlogic', expr: { '>': [{ var: 'args.amount' }, 100] } },
      { lang: 'jmespath', expr: 'args.amount > `100`' },
    ] as const)
      assert.equal(evaluateCondition(condition, { args: amount }).outcome, 'true', condition.lang)
  })

  test('a limit of a constraint holds', () => {
    const rule = { kind: 'argument', tool: 't', argument: 'amount', test: 'below', value: '100' } as const
    const breachOf = (args: JsonObject) =>
      breachOfCall(rule, { tool: 't', args, at: 0, called: () => 0, succeeded: () => false })
    assert.notEqual(breachOf(amount), null)
    assert.equal(breachOf(parseExact('{"amount":0.1234567890123456789}') as JsonObject), null)
  })

  test('digits are found as personal data', () => {
    const clean = (value: Json) =>
      new JsonCleaner(createPiiFinder(), ({ kind }) => `[${kind}]`).json(value, '')
    const card = '6212345678901234569'
    assert.deepEqual(clean({ card: { $number: card } }), clean({ card }))
    assert.doesNotMatch(JSON.stringify(clean({ card: { $number: card } })), new RegExp(card))
  })

  test('digits are found as a destination', () => {
    const keys = (value: Json) => destinationsIn(value, ['phone']).map(({ key }) => key)
    assert.deepEqual(keys({ $number: '44207946095812345678' }), keys('44207946095812345678'))
  })
})
