import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { defined } from '../../src/document/defined.ts'

describe('optional members', () => {
  test('an undefined member is left out, in any place', () => {
    assert.deepEqual(Object.keys(defined({ a: undefined, b: 1, c: undefined })), ['b'])
    assert.deepEqual(Object.keys(defined({ a: undefined })), [])
  })

  for (const value of [null, false, 0, -0, '', Number.NaN, [], {}]) {
    test(`the value ${JSON.stringify(value)} (${typeof value}) is kept as it is`, () => {
      const kept = defined({ value })
      assert.ok(Object.hasOwn(kept, 'value'))
      assert.ok(Object.is(kept.value, value))
    })
  }

  test('members keep their order', () => {
    assert.deepEqual(Object.keys(defined({ c: 1, a: undefined, b: 2, 'x-1': 3 })), ['c', 'b', 'x-1'])
  })
})
