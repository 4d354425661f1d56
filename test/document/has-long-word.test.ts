import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { hasLongWord } from '../../src/document/has-long-word.ts'

const word = (length: number) => 'aZ0+/_-9'.repeat(4).slice(0, length)

test('a word is long from 16 characters of Base64 on, at each place of a text', () => {
  for (const before of ['', 'x ', `${word(15)} `, `${word(15)}=`, 'é'])
    for (const after of ['', ' x', `.${word(15)}`]) {
      assert.equal(hasLongWord(before + word(15) + after), false, before + after)
      assert.equal(hasLongWord(before + word(16) + after), true, before + after)
      assert.equal(hasLongWord(before + word(17) + after), true, before + after)
    }
  for (const other of ['=', '.', ' ', '\n', 'ä', '@', '[', '`', '{', ':', '\u0080', '\u{1f600}'])
    assert.equal(hasLongWord(`${word(8)}${other}${word(8)}`), false, other)
})

test('the answer is that of the regular expression', () => {
  const part = fc.oneof(fc.stringMatching(/^[A-Za-z0-9+/_-]{0,20}$/), fc.string({ maxLength: 3 }))
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
      const text = parts.join('')
      assert.equal(hasLongWord(text), /[A-Za-z0-9+/_-]{16}/.test(text))
    }),
  )
})
