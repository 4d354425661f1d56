import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { evaluateCondition } from 'waybill/condition'

const reasonOf = (expr: string): string | undefined =>
  evaluateCondition({ lang: 'cel', expr }, { n: 1 }).reason

describe('a CEL expression that ends with an operator', () => {
  for (const operator of ['&&', '||', '==', '!=', '<=', '>=', '<', '>', '+', '-', '*', '/', '%', '?', 'in'])
    test(`${operator}: the reason names the missing operand`, () => {
      for (const expr of [`n ${operator}`, `(n > 1 || n ${operator} \n`])
        assert.equal(
          reasonOf(expr),
          `this is not cel: the operand after "${operator}" is missing (at its end)`,
        )
    })

  test('a negation and the end of a choice too', () => {
    assert.match(reasonOf('!') ?? '', /the operand after "!" is missing/)
    assert.match(reasonOf('n > 1 ? true :') ?? '', /the operand after ":" is missing/)
  })

  for (const [why, expr] of [
    ['an operator in an open string', '"abc <'],
    ['an operator in a comment', 'n 1 // <'],
    ['a name that ends like an operator', 'n 1 begin'],
    ['another error', 'n 1'],
  ] as const)
    test(`not for ${why}`, () => assert.doesNotMatch(reasonOf(expr) ?? 'no reason', /operand|no reason/))
})
