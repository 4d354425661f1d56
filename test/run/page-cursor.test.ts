import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { comparePlaces, type PagePlace, readCursor, writeCursor } from '../../src/run/record/page-cursor.ts'

const place = (created_at: number | bigint, run_id: string): PagePlace => ({ created_at, run_id })

describe('cursors of a list', () => {
  for (const given of [
    place(0, 'r'),
    place(1_772_352_000_000, '0198c1de-7f2a'),
    // Of a run whose date is before 1970 or could not be read.
    place(-1, 'r'),
    place(5, 'two words'),
    place(5, 'two\nlines'),
    place(5, 'Ä🥨'),
    place(5, ' '),
    // Values that a damaged row may hold.
    place(2n ** 53n + 1n, 'r'),
    place(2n ** 63n - 1n, 'r'),
    place(-(2n ** 63n), 'r'),
  ])
    test(`${given.created_at} ${JSON.stringify(given.run_id)} is decoded unchanged`, () => {
      assert.deepEqual(readCursor(writeCursor(given)), given)
    })

  const invalid = [
    '',
    'r',
    '5',
    '5 ',
    ' r',
    '5.5 r',
    '--5 r',
    'x 5 r',
    `${2n ** 63n} r`,
    `${'9'.repeat(20)} r`,
  ]
  for (const text of invalid)
    test(`"${text}" is not a valid cursor`, () => {
      const cursor = Buffer.from(text, 'utf8').toString('base64url')
      assert.throws(() => readCursor(cursor), { code: 'CURSOR_INVALID' })
    })

  const table: readonly (readonly [PagePlace, PagePlace, number])[] = [
    [place(2, 'a'), place(1, 'b'), -1],
    [place(1, 'b'), place(2, 'a'), 1],
    [place(1, 'b'), place(1, 'a'), -1],
    [place(1, 'a'), place(1, 'b'), 1],
    [place(1, 'a'), place(1, 'a'), 0],
    // As SQLite compares texts.
    [place(1, 'a'), place(1, 'B'), -1],
    [place(2n ** 53n, 'a'), place(2n ** 53n + 1n, 'a'), 1],
    [place(2n ** 53n, 'a'), place(1, 'a'), -1],
  ]
  for (const [a, b, sign] of table)
    test(`${a.created_at} ${a.run_id} ${sign < 0 ? 'comes before' : sign > 0 ? 'comes after' : 'is at'} ${b.created_at} ${b.run_id}`, () => {
      assert.equal(Math.sign(comparePlaces(a, b)), sign)
    })
})
