import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { joined, Seam } from '../../src/run/drive/seam.ts'
import { withoutReplacedEnd } from '../../src/run/drive/without-replaced-end.ts'

const TEXT = 'The parcel 4711 left Bern on Monday and reached Basel'

describe('an interrupted answer and its continuation', () => {
  const cases: readonly (readonly [rule: string, before: string, continuation: string, whole: string])[] = [
    ['a continuation is appended', TEXT, ' on Tuesday.', `${TEXT} on Tuesday.`],
    ['nothing is added', TEXT, '', TEXT],
    [
      'a repetition of 20 characters is removed',
      TEXT,
      `${TEXT.slice(-20)} on Tuesday.`,
      `${TEXT} on Tuesday.`,
    ],
    [
      'a repetition of 19 characters is kept',
      TEXT,
      `${TEXT.slice(-19)} on Tuesday.`,
      `${TEXT}${TEXT.slice(-19)} on Tuesday.`,
    ],
    ['a repetition of the whole answer is removed', TEXT, `${TEXT} on Tuesday.`, `${TEXT} on Tuesday.`],
    ['a continuation that is only a repetition adds nothing', TEXT, TEXT.slice(-25), TEXT],
    [
      'a repetition that ends early is kept',
      TEXT,
      'The parcel 4711 left Bern on Sunday',
      `${TEXT}The parcel 4711 left Bern on Sunday`,
    ],
    ['a beginning of the end alone is kept', TEXT, TEXT.slice(-25, -1), `${TEXT}${TEXT.slice(-25, -1)}`],
    [
      'a repetition whose length is ambiguous is kept',
      '-'.repeat(30),
      `${'-'.repeat(25)}|`,
      `${'-'.repeat(55)}|`,
    ],
    [
      'too many possible places are ambiguous',
      `${'-'.repeat(3000)}the end of this answer`,
      `${'-'.repeat(40)}`,
      `${'-'.repeat(3000)}the end of this answer${'-'.repeat(40)}`,
    ],
    [
      'the end of a short answer is not looked for',
      'Yes, it is',
      'Yes, it is so.',
      'Yes, it isYes, it is so.',
    ],
    [
      'a text that occurs in the middle too is removed from the end only',
      `${TEXT}. ${TEXT}`,
      `${TEXT} at last.`,
      `${TEXT}. ${TEXT} at last.`,
    ],
  ]
  for (const [rule, before, continuation, whole] of cases) {
    test(rule, () => assert.equal(joined(before, continuation), whole))
    test(`${rule}, in pieces of any size`, () => {
      for (const size of [1, 3, 19, 20, 21, 100]) {
        const seam = new Seam(before)
        let text = before
        for (let at = 0; at < continuation.length; at += size)
          text += seam.push(continuation.slice(at, at + size))
        assert.equal(text + seam.end(), whole, String(size))
      }
    })
  }

  test('text is passed on as soon as it cannot be a repetition', () => {
    const seam = new Seam(TEXT)
    assert.deepEqual(
      [seam.push('The par'), seam.push('ty'), seam.push('The parcel')],
      ['', 'The party', 'The parcel'],
    )
    assert.equal(seam.end(), '')
  })
})

describe('the end of an interrupted answer that was cleaned', () => {
  const cases: readonly (readonly [rule: string, given: string, clean: string, kept: string])[] = [
    ['without a change, it is kept', 'My key is sk-1', 'My key is sk-1', 'My key is sk-1'],
    ['a mark at the end is removed', 'Write to ada@x.example', 'Write to [email 1]', 'Write to '],
    [
      'a mark before the last word is kept',
      'Ask ada@x.example now',
      'Ask [email 1] now',
      'Ask [email 1] now',
    ],
    ['a mark in the last word is removed', 'Ask ada@x.example,now', 'Ask [email 1],now', 'Ask '],
    ['a mark that is the whole text is removed', 'ada@x.example', '[email 1]', ''],
    ['a space at the end completes it', 'Ask ada@x.example ', 'Ask [email 1] ', 'Ask [email 1] '],
  ]
  for (const [rule, given, clean, kept] of cases)
    test(rule, () => assert.equal(withoutReplacedEnd(given, clean), kept))
})
