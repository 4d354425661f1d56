import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { canonicalBytes, canonicalize } from '../../src/document/canonical.ts'
import type { Json } from '../../src/document/json.ts'
import { readDocument } from '../../src/document/read-document.ts'
import { assertSafeToSign } from '../../src/trust/safe-to-sign.ts'

const numberOf = (bits: string) => Buffer.from(bits, 'hex').readDoubleBE()

describe('RFC 8785', () => {
  const numbers: readonly [bits: string, text: string][] = [
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['8000000000000001', '-5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['ffefffffffffffff', '-1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['c340000000000000', '-9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['44b52d02c7e14af7', '1.0000000000000001e+23'],
    ['444b1ae4d6e2ef4e', '999999999999999700000'],
    ['444b1ae4d6e2ef4f', '999999999999999900000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555553', '333333333.3333332'],
    ['41b3de4355555554', '333333333.33333325'],
    ['41b3de4355555555', '333333333.3333333'],
    ['41b3de4355555556', '333333333.3333334'],
    ['41b3de4355555557', '333333333.33333343'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
    ['43143ff3c1cb0959', '1424953923781206.2'],
  ]
  for (const [bits, text] of numbers) {
    test(`appendix B: the double ${bits} is ${text}`, () => assert.equal(canonicalize(numberOf(bits)), text))
  }
  test('appendix B: NaN and infinity have no form', () => {
    for (const bits of ['7fffffffffffffff', '7ff0000000000000', 'fff0000000000000']) {
      assert.throws(() => canonicalize(numberOf(bits)), { code: 'NOT_JSON' })
    }
  })

  test('section 3.2.2: literals, escapes and numbers', () => {
    const source =
      '{"numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],' +
      '"string": "\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals": [null, true, false]}'
    assert.equal(
      canonicalize(JSON.parse(source) as Json),
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    )
  })

  test('section 3.2.3: names are ordered by UTF-16 units', () => {
    const value = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\u{1f600}': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    }
    assert.deepEqual(Object.values(JSON.parse(canonicalize(value))), [
      'One', // an integer-like name comes first in objects, independent of its position in the text
      'Carriage Return',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ])
    assert.match(canonicalize(value), /^\{"\\r":"Carriage Return","1":"One","\u0080"/)
  })
})

describe('data that is not signed, because readers interpret it differently', () => {
  const deep = (levels: number): Json => (levels === 0 ? 0 : [deep(levels - 1)])
  const data: readonly [what: string, value: unknown, code: string, at: string][] = [
    ['half a surrogate pair', { a: ['\ud83d'] }, 'NOT_JSON', '/a/0'],
    ['half a pair in a name', { '\udc00': 1 }, 'NOT_JSON', '/\ufffd'],
    ['an integer beyond 2^53', { n: 2 ** 53 }, 'NOT_JSON', '/n'],
    ['a negative one', [-(2 ** 53)], 'NOT_JSON', '/0'],
    ['undefined', { a: undefined }, 'NOT_JSON', '/a'],
    ['a date', { a: new Date(0) }, 'NOT_JSON', '/a'],
    ['more than 64 levels', deep(65), 'DOCUMENT_TOO_DEEP', '/0'.repeat(64)],
  ]
  for (const [what, value, code, at] of data) {
    test(what, () =>
      assert.throws(
        () => canonicalBytes(value as Json),
        (error: { code: string; details: { at: string } }) => error.code === code && error.details.at === at,
      ),
    )
  }
  test('the largest exact integers are signed', () => {
    assert.equal(canonicalBytes([Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]).length, 36)
    assert.ok(canonicalBytes(deep(64)))
  })

  const texts: readonly [text: string, safe: boolean][] = [
    ['{"a": {"n": 0.1}}', true],
    ['{"a": {"n": 1.10}}', true],
    ['{"a": {"n": 100e-2}}', true],
    ['{"a": {"n": -0.0}}', true],
    ['{"a": {"n": 1E400000000000000000000}}', false],
    ['{"a": {"n": 5e-324}}', true],
    ['{"a": {"n": 0.30000000000000004}}', true],
    ['{"a": {"n": 0.3000000000000000444}}', false],
    ['{"a": {"n": 1.0000000000000000001}}', false],
    ['{"a": {"n": 1e-400}}', false],
    ['{"a": {"n": 9007199254740993}}', false],
    ['{"a": {"n": 12345678901234567890}}', false],
    ['a:\n  n: 1.5e3\n', true],
    ['a:\n  n: 0x10\n', true],
    ['a:\n  n: 0.12345678901234567890123\n', false],
  ]
  for (const [text, safe] of texts) {
    test(`${text.trim()} is ${safe ? 'safe' : 'not safe'} to sign`, () => {
      const { document } = readDocument(text)
      if (document === undefined) return assert.ok(!safe, 'it cannot even be read')
      if (safe) return assert.doesNotThrow(() => assertSafeToSign(document))
      assert.throws(
        () => assertSafeToSign(document),
        (error: { code: string; details: { at: string } }) =>
          error.code === 'UNSAFE_TO_SIGN' && error.details.at === '/a/n',
      )
    })
  }
})
