import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { encode } from '@msgpack/msgpack'
import type { Json } from '../../src/document/json.ts'

const written = (value: unknown) => Buffer.from(encode(value)).toString('hex')

/** What `src/document/msgpack.ts` relies on, which only writes with the library. */
describe('@msgpack/msgpack', () => {
  test('members keep their order, and `__proto__` is one of them', () => {
    assert.equal(written({ b: 1, a: 2 }), '82a16201a16102')
    assert.equal(written(JSON.parse('{"__proto__":1}')), '81a95f5f70726f746f5f5f01')
  })

  test('integers are in their shortest form, other numbers doubles', () => {
    for (const [value, bytes] of [
      [127, '7f'],
      [128, 'cc80'],
      [-32, 'e0'],
      [-33, 'd0df'],
      [300, 'cd012c'],
      [2 ** 32, 'cf0000000100000000'],
      [Number.MAX_SAFE_INTEGER, 'cf001fffffffffffff'],
      [1.5, 'cb3ff8000000000000'],
      [1e300, 'cb7e37e43c8800759c'],
      [2 ** 53, 'cb4340000000000000'],
    ] as const) {
      assert.equal(written(value), bytes, String(value))
    }
  })

  test('the depth is bounded by `maxDepth`, which counts the value inside as well', () => {
    let value: Json = 1
    for (let depth = 1; depth <= 200; depth++) value = [value]
    assert.throws(() => encode(value, { maxDepth: 200 }))
    assert.equal(encode(value, { maxDepth: 201 }).length, 201)
  })
})
