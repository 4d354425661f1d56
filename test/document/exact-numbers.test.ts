import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { canonicalBytes } from '../../src/document/canonical.ts'
import {
  digitsOf,
  exactNumber,
  exactText,
  firstDigits,
  markDigits,
  parseExact,
  rawNumbers,
} from '../../src/document/exact-numbers.ts'
import type { Json } from '../../src/document/json.ts'
import { readDocument } from '../../src/document/read-document.ts'
import { readLines } from '../../src/document/read-lines.ts'
import { compileUserSchema } from '../../src/schema/user-schema.ts'

/** Numbers that a double replaces by another, or that readers may round. */
const CHANGED = [
  '9007199254740992',
  '9007199254740993',
  '-9007199254740993',
  '12345678901234567890',
  '0.1234567890123456789',
  '3.141592653589793238',
  '1e23',
  '123456789012345e9',
  '1e400',
  '-1e400',
  '1E+400',
  '1e-400',
  '1e99999999999999999999999999',
]
const KEPT = ['0', '-1', '9007199254740991', '0.1', '1.10', '1e5', '0.30000000000000004', '5e-324', '0e999']

describe('numbers that a double cannot hold', () => {
  for (const digits of CHANGED) {
    test(`${digits} is read as marked digits and written unchanged`, () => {
      const text = `{"a":[${digits}],"b":{"c":${digits}}}`
      const value = parseExact(text)
      assert.deepEqual(value, { a: [{ $number: digits }], b: { c: { $number: digits } } })
      assert.equal(exactText(value), text)
      assert.equal(JSON.stringify(rawNumbers(value)), text)
      assert.equal(firstDigits(value), digits)
      // Marked digits are ordinary JSON data: stored, copied and signed like any other.
      assert.deepEqual(parseExact(JSON.stringify(structuredClone(value))), value)
      assert.ok(canonicalBytes(value).includes(digits))
    })
  }

  test('other numbers stay numbers', () => {
    for (const digits of KEPT) {
      assert.equal(parseExact(digits), Number(digits), digits)
      assert.equal(markDigits(`[${digits}]`), `[${digits}]`)
    }
  })

  test('digits in texts and names are not numbers', () => {
    const text =
      '{"9007199254740993":"9007199254740993","a\\\\\\"1e400":"\\"9007199254740993","b":9007199254740993}'
    assert.equal(markDigits(text), text.replace(/9007199254740993\}$/, '{"$number":"9007199254740993"}}'))
    assert.equal(exactText(parseExact(text)), text)
  })

  test('text that is not JSON stays an error', () => {
    for (const text of [
      '09007199254740993',
      '[9007199254740993.]',
      '{"a":9007199254740993',
      '"9007199254740993',
      '+1e400',
      '-',
    ])
      assert.throws(() => parseExact(text), SyntaxError, text)
  })

  test('only digits that need a mark are marked digits', () => {
    const others: Json[] = [
      { $number: '5' },
      { $number: 5 },
      { $number: 'x' },
      { $number: '09007199254740993' },
      { $number: '9007199254740993', more: 1 },
      ['9007199254740993'],
      null,
    ]
    for (const value of others) {
      assert.equal(digitsOf(value), undefined)
      assert.equal(exactText({ value }), JSON.stringify({ value }))
    }
  })

  test('values of programs: integers beyond 2^53 are marked, others are numbers', () => {
    assert.deepEqual(exactNumber(9007199254740993n), { $number: '9007199254740993' })
    assert.deepEqual(exactNumber(2 ** 53), { $number: '9007199254740992' })
    assert.equal(exactNumber(7n), 7)
    assert.equal(exactNumber(0.1), 0.1)
  })

  test('a schema checks the nearest double', () => {
    const check = compileUserSchema({
      type: 'object',
      properties: { id: { type: 'integer', minimum: 1 }, share: { type: 'number', maximum: 1 } },
      additionalProperties: false,
    })
    const fits = (text: string) => check(parseExact(text)) === null
    assert.ok(fits('{"id":9007199254740993,"share":0.1234567890123456789}'))
    assert.ok(fits('{"id":1e400}'))
    assert.ok(!fits('{"id":-9007199254740993}'))
    assert.ok(!fits('{"id":0.1234567890123456789}'))
    assert.ok(!fits('{"share":1.1234567890123456789}'))
    assert.notEqual(compileUserSchema({ type: 'object' })(parseExact('9007199254740993')), null)
  })

  test('time grows with the length of a text only', () => {
    const hostile = [
      `["${'\\\\'.repeat(200_000)}",1e400]`,
      `[${'9'.repeat(200_000)}]`,
      `[1${'0'.repeat(200_000)}1]`,
      `[1e${'9'.repeat(200_000)}]`,
      `[${'1e400,'.repeat(20_000)}0]`,
    ]
    const begun = process.cpuUsage()
    for (const text of hostile) assert.equal(exactText(parseExact(text)), text)
    const { user } = process.cpuUsage(begun)
    assert.ok(user < 3_000_000, `${user} µs`)
  })
})

describe('documents that are read with exact numbers', () => {
  test('JSON and lines of JSON hold marked digits, with their places', () => {
    const { document } = readDocument('{"a":\n 9007199254740993}', { exactNumbers: true })
    assert.deepEqual(document?.value, { a: { $number: '9007199254740993' } })
    assert.deepEqual(document?.warnings, [])
    assert.equal(document?.locate('/a').line, 2)
    assert.deepEqual(readLines('{"a":9007199254740993}\n1\n', { exactNumbers: true }).document?.value, [
      { a: { $number: '9007199254740993' } },
      1,
    ])
  })

  test('YAML with such a number is refused', () => {
    for (const digits of ['9007199254740993', '0.1234567890123456789']) {
      const { issues } = readDocument(`b: 0\na: ${digits}\n`, { encoding: 'yaml', exactNumbers: true })
      assert.deepEqual([issues?.[0]?.code, issues?.[0]?.pointer, issues?.[0]?.line], ['DIGITS_LOST', '/a', 2])
    }
  })
})
