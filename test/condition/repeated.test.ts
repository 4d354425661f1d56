import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileCondition } from '../../src/condition/index.ts'
import { cel } from './cases/cel.ts'
import { jmespath } from './cases/jmespath.ts'
import { jsonlogic } from './cases/jsonlogic.ts'
import { jsonpath } from './cases/jsonpath.ts'
import { payload as shared } from './cases/payload.ts'

test('AAIF-5-13: the same condition and payload agree 1000 times, compiled once or each time', () => {
  for (const [lang, table] of Object.entries({ jsonpath, jmespath, cel, jsonlogic })) {
    for (const [index, [expr, outcome, options]] of table.entries()) {
      const payload = options !== undefined && 'payload' in options ? options.payload : shared
      const compiled = compileCondition({ lang, expr })
      const first = compiled.evaluate(payload)
      assert.equal(first.outcome, outcome)
      // Every tenth case a thousand times, the others often enough to catch what a first call leaves behind.
      const repeats = index % 10 === 0 ? 1000 : 10
      for (let repeat = 1; repeat < repeats; repeat += 1) {
        const again = repeat % 100 === 1 ? compileCondition({ lang, expr }) : compiled
        assert.deepEqual(again.evaluate(structuredClone(payload)), first)
      }
    }
  }
})
