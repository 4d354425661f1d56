import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { keysIn } from '../../src/policy/destination/destination.ts'
import { findPii } from '../../src/policy/pii/find-pii.ts'
import { openValue, SEALED, sealValue } from '../../src/policy/pii/sealed-value.ts'

const KEY = Buffer.alloc(32, 7)
const OTHER_KEY = Buffer.alloc(32, 8)

/** Sealed under `KEY` by version 1: AES-256-GCM under the key itself. */
const OLD = [
  ['ada@a.example', 'pii:v1:rh3iwsaSyTAx3K2BemgzuEHXMRlTLFDd/IpyFGGvIqw6erPnwNdgHTuuh8ksxg3Tns9jgg=='],
  [
    'Zoë Ångström, +49 30 901820, 4111 1111 1111 1111',
    'pii:v1:9Tf3CXC1YTPbJ3GRLgq8JmF9NGiBWPv9UUwrnwGzcm9N7pAbV2aQcQNGPbfE/leGEEqsavr6ubVsRFAozX8XSk5OmDM9eU2uS3Z/YTvfdPwe3MHCYi9TrjRJatWpX1Ojy4X3vg==',
  ],
] as const

/** The same text with one bit of one byte of its Base64 part changed. */
function withBitChanged(sealed: string, byte: number, bit: number): string {
  const bytes = Buffer.from(sealed.slice('pii:v2:'.length), 'base64')
  bytes[byte] = (bytes[byte] ?? 0) ^ (1 << bit)
  return sealed.slice(0, 'pii:v2:'.length) + bytes.toString('base64')
}

describe('sealed values', () => {
  test('open with their key, with no other key, and not when changed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), (value) => {
        const sealed = sealValue(value, KEY)
        assert.deepEqual(`x${sealed}/y`.match(SEALED), [sealed])
        assert.equal(openValue(sealed, KEY), value)
        assert.equal(openValue(sealed, OTHER_KEY), null)
        assert.deepEqual(findPii(sealed), [])
      }),
      { numRuns: 200 },
    )
  })

  test('the same value gives the same text, another value or key another text', () => {
    const sealed = sealValue('ada@a.example', KEY)
    assert.match(sealed, /^pii:v2:/)
    assert.equal(sealValue('ada@a.example', KEY), sealed)
    assert.notEqual(sealValue('ada@b.example', KEY), sealed)
    assert.notEqual(sealValue('ada@a.example', OTHER_KEY), sealed)
  })

  test('the text stays the same from release to release, since memories hold it', () => {
    assert.equal(
      sealValue('ada@a.example', KEY),
      'pii:v2:im7boOOtlfqcO1D8BLgM5Etdv48NRvqQ71mj0F8IaWlZRMJMktBmOQ==',
    )
  })

  test('the length of the text reveals the length of the value only in steps of 24 bytes', () => {
    const lengths = (from: number, to: number) =>
      new Set(Array.from({ length: to - from + 1 }, (_, n) => sealValue('x'.repeat(from + n), KEY).length))
    assert.equal(lengths(0, 22).size, 1)
    assert.equal(lengths(23, 46).size, 1)
    assert.notDeepEqual(lengths(0, 22), lengths(23, 46))
  })

  for (const [version, sealed] of [
    ['2', sealValue('ada@a.example', KEY)],
    ['1', OLD[0][1]],
  ] as const) {
    test(`version ${version}: a change of any bit, or a part that is cut off, leaves nothing to open`, () => {
      const size = Buffer.from(sealed.slice('pii:v2:'.length), 'base64').length
      for (let byte = 0; byte < size; byte++) {
        for (const bit of [0, 7]) assert.equal(openValue(withBitChanged(sealed, byte, bit), KEY), null)
      }
      for (let kept = sealed.length - 3; kept >= 'pii:v2:'.length; kept--) {
        assert.equal(openValue(sealed.slice(0, kept), KEY), null, `${kept} characters kept`)
      }
    })
  }

  test('a value of version 1 still opens, under its key alone', () => {
    for (const [value, sealed] of OLD) {
      assert.equal(openValue(sealed, KEY), value)
      assert.equal(openValue(sealed, OTHER_KEY), null)
    }
  })

  test('a value of one version does not open as the other', () => {
    assert.equal(openValue(OLD[0][1].replace('v1', 'v2'), KEY), null)
    assert.equal(openValue(sealValue('ada@a.example', KEY).replace('v2', 'v1'), KEY), null)
  })

  test('a value of either version is found in a text, is not searched, and is a destination', () => {
    for (const sealed of [OLD[0][1], OLD[1][1], sealValue('ada@a.example', KEY), sealValue('', KEY)]) {
      assert.deepEqual(`<${sealed}>`.match(SEALED), [sealed])
      assert.deepEqual(findPii(`to ${sealed}.`), [])
      assert.deepEqual(keysIn(`to ${sealed}.`), [sealed.toLowerCase()])
    }
  })

  test('a text that only looks sealed is searched', () => {
    const word = Buffer.from('ada@example.com '.repeat(5)).toString('base64')
    for (const prefix of ['pii:v1:', 'pii:v2:', 'pii:v3:']) {
      assert.equal(findPii(`${prefix}${word}`).length > 0, true, prefix)
    }
  })
})
