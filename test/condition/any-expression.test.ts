import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { checkCondition, evaluateCondition } from '../../src/condition/index.ts'
import type { Case } from './cases/case.ts'
import { cel } from './cases/cel.ts'
import { jmespath } from './cases/jmespath.ts'
import { jsonlogic } from './cases/jsonlogic.ts'
import { jsonpath } from './cases/jsonpath.ts'
import { payload as shared } from './cases/payload.ts'

const payloads = fc.oneof(fc.constant(shared), fc.jsonValue({ maxDepth: 4 }))

/** Nearly valid expressions: two valid ones, cut at random places and joined with random text. */
function almost(table: readonly Case[]): fc.Arbitrary<string> {
  const good = fc.constantFrom(...table.map(([expr]) => String(expr)))
  const part = fc.tuple(good, fc.nat(60), fc.nat(60)).map(([text, a, b]) => text.slice(Math.min(a, b), a + b))
  const between = fc.oneof(
    fc.constantFrom('', ' && ', ' || ', '.', '[', ')', '\\', '"', "'", '`'),
    fc.string(),
  )
  return fc.oneof(
    fc.tuple(part, between, part).map((parts) => parts.join('')),
    fc.string(),
  )
}

/** Rules of random operators and operands from the table. */
const rules: fc.Arbitrary<object> = fc.letrec<{ rule: object; operand: unknown }>((tie) => {
  const operators = jsonlogic.flatMap(([expr]) => Object.keys(expr))
  return {
    operand: fc.oneof({ maxDepth: 4 }, fc.jsonValue({ maxDepth: 1 }), tie('rule'), fc.array(tie('operand'))),
    rule: fc
      .tuple(fc.constantFrom(...operators), tie('operand'))
      .map(([operator, operand]) => ({ [operator]: operand })),
  }
}).rule

const EXPRESSIONS = {
  jsonpath: almost(jsonpath),
  jmespath: almost(jmespath),
  cel: almost(cel),
  jsonlogic: rules,
}

for (const [lang, expressions] of Object.entries(EXPRESSIONS)) {
  test(`${lang}: any expression gives a repeatable result or reason, and never throws`, () => {
    fc.assert(
      fc.property(expressions as fc.Arbitrary<string | object>, payloads, (expr, payload) => {
        const condition = { lang, expr }
        const result = evaluateCondition(condition, payload)
        assert.ok(['true', 'false', 'unevaluable'].includes(result.outcome))
        assert.equal(typeof result.reason, result.outcome === 'unevaluable' ? 'string' : 'undefined')
        assert.deepEqual(evaluateCondition(condition, payload), result)
        // An invalid expression is never evaluated, and a valid one is never refused because of the payload.
        if (checkCondition(condition).some(({ severity }) => severity === 'error')) {
          assert.equal(result.outcome, 'unevaluable')
        }
      }),
      { numRuns: 400 },
    )
  })
}
