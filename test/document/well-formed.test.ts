import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { exactText } from '../../src/document/exact-numbers.ts'
import { wellFormed } from '../../src/document/well-formed.ts'

describe('text that leaves is well-formed Unicode', () => {
  const odd = {
    note: 'cut \ud83d',
    list: ['\udc00', { '\udc00k': '😀', n: 1, none: undefined }],
    nothing: null,
  }

  test('halves of surrogate pairs in texts and names become U+FFFD, whole pairs stay', () => {
    assert.deepEqual(wellFormed(odd), {
      note: 'cut \ufffd',
      list: ['\ufffd', { '\ufffdk': '😀', n: 1, none: undefined }],
      nothing: null,
    })
    assert.equal(wellFormed('a\ud83d'), 'a\ufffd')
  })

  test('data without halves is the same object', () => {
    const whole = { text: '😀 \\ud83d', list: [1, null] }
    assert.equal(wellFormed(whole), whole)
    assert.equal(exactText(whole), JSON.stringify(whole))
  })

  test('JSON for readers outside has no escaped half, and keeps a text that shows one', () => {
    const text = exactText({ ...odd, shown: '\\ud83d', id: { $number: '9007199254740993' } })
    assert.ok(text.includes('"note":"cut \ufffd"') && text.includes('"\ufffdk":"😀"'), text)
    assert.ok(text.includes('"shown":"\\\\ud83d"') && text.includes('"id":9007199254740993'), text)
  })

  test('deep data is read', () => {
    let deep: unknown = 'x'
    for (let level = 0; level < 50_000; level++) deep = [deep]
    assert.equal(wellFormed(deep), deep)
  })
})
