import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ShownText } from '../../src/cli/remote/shown-text.ts'

type Item = readonly [event: 'text' | 'text.snapshot', attempt: number, text: string]

function shownOf(items: readonly Item[], live = true): string {
  let out = ''
  const text = new ShownText(
    {
      out: (piece) => {
        out += piece
      },
    },
    live,
  )
  for (const [event, attempt, piece] of items) text.take(event, { attempt, text: piece })
  text.end()
  return out
}

describe('the text of a run on a server, on a terminal', () => {
  const cases: readonly (readonly [rule: string, items: readonly Item[], out: string])[] = [
    [
      'a text grows',
      [
        ['text.snapshot', 1, 'It '],
        ['text', 1, 'is'],
        ['text', 1, ' so.'],
      ],
      'It is so.\n',
    ],
    [
      'a snapshot repeats nothing',
      [
        ['text.snapshot', 1, 'It '],
        ['text.snapshot', 1, 'It is'],
      ],
      'It is\n',
    ],
    [
      'a continuation repeats nothing, also if it arrives in pieces',
      [
        ['text.snapshot', 1, 'It is in B'],
        ['text.snapshot', 2, 'It '],
        ['text', 2, 'is in B'],
        ['text', 2, 'ern.'],
      ],
      'It is in Bern.\n',
    ],
    [
      'another answer begins on a line of its own',
      [
        ['text.snapshot', 1, 'No.'],
        ['text.snapshot', 2, 'Yes.'],
      ],
      'No.\nYes.\n',
    ],
    [
      'an answer that begins as the one before is shown whole',
      [
        ['text.snapshot', 1, 'It is in'],
        ['text.snapshot', 2, 'It '],
        ['text', 2, 'was'],
      ],
      'It is in\nIt was\n',
    ],
    ['a line break at the end is not added twice', [['text.snapshot', 1, 'It\n']], 'It\n'],
    ['without a text, nothing is shown', [], ''],
    ...['{"to": "ada"}', '  \n[1, 2]', '"Done"', '```json\n{"to":1}\n```'].map(
      (json): (typeof cases)[number] => [
        `JSON is not shown in pieces: ${JSON.stringify(json)}`,
        [...json].map((letter, index) => [index === 0 ? 'text.snapshot' : 'text', 1, letter]),
        '',
      ],
    ),
    [
      'a text is shown after an answer in JSON that was replaced',
      [
        ['text.snapshot', 1, '{"to'],
        ['text.snapshot', 2, 'It is so.'],
      ],
      'It is so.\n',
    ],
    [
      'a text after white space, with code within, is shown as it grows',
      [
        ['text.snapshot', 1, ' '],
        ['text', 1, 'It `is`'],
        ['text', 1, ' {so}.'],
      ],
      ' It `is` {so}.\n',
    ],
  ]
  for (const [rule, items, out] of cases) test(rule, () => assert.equal(shownOf(items), out))

  test('without a terminal, nothing is shown', () => {
    assert.equal(shownOf([['text.snapshot', 1, 'It is']], false), '')
  })
})
