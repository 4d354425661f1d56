import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { RE2JS } from 're2js'
import { plainPattern } from '../../src/schema/plain-pattern.ts'

const LITERALS = [
  ...'abzAZ059_ :/@,#%&=~!;<>"\'-',
  '\\.',
  '\\-',
  '\\/',
  '\\+',
  '\\\\',
  '\\$',
  '\\(',
  '\\d',
  '\\w',
]
const MEMBERS = ['a-z', 'A-Z', '0-9', 'b-x', 'a', 'Z', '_', ' ', '.', '+', '\\-', '\\.', '\\d', '\\w']
const QUANTIFIERS = ['?', '*', '+', '{2}', '{0,3}', '{1,}', '{20}', '{2,2}']

const unit = fc.oneof(
  fc.constantFrom(...LITERALS),
  fc
    .array(fc.constantFrom(...MEMBERS), { minLength: 1, maxLength: 4 })
    .map((members) => `[${members.join('')}]`),
)
const patterns = fc
  .tuple(
    fc.array(unit, { maxLength: 5 }),
    fc.constantFrom('', ...QUANTIFIERS),
    fc.array(unit, { maxLength: 4 }),
    fc.boolean(),
  )
  .map(
    ([before, quantifier, after, ends]) =>
      `^${before.join('')}${before.length > 0 ? quantifier : ''}${after.join('')}${ends ? '$' : ''}`,
  )
const texts = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'abzAZ059_ .+-/\\$(\n\r\u2028é', '😀', '\ud800'), maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 8 }),
)

test('a plain pattern matches what the linear engine matches', () => {
  let matches = 0
  fc.assert(
    fc.property(patterns, fc.array(texts, { minLength: 5, maxLength: 20 }), (source, samples) => {
      const plain = plainPattern(source)
      assert.ok(plain !== null, source)
      const linear = RE2JS.compile(RE2JS.translateRegExp(source))
      for (const text of samples) {
        const expected = linear.matcher(text).find()
        assert.equal(plain.test(text), expected, `${source} on ${JSON.stringify(text)}`)
        if (expected) matches += 1
      }
    }),
    { numRuns: 2_000 },
  )
  assert.ok(matches > 500, `only ${matches} matches`)
})

test('patterns that need more than one varying repetition, or differ between engines, are not plain', () => {
  const others = [
    ...[
      'a+',
      'a$',
      '^a*a*$',
      '^(a)$',
      '^a|b',
      '^(a+)+$',
      '^.$',
      '^[^a]$',
      '^\\s$',
      '^\\bx',
      '^a+?',
      '^a{2,3}b?',
    ],
    ...[
      '^a{1001}$',
      '^a{600}b{600}$',
      '^[z-a]$',
      '^a{3,2}$',
      '^é$',
      '^\\p{L}',
      '^\\1',
      '^[]$',
      '^[a',
      '^a{',
      '^**',
      '',
    ],
    ...['^[\\s]$', '^a$b', '^\\u0041', '^[é]$', '^[a-]$', '^(?=a)'],
  ]
  for (const source of others) assert.equal(plainPattern(source), null, source)
})

test('a text that does not match takes time linear in its length', () => {
  const plain = plainPattern('^[a-z]*b[a-z]$')
  assert.equal(plain?.test(`${'ab'.repeat(500_000)}!`), false)
})
