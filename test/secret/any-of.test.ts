import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { anyOf } from '../../src/secret/any-of.ts'

/** Rare and frequent characters, and those that mean something in patterns. */
const some = (most: number) =>
  fc.string({ unit: fc.constantFrom(...'ZeZa0-]^\\[.$ü', '\n', '\ud83d'), minLength: 1, maxLength: most })

describe('any of several texts', () => {
  test('is found as each of them is looked for', () => {
    let found = 0
    fc.assert(
      fc.property(fc.array(some(5), { minLength: 1, maxLength: 6 }), some(24), (wanted, text) => {
        const { isIn } = anyOf(wanted)
        const expected = wanted.some((one) => text.includes(one))
        assert.equal(isIn(text), expected, JSON.stringify([wanted, text]))
        if (expected) found++
      }),
      { numRuns: 3_000 },
    )
    assert.ok(found > 300, `${found}`)
  })

  test('a text is found at the beginning, in the middle and at the end of another', () => {
    for (const one of ['Zebra', 'raZor', 'fooZ', 'Z', 'a-b', 'b-'])
      for (const text of [one, `x${one}`, `${one}x`, `x${one}x`])
        assert.ok(anyOf([one, 'never']).isIn(text), `${one} in ${text}`)
  })

  test('at each place the longest is matched', () => {
    const { all } = anyOf(['ab', 'abc', 'bcd'])
    assert.deepEqual('abcd abd'.match(all), ['abc', 'ab'])
  })
})
