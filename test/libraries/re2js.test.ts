import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { RE2JS } from 're2js'

/** What users' patterns, conditions and operators' patterns of personal data rely on. */
describe('re2js', () => {
  test('a matcher finds all places, with their offsets in UTF-16 units', () => {
    const matcher = RE2JS.compile('b+').matcher('a\u{10151}bb b')
    const found: (readonly [number, number])[] = []
    while (matcher.find()) found.push([matcher.start(), matcher.end()])
    assert.deepEqual(found, [
      [3, 5],
      [6, 7],
    ])
  })

  for (const pattern of ['(?=a)', '(?<!a)b', '(a)\\1', 'a{1001}', '[a', '(', '*']) {
    test(`${pattern} is refused, with a message that says so first`, () => {
      assert.throws(() => RE2JS.compile(pattern), { message: /^error parsing regexp: / })
    })
  }

  test('JavaScript spellings are translated: named groups and escapes of code units', () => {
    const compiled = RE2JS.compile(RE2JS.translateRegExp('^(?<year>\\d{4})\\/\\u0041$'))
    assert.equal(compiled.matcher('2026/A').find(), true)
    assert.equal(compiled.matcher('2026/B').find(), false)
  })

  test('translating keeps what cannot be done an error', () => {
    for (const pattern of ['(?=a)', '(a)\\1']) {
      assert.throws(() => RE2JS.compile(RE2JS.translateRegExp(pattern)), pattern)
    }
  })

  test('a quirk that the caller closes: a named back-reference is translated to a text', () => {
    assert.equal(RE2JS.translateRegExp('(?<x>a)\\k<x>'), '(?P<x>a)k<x>')
  })

  test('a pattern that makes a backtracking engine run for years is answered', () => {
    assert.equal(
      RE2JS.compile('^(a+)+$')
        .matcher(`${'a'.repeat(2000)}b`)
        .find(),
      false,
    )
  })

  test('`$` is the end of the text alone, as in JavaScript without flags', () => {
    assert.equal(RE2JS.compile('a$').matcher('a\n').find(), false)
  })
})
