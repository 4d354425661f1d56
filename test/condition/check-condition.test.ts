import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkCondition, evaluateCondition } from '../../src/condition/index.ts'

const only = (condition: unknown) => {
  const [finding, second] = checkCondition(condition)
  assert.ok(finding !== undefined && second === undefined, JSON.stringify(condition))
  return finding
}

describe('AAIF §5 conditions', () => {
  test('AAIF-5-02: a string gives a finding with the object form', () => {
    const finding = only('when the invoice is above 1000')
    assert.equal(finding.severity, 'warning')
    assert.equal(finding.code, 'CONDITION_NOT_PORTABLE')
    assert.equal(finding.rule, 'AAIF-5-02')
    assert.equal(finding.pointer, '')
    assert.match(finding.hint ?? '', /"nl": "when the invoice is above 1000"/)
  })

  test('AAIF-5-03: an unknown language is refused at lang', () => {
    for (const lang of ['regex', 'CEL', '', 'constructor', 'toString', 7, null]) {
      const finding = only({ lang, expr: 'x' })
      assert.deepEqual(
        [finding.severity, finding.code, finding.pointer, finding.rule],
        ['error', 'CONDITION_LANG_UNKNOWN', '/lang', 'AAIF-5-03'],
      )
      assert.match(finding.hint ?? '', /jsonpath, jmespath, cel, jsonlogic, always, never/)
    }
    for (const lang of ['jsonpath', 'jmespath', 'cel', 'jsonlogic', 'always', 'never']) {
      assert.ok(!checkCondition({ lang }).some(({ rule }) => rule === 'AAIF-5-03'), lang)
    }
  })

  test('SPEC-V-01: expr is required for four languages; an unnecessary expr is ignored', () => {
    for (const lang of ['jsonpath', 'jmespath', 'cel', 'jsonlogic']) {
      const finding = only({ lang })
      assert.deepEqual([finding.severity, finding.code, finding.rule], ['error', 'EXPR_MISSING', 'SPEC-V-01'])
    }
    for (const lang of ['always', 'never']) {
      assert.deepEqual(checkCondition({ lang }), [])
      const finding = only({ lang, expr: 'whatever (' })
      assert.deepEqual([finding.severity, finding.pointer, finding.rule], ['info', '/expr', 'SPEC-V-01'])
    }
  })

  test('SPEC-V-02: an expr of the wrong type is reported, and is unevaluable', () => {
    const wrong = {
      jsonpath: [{}, true, [], 1, null],
      jmespath: [{}, true, [], 1, null],
      cel: [{}, true, [], 1, null],
      jsonlogic: ['{"var": "x"}', true, [], 1, null],
    }
    for (const [lang, exprs] of Object.entries(wrong)) {
      for (const expr of exprs) {
        const finding = only({ lang, expr })
        assert.deepEqual(
          [finding.severity, finding.code, finding.pointer, finding.rule],
          ['error', 'EXPR_TYPE', '/expr', 'SPEC-V-02'],
        )
        assert.equal(evaluateCondition({ lang, expr }, { x: 1 }).outcome, 'unevaluable')
      }
    }
  })

  test('a bad expression is an error of its language, with the place inside the expression', () => {
    const cases = [
      ['jsonpath', '$.a[?@.b = 1]', 'AAIF-5-04', /character 10/],
      ['jsonpath', '$.a[', 'AAIF-5-04', /at its end/],
      ['jmespath', 'a == == b', 'AAIF-5-05', /character 6, before `== b`/],
      ['jmespath', 'a[?b', 'AAIF-5-05', /at its end/],
      ['cel', 'a == 1 &&\n  b c', 'AAIF-5-06', /line 2, character 5, before `c`/],
      ['cel', 'a == nope(1)', 'AAIF-5-06', /no function nope\(\) \(at character 6/],
    ] as const
    for (const [lang, expr, rule, place] of cases) {
      const finding = only({ lang, expr })
      assert.deepEqual(
        [finding.severity, finding.code, finding.pointer, finding.rule],
        ['error', 'EXPR_INVALID', '/expr', rule],
      )
      assert.match(finding.message, place)
    }
    const finding = only({ lang: 'jsonlogic', expr: { and: [true, { 'a/b~': [1] }] } })
    assert.deepEqual([finding.pointer, finding.rule], ['/expr/and/1/a~1b~0', 'AAIF-5-07'])
  })

  test('a value that is not a condition is refused', () => {
    for (const condition of [null, 1, true, [], undefined]) {
      assert.deepEqual([only(condition).code, only(condition).rule], ['CONDITION_TYPE', 'AAIF-5-01'])
    }
    assert.equal(only({ expr: 'a' }).code, 'CONDITION_LANG_MISSING')
  })

  test('valid conditions have no findings', () => {
    assert.deepEqual(checkCondition({ lang: 'cel', expr: 'a == 1', nl: 'a is one' }), [])
    assert.deepEqual(checkCondition({ lang: 'jsonlogic', expr: { var: 'a' } }), [])
    assert.deepEqual(checkCondition({ lang: 'never', nl: 'not yet' }), [])
  })

  test('a string, an unknown language and a bad expression are unevaluable with their reason, never false', () => {
    for (const [condition, reason] of [
      ['always', /natural language/],
      [{ lang: 'regex', expr: '.*' }, /condition language "regex" is not supported/],
      [{ lang: 'cel', expr: 'a ==' }, /this is not cel/],
      [{ lang: 'cel' }, /needs an expr/],
    ] as const) {
      const result = evaluateCondition(condition, { a: 1 })
      assert.equal(result.outcome, 'unevaluable')
      assert.match(result.reason ?? '', reason)
    }
  })
})
