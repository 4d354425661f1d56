import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomNumbers } from '../../scripts/random-numbers.ts'
import { readDocument } from '../../src/document/read-document.ts'
import { repetitions } from '../repetitions.ts'

/** Fragments that are significant for one of the two parsers. */
const PIECES = [
  ...[
    '{',
    '}',
    '[',
    ']',
    ':',
    ',',
    '"a"',
    '"b"',
    'a',
    '- ',
    '? ',
    '&x ',
    '*x',
    '\n',
    '  ',
    '\n  ',
    '\n    ',
    '|',
    '>',
  ],
  ...[
    "'",
    '"',
    '#',
    '---\n',
    '...\n',
    '%YAML 1.3\n',
    '1',
    '1e999',
    '.nan',
    'null',
    '~',
    'true',
    '<<',
    '\t',
    '\\',
  ],
  ...[
    '!!str ',
    '!t ',
    '!!set ',
    '!!omap ',
    '!!binary ',
    '!<x> ',
    '!!int ',
    '\u0000',
    '\ud800',
    '\r\n',
    '@',
    '`',
  ],
  ...['__proto__', '\u0085', '\u{FEFF}', '0x1F', '-1', '+.inf'],
]

const TEXTS = repetitions(12_000)

test('reading any text gives JSON data or issues with positions, and never throws', () => {
  const random = randomNumbers(7)
  let readable = 0
  let refused = 0
  for (let round = 0; round < TEXTS; round++) {
    const length = 1 + Math.floor(random() * 14)
    const text = Array.from({ length }, () => PIECES[Math.floor(random() * PIECES.length)]).join('')
    for (const file of ['a.json', 'a.yaml', undefined]) {
      const { document, issues } = readDocument(text, file === undefined ? {} : { file })
      if (document !== undefined) {
        readable++
        assert.deepEqual(document.value, JSON.parse(JSON.stringify(document.value)), JSON.stringify(text))
        if (file === 'a.json')
          assert.doesNotThrow(() => JSON.parse(text.replace(/^\u{FEFF}/u, '')), JSON.stringify(text))
        document.locate('/a/0/b', { key: true })
      } else {
        refused++
        assert.ok(
          issues.length > 0 && issues.every(({ line, column }) => line >= 1 && column >= 1),
          JSON.stringify(text),
        )
      }
    }
  }
  assert.ok(readable > TEXTS / 6 && refused > TEXTS / 6, `${readable} ${refused}`)
})
