import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { compileCondition, evaluateCondition } from '../../src/condition/index.ts'
import type { Case } from './cases/case.ts'
import { cel } from './cases/cel.ts'
import { jmespath } from './cases/jmespath.ts'
import { jsonlogic } from './cases/jsonlogic.ts'
import { jsonpath } from './cases/jsonpath.ts'
import { payload as shared } from './cases/payload.ts'

const TABLES = { jsonpath, jmespath, cel, jsonlogic }

/** @returns the number of cases with each outcome; fails on the first unexpected outcome */
function holds(lang: string, table: readonly Case[]): Record<string, number> {
  const counts: Record<string, number> = { true: 0, false: 0, unevaluable: 0 }
  for (const [expr, outcome, { payload = shared, reason = undefined } = {}] of table) {
    const result = evaluateCondition({ lang, expr }, payload)
    const name = `${lang} ${JSON.stringify(expr)}: ${result.reason ?? result.outcome}`
    assert.equal(result.outcome, outcome, name)
    assert.equal(result.reason !== undefined, outcome === 'unevaluable', name)
    if (reason !== undefined) assert.match(result.reason ?? '', reason)
    counts[outcome] = (counts[outcome] ?? 0) + 1
  }
  return counts
}

describe('AAIF §5 languages', () => {
  test('AAIF-5-04: jsonpath is true if the query returns a node, also one that is null or false', () => {
    holds('jsonpath', jsonpath)
  })

  test('AAIF-5-05: jmespath is true if its result is truthy; 0 is truthy, empty values are not', () => {
    holds('jmespath', jmespath)
  })

  test('AAIF-5-06: cel is true if the result is the boolean true', () => {
    holds('cel', cel)
  })

  test('AAIF-5-07: jsonlogic evaluates the rule object and is true if the result is truthy', () => {
    holds('jsonlogic', jsonlogic)
  })

  test('every table has sixty cases or more, and all three outcomes', () => {
    for (const [lang, table] of Object.entries(TABLES)) {
      assert.ok(table.length >= 60, `${lang}: ${table.length}`)
      for (const count of Object.values(holds(lang, table))) assert.ok(count >= 5, lang)
    }
  })

  test('AAIF-5-08: always is true and never is false for every payload, with or without expr', () => {
    for (const payload of [shared, {}, [], null, 0, '', false, { deep: [{ er: 1 }] }]) {
      for (const expr of [undefined, 'false', {}, null, true]) {
        const given = expr === undefined ? {} : { expr }
        assert.deepEqual(evaluateCondition({ lang: 'always', ...given }, payload), { outcome: 'true' })
        assert.deepEqual(evaluateCondition({ lang: 'never', ...given }, payload), { outcome: 'false' })
      }
    }
  })

  test('SPEC-V-04: every language of the format is evaluated, including the three text languages', () => {
    const expr = { jsonpath: '$', jmespath: '@', cel: 'true', jsonlogic: { '!': false } }
    for (const lang of ['always', 'jsonpath', 'jmespath', 'cel', 'jsonlogic'] as const) {
      const condition = { lang, ...(lang !== 'always' && { expr: expr[lang] }) }
      assert.equal(evaluateCondition(condition, { a: 1 }).outcome, 'true', lang)
    }
    assert.equal(evaluateCondition({ lang: 'never' }, {}).outcome, 'false')
  })

  test('AAIF-5-09: a contradictory nl does not change the result', () => {
    for (const [lang, table] of Object.entries(TABLES)) {
      for (const [expr, outcome, options] of table.slice(0, 20)) {
        const nl = outcome === 'true' ? 'never, under no circumstances' : 'always'
        assert.equal(
          evaluateCondition({ lang, expr, nl }, payloadOf(options)).outcome,
          outcome,
          `${lang} ${JSON.stringify(expr)}`,
        )
      }
    }
    assert.equal(evaluateCondition({ lang: 'never', nl: 'always' }, {}).outcome, 'false')
  })

  test('no evaluation changes the payload', () => {
    const frozen = deepFreeze(structuredClone(shared))
    const before = JSON.stringify(frozen)
    for (const [lang, table] of Object.entries(TABLES)) {
      for (const [expr, outcome, options] of table) {
        if (options !== undefined && 'payload' in options) continue
        assert.equal(evaluateCondition({ lang, expr }, frozen).outcome, outcome)
      }
    }
    assert.equal(JSON.stringify(frozen), before)
  })

  test('changing a rule after compiling does not change its result', () => {
    const rule: { '==': unknown[] } = { '==': [{ var: 'a' }, 1] }
    const compiled = compileCondition({ lang: 'jsonlogic', expr: rule })
    rule['=='][1] = 2
    assert.equal(compiled.evaluate({ a: 1 }).outcome, 'true')
  })
})

function payloadOf(options: Case[2]): unknown {
  return options !== undefined && 'payload' in options ? options.payload : shared
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze)
  return value
}
