import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { randomNumbers } from '../../scripts/random-numbers.ts'
import { mixedWords } from '../../src/document/mixed-scripts.ts'
import { comparableText, readingsOf, renderedReadingsOf, seenText } from '../../src/document/seen-text.ts'
import { escapeHidden, shownText, showStream } from '../../src/document/shown-text.ts'

/** Fragments that begin, continue or end what is hidden, and what is shaped by its neighbours. */
const PIECES = [
  ...['a', 'P', '0', 'm', ' ', '[', ']', '(', '\\', ';', '\n', '\r', '\t', '\b', '\x1b', '\x1b[', '\x1b[0m'],
  ...[
    '\x1b]',
    '\x07',
    '\x9b',
    '\x9c',
    '\x9d',
    '\x90',
    '\x85',
    '\v',
    '\u2028',
    '\u200b',
    '\u200c',
    '\u200d',
    '\ufe0f',
  ],
  ...[
    '\u3164',
    '\u1160',
    '\u1100',
    '\u0301',
    '\u0332',
    '❤',
    '🔥',
    '\ud83d',
    '\udd25',
    'ه',
    'ک',
    'ｚ',
    '\u00ad',
  ],
  ...['\u{e0041}', '\u2800', '&#8203;', '%41', '\u0600', 'ß', 'é'],
]

function randomTexts(count: number, seed: number): readonly string[] {
  const random = randomNumbers(seed)
  const piece = () => PIECES[Math.floor(random() * PIECES.length)] as string
  return Array.from({ length: count }, () =>
    Array.from({ length: 1 + Math.floor(random() * 14) }, piece).join(''),
  )
}

test('each character that is not visible ASCII is looked at', () => {
  const unseen = Array.from({ length: 0xa0 }, (_, code) => String.fromCharCode(code)).filter(
    (one) => !/[\n\t -~]/.test(one),
  )
  for (const one of unseen) assert.notEqual(seenText(`P${one}P`).text, `P${one}P`, JSON.stringify(one))
  for (const one of ['\n', '\t', ' ', '~', 'a']) assert.equal(seenText(`P${one}P`).text, `P${one}P`)
})

describe('what a terminal shows', () => {
  for (const [text, shown] of [
    ['Proj\x1b[0mect', 'Project'],
    ['Proj\x9b1;31mect', 'Project'],
    ['a\x1b]0;title\x07b\x1b]8;;https://x.example\x1b\\c\x1bPq\x1b\\d\x1b_x\x9ce', 'abcde'],
    ['a\x1b]0;open', 'a0;open'],
    ['a\x1b[3', 'a3'],
    ['a\x1b(Bb\x1bcd\x1b', 'abd'],
    ['Project\x1b[1CFalcon', 'Project Falcon'],
    ['a\r\nb\rc\x85d\u2028e\vf\fg', 'a\nb\nc\nd\ne\nf\ng'],
    ['a\u00ad\u200b\u2060\u034f\ufe00\u{e0041}\u115f\u17b4\u3164\uffa0b', 'ab'],
    ['P\bP', 'PP'],
    ['a\ud800b', 'a\ufffdb'],
  ] as const)
    test(`${escapeHidden(JSON.stringify(text))} is shown as ${JSON.stringify(shown)}`, () =>
      assert.equal(shownText(text), shown))

  for (const text of ['👨‍👩‍👧 ❤️‍🔥 ⚠️', 'می‌خواهم', 'क्‍ष', 'é e\u0301 日本 ＡＢ', 'line\n\ttab', '\u0600١'])
    test(`is ${JSON.stringify(text)} as it is written`, () => assert.equal(shownText(text), text))

  test('does not change when it is shown again, and a gate reads the same from both', () => {
    for (const text of randomTexts(4000, 1)) {
      const shown = shownText(text)
      assert.equal(shownText(shown), shown, escapeHidden(text))
      assert.doesNotMatch(shown, /(?![\n\t])\p{Cc}/u)
      assert.equal(comparableText(seenText(shown)).text, comparableText(seenText(text)).text)
      assert.ok(renderedReadingsOf(text).some((reading) => reading.text === seenText(shown).text))
    }
  })

  test('is the same for a text that arrives in pieces, wherever it is split', () => {
    const random = randomNumbers(2)
    for (const text of randomTexts(4000, 3)) {
      let shown = ''
      const stream = showStream((part) => {
        shown += part
      })
      for (let at = 0; at < text.length; ) {
        const length = 1 + Math.floor(random() * 4)
        stream.push(text.slice(at, at + length))
        at += length
      }
      stream.flush()
      assert.equal(shown, shownText(text), escapeHidden(text))
    }
  })

  test('text arrives as soon as what follows cannot change it', () => {
    const parts: string[] = []
    const stream = showStream((part) => parts.push(part))
    for (const piece of ['one ', 'two\x1b[', '0m', ' three']) stream.push(piece)
    assert.deepEqual(parts, ['one ', 'two', ' three'])
  })
})

describe('what a person reads', () => {
  for (const [text, readings] of [
    ['plain', ['plain']],
    ['Proj\x1b[0mect', ['Project', 'Proj[0mect']],
    ['Proj&#8203;ect', ['Proj&#8203;ect', 'Project']],
    ['Pro&shyject', ['Pro&shyject', 'Project']],
    ['%E2%80%8BA', ['%E2%80%8BA', 'A']],
    ['\\u0050\\\\u200bx', ['\\u0050\\\\u200bx', 'Px']],
    ['P\bPr\bro', ['PPrro', 'Pro']],
    ['xxxx\rProj', ['xxxx\nProj', 'Proj']],
    ['Projㅤect', ['Project', 'Proj ect']],
    ['𝐏𝓻ｏject', ['Project']],
    ['P\u0332r\u0336o', ['Pro']],
  ] as const)
    test(`in ${escapeHidden(JSON.stringify(text))} is ${JSON.stringify(readings)}`, () =>
      assert.deepEqual(
        readingsOf(text).map((reading) => reading.text),
        readings,
      ))

  for (const text of ['Pro\\ject', 'Pro<b x="y">je</b>ct', 'Pro<!-- > -->ject', '**Pro**ject', 'Pro`je`ct'])
    test(`in ${JSON.stringify(text)} is Project, if a viewer renders it`, () =>
      assert.ok(renderedReadingsOf(text).some((reading) => reading.text === 'Project')))

  test('offsets refer to the original text, in order, and cover each character', () => {
    for (const text of randomTexts(2000, 4)) {
      for (const { text: seen, start, end } of renderedReadingsOf(text)) {
        for (let at = 0; at < seen.length; at++) {
          assert.ok(start(at) < end(at) && end(at) <= text.length)
          assert.ok(at === 0 || start(at - 1) <= start(at))
        }
      }
    }
  })
})

describe('words of mixed scripts', () => {
  test('are found in names and addresses, with their scripts', () => {
    assert.deepEqual(mixedWords('to ada@оurs.example and pаypal, pаypal'), [
      { word: 'ada@оurs.example', scripts: ['Latin', 'Cyrillic'] },
      { word: 'pаypal', scripts: ['Latin', 'Cyrillic'] },
    ])
    assert.deepEqual(mixedWords('аррӏе.com')[0]?.scripts, ['Cyrillic', 'Latin'])
  })

  test('are not words of one script, and not those of Japanese', () => {
    assert.deepEqual(mixedWords('Привет мир, Ελλάδα, naïve café, Tシャツ, 東京タワー, 3D'), [])
  })
})
