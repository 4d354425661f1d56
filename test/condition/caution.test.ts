import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Caution } from '../../src/condition/caution.ts'
import { compileCondition } from '../../src/condition/compile-condition.ts'
import type { StructuredCondition } from '../../src/condition/condition.ts'
import type { JsonObject } from '../../src/document/json.ts'

const outcome = (condition: StructuredCondition, args: JsonObject, caution: Caution) =>
  compileCondition(condition, caution).evaluate({
    action: 'refund',
    tool: { name: 'refund' },
    arguments: args,
  }).outcome

const ORDERS: readonly StructuredCondition[] = [
  { lang: 'jmespath', expr: 'arguments.amount > `100`' },
  { lang: 'cel', expr: 'arguments.amount > 100' },
  { lang: 'jsonpath', expr: '$[?@.amount > 100]' },
  { lang: 'jsonpath', expr: '$[?$.arguments.amount > 100]' },
  { lang: 'jsonlogic', expr: { '>': [{ var: 'arguments.amount' }, 100] } },
]

describe('a condition that decides whether a person is asked is never false because of a type', () => {
  for (const condition of ORDERS) {
    const name = JSON.stringify(condition)
    test(`${name} compares numbers`, () => {
      assert.equal(outcome(condition, { amount: 5 }, 'complete'), 'false')
      assert.equal(outcome(condition, { amount: 5000 }, 'complete'), 'true')
    })
    for (const amount of ['5000', '5,000', '5e3', 'all of it', true, [5000], { value: 5000 }, null])
      test(`${name} is unevaluable for ${JSON.stringify(amount)}`, () =>
        assert.equal(outcome(condition, { amount }, 'complete'), 'unevaluable'))
    test(`${name} is unevaluable without the member`, () => {
      assert.equal(outcome(condition, {}, 'complete'), 'unevaluable')
      assert.equal(outcome(condition, { Amount: 5000 }, 'complete'), 'unevaluable')
    })
  }

  for (const operator of ['<', '<=', '>', '>='])
    test(`every order: ${operator}`, () => {
      for (const condition of [
        { lang: 'jmespath', expr: `arguments.n ${operator} \`100\`` },
        { lang: 'jsonpath', expr: `$[?@.n ${operator} 100]` },
        { lang: 'jsonlogic', expr: { [operator]: [100, { var: 'arguments.n' }] } },
        { lang: 'cel', expr: `100 ${operator} arguments.n` },
      ])
        assert.equal(outcome(condition, { n: '100' }, 'complete'), 'unevaluable')
    })

  for (const [lang, expr] of [
    ['jmespath', 'arguments.amount == `100`'],
    ['jmespath', 'arguments.amount != `7` && arguments.amount == `100`'],
    ['cel', 'arguments.amount == 100'],
    ['cel', 'arguments.amount in [99, 100]'],
    ['jsonpath', '$[?@.amount == 100]'],
    ['jsonlogic', { '===': [{ var: 'arguments.amount' }, 100] }],
    ['jsonlogic', { '==': [{ var: 'arguments.amount' }, 100] }],
    ['jsonlogic', { in: [{ var: 'arguments.amount' }, [99, 100]] }],
  ] as const)
    test(`${lang} ${JSON.stringify(expr)}: values that differ only in their type are not unequal`, () => {
      for (const amount of ['100', ' 100 ', '1e2', '100.0', [100]])
        assert.equal(outcome({ lang, expr }, { amount }, 'complete'), 'unevaluable', JSON.stringify(amount))
      assert.equal(outcome({ lang, expr }, { amount: 100 }, 'complete'), 'true')
      assert.equal(outcome({ lang, expr }, { amount: 5 }, 'complete'), 'false')
    })

  test('a boolean and its text, a text and a list of it', () => {
    const urgent = { lang: 'jmespath', expr: 'arguments.urgent == `true`' }
    assert.equal(outcome(urgent, { urgent: 'True' }, 'complete'), 'unevaluable')
    const role = { lang: 'jsonpath', expr: '$[?@.role == "admin"]' }
    assert.equal(outcome(role, { role: ['admin'] }, 'complete'), 'unevaluable')
    assert.equal(outcome(role, { role: ['guest'] }, 'complete'), 'false')
  })

  for (const [lang, expr] of [
    ['jmespath', 'arguments.items[?amount > `100`]'],
    ['jsonpath', '$.arguments.items[?@.amount > 100]'],
    ['jsonlogic', { some: [{ var: 'arguments.items' }, { '>': [{ var: 'amount' }, 100] }] }],
    ['cel', 'arguments.items.exists(i, i.amount > 100)'],
  ] as const)
    test(`${lang} ${JSON.stringify(expr)}: a list that is none is not a list without such an item`, () => {
      for (const items of ['[{"amount":5000}]', { amount: 5000 }, [{ amount: '5000' }], 5000])
        assert.equal(outcome({ lang, expr }, { items }, 'complete'), 'unevaluable', JSON.stringify(items))
      assert.equal(outcome({ lang, expr }, { items: [{ amount: 5 }] }, 'complete'), 'false')
      assert.equal(outcome({ lang, expr }, { items: [] }, 'complete'), 'false')
      assert.equal(outcome({ lang, expr }, { items: [{ amount: 5 }, { amount: 5000 }] }, 'complete'), 'true')
    })

  test('a search in a value that is not a text', () => {
    const search = { lang: 'jsonpath', expr: '$[?search(@.to, "evil")]' }
    assert.equal(outcome(search, { to: ['eve@evil'] }, 'complete'), 'unevaluable')
    assert.equal(outcome(search, { to: 'eve@evil' }, 'complete'), 'true')
    assert.equal(outcome(search, { to: 'ada@ours' }, 'complete'), 'false')
    const within = { lang: 'jsonlogic', expr: { in: ['evil', { var: 'arguments.to' }] } }
    assert.equal(outcome(within, { to: { address: 'eve@evil' } }, 'complete'), 'unevaluable')
  })

  test('a guard before an order is respected: other tools have no amount', () => {
    for (const condition of [
      { lang: 'jmespath', expr: "action == 'pay' && arguments.amount > `100`" },
      { lang: 'cel', expr: 'action == "pay" && arguments.amount > 100' },
      {
        lang: 'jsonlogic',
        expr: { and: [{ '===': [{ var: 'action' }, 'pay'] }, { '>': [{ var: 'arguments.amount' }, 100] }] },
      },
    ])
      assert.equal(outcome(condition, {}, 'complete'), 'false')
  })
})

describe('a condition that lets something start', () => {
  test('is unevaluable for an order of a text and a number, not for a missing member', () => {
    for (const condition of ORDERS) {
      assert.equal(outcome(condition, { amount: '5,000' }, 'typed'), 'unevaluable')
      if (condition.lang !== 'cel') assert.equal(outcome(condition, {}, 'typed'), 'false')
    }
    const either = { lang: 'jmespath', expr: "arguments.amount > `100` || action == 'refund'" }
    assert.equal(outcome(either, {}, 'typed'), 'true')
  })
})

describe('a condition that only chooses a route', () => {
  test('is read as its language defines it (AAIF §5)', () => {
    for (const condition of ORDERS.filter(({ lang }) => lang !== 'cel'))
      assert.equal(outcome(condition, {}, 'portable'), 'false')
    assert.equal(outcome(ORDERS[0] as StructuredCondition, { amount: '5000' }, 'portable'), 'false')
  })
})
