import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { defaultMethods, LogicEngine } from 'json-logic-engine'
import { OPERATORS } from '../../src/condition/languages/jsonlogic-operators.ts'

interface Engine {
  run(logic: unknown, data?: unknown, options?: object): unknown
  truthy(value: unknown): unknown
}

const Base = LogicEngine as unknown as new (methods: object, options: object) => Engine
const OPTIONS = { disableInline: true, disableInterpretedOptimization: true }
const engineOf = (methods: object = defaultMethods) => new Base(methods, OPTIONS)

function thrownBy(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  return assert.fail('it threw nothing')
}

/** What `src/condition/languages/jsonlogic.ts` relies on, which extends the engine. */
describe('json-logic-engine', () => {
  test('the operators of jsonlogic.com are among its methods', () => {
    const own = ['var', 'missing', 'missing_some', 'in', 'cat', 'substr', 'merge']
    for (const name of OPERATORS.filter((name) => !own.includes(name))) {
      assert.ok(Object.hasOwn(defaultMethods, name), name)
    }
  })

  test('every operation passes by the `run` of the instance, inside loops as well', () => {
    const seen: string[] = []
    class Watched extends Base {
      override run(logic: unknown, data?: unknown, options?: object): unknown {
        if (logic !== null && typeof logic === 'object') seen.push(...Object.keys(logic))
        return super.run(logic, data, options)
      }
    }
    const rule = { if: [{ '>': [{ var: 'a' }, 1] }, { map: [{ var: 'l' }, { '*': [{ var: '' }, 2] }] }, 0] }
    for (let times = 1; times <= 3; times++) {
      seen.length = 0
      assert.deepEqual(new Watched(defaultMethods, OPTIONS).run(rule, { a: 2, l: [1, 2] }), [2, 4])
      assert.equal(seen.filter((name) => name === '*').length, 2)
      for (const name of ['if', '>', 'map']) assert.ok(seen.includes(name), name)
    }
  })

  test('the same engine asks again at every run: nothing is compiled behind it', () => {
    let count = 0
    class Watched extends Base {
      override run(logic: unknown, data?: unknown, options?: object): unknown {
        count += 1
        return super.run(logic, data, options)
      }
    }
    const engine = new Watched(defaultMethods, OPTIONS)
    const rule = { and: [{ var: 'a' }, { '<': [1, 2] }] }
    engine.run(rule, { a: 1 })
    const first = count
    for (let times = 2; times <= 20; times++) engine.run(rule, { a: 1 })
    assert.equal(count, first * 20)
  })

  test('conditions ask the `truthy` of the instance', () => {
    class Strange extends Base {
      override truthy(value: unknown): boolean {
        return value === 'yes'
      }
    }
    const engine = new Strange(defaultMethods, OPTIONS)
    assert.equal(engine.run({ if: [{ var: 'a' }, 1, 2] }, { a: 'yes' }), 1)
    assert.equal(engine.run({ if: [{ var: 'a' }, 1, 2] }, { a: true }), 2)
    assert.equal(engine.run({ '!': [{ var: 'a' }] }, { a: true }), true)
  })

  test('a method that is not lazy gets evaluated operands, and the data', () => {
    const methods = Object.assign(Object.create(null), {
      '+': defaultMethods['+' as keyof typeof defaultMethods],
      own: {
        method: (operands: unknown, context: unknown) => [operands, context],
        lazy: false,
        deterministic: true,
      },
    })
    assert.deepEqual(engineOf(methods).run({ own: [{ '+': [1, 2] }] }, { a: 1 }), [[3], { a: 1 }])
  })

  test('methods that were not given do not exist', () => {
    const error = thrownBy(() => engineOf(Object.create(null)).run({ var: 'a' }, {}))
    assert.deepEqual(error, { type: 'Unknown Operator', key: 'var' })
  })

  test('it throws numbers for what does not compute, and plain objects for the rest', () => {
    assert.ok(Number.isNaN(thrownBy(() => engineOf().run({ '+': ['a', 1] }, {}))))
    assert.ok(Number.isNaN(thrownBy(() => engineOf().run({ '/': [1, 0] }, {}))))
    const unknown = thrownBy(() => engineOf().run({ nope: 1 }, {})) as { type?: unknown }
    assert.equal(typeof unknown.type, 'string')
    assert.ok(!(unknown instanceof Error))
  })
})
