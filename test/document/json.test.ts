import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { asJson, isObject, valueAt } from '../../src/document/json.ts'

describe('JSON data', () => {
  test('valueAt follows a JSON Pointer only through own members and items', () => {
    const root = { 'a/b': { '~': [null, { c: 1 }] }, '': false }
    assert.equal(valueAt(root, ''), root)
    assert.equal(valueAt(root, '/a~1b/~0/1/c'), 1)
    assert.equal(valueAt(root, '/a~1b/~0/0'), null)
    assert.equal(valueAt(root, '/'), false)
    for (const pointer of ['a', '/toString', '/a~1b/~0/2', '/a~1b/~0/0/x', '//x'])
      assert.equal(valueAt(root, pointer), undefined, pointer)
  })

  test('isObject is true for objects only', () => {
    assert.deepEqual([{}, { a: 1 }, [], null, 'a', 1, true, undefined].map(isObject), [
      ...[true, true],
      ...Array(6).fill(false),
    ])
  })

  test('asJson returns the same value, and the compiler refuses types with other data', () => {
    interface Part {
      readonly name: string
      readonly items?: readonly Part[]
    }
    const part: Part = { name: 'a', items: [{ name: 'b' }] }
    assert.equal(asJson(part), part)
    const refused = [
      // @ts-expect-error a member may be undefined
      () => asJson({ name: undefined as string | undefined }),
      // @ts-expect-error functions are not JSON data
      () => asJson({ act: () => 1 }),
      // @ts-expect-error instances of classes are not JSON data
      () => asJson({ at: new Date(0) }),
      // @ts-expect-error the type of the member is unknown
      () => asJson({ any: 1 as unknown }),
      // @ts-expect-error JSON has no bigint
      () => asJson([1n]),
    ]
    assert.equal(refused.length, 5)
  })
})
