import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import canonicalize from 'canonicalize'

/** What `src/document/canonical.ts` relies on beside the vectors of RFC 8785, which `test/trust` has. */
describe('canonicalize', () => {
  test('what has no canonical form is undefined, or throws with a message', () => {
    for (const value of [undefined, () => 1, Symbol('x')]) assert.equal(canonicalize(value), undefined)
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, 1n, '\ud800', { a: ['\udc00'] }]) {
      assert.throws(() => canonicalize(value), { message: /./ })
    }
  })

  test('a value that contains itself throws', () => {
    const value: { self?: unknown } = {}
    value.self = value
    assert.throws(() => canonicalize(value))
  })

  test('names are sorted by UTF-16 units, `__proto__` among them', () => {
    const value = JSON.parse('{"\u{1f600}":1,"\\ufb33":2,"__proto__":3,"a":{"c":1,"b":2}}')
    assert.equal(canonicalize(value), '{"__proto__":3,"a":{"b":2,"c":1},"\u{1f600}":1,"\ufb33":2}')
  })

  test('members without a value are left out', () => {
    assert.equal(canonicalize({ a: undefined, b: 1 }), '{"b":1}')
  })
})
