import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Io } from '../../src/cli/io.ts'
import { type Column, table } from '../../src/cli/terminal/table.ts'

const ROWS = [
  { id: 'a', place: 'Paris', text: 'a text that is longer than the window' },
  { id: 'bcd', place: '', text: 'short' },
]
const COLUMNS: readonly Column<(typeof ROWS)[number]>[] = [
  { head: 'id', text: ({ id }) => id, tone: () => 'accent' },
  { head: 'place', text: ({ place }) => place, drop: 1 },
  { head: 'text', text: ({ text }) => text },
]

const io = (columns: number | undefined, tty = true, color = false) =>
  ({ outIsTty: tty, color, ...(columns !== undefined && { columns }) }) as Io

describe('a list', () => {
  test('has a line of heads, and columns of equal width', () => {
    assert.equal(
      table(ROWS, COLUMNS, io(80)),
      'ID   PLACE  TEXT\na    Paris  a text that is longer than the window\nbcd         short\n',
    )
  })

  test('cuts its last column to the window', () => {
    const lines = table(ROWS, COLUMNS, io(30)).split('\n')
    assert.equal(lines[1], 'a    Paris  a text that is lo…')
    assert.equal(lines[1]?.length, 30)
    assert.equal(
      table(ROWS, COLUMNS, io(49)).split('\n')[1],
      'a    Paris  a text that is longer than the window',
    )
    assert.equal(
      table(ROWS, COLUMNS, io(48)).split('\n')[1],
      'a    Paris  a text that is longer than the wind…',
    )
  })

  test('counts the columns that characters take', () => {
    const wide = [{ id: '漢字', place: 'x', text: '運送業者に返金する' }]
    assert.equal(table(wide, COLUMNS, io(80)), 'ID    PLACE  TEXT\n漢字  x      運送業者に返金する\n')
    assert.equal(table(wide, COLUMNS, io(26)).split('\n')[1], '漢字  x      運送業者に返…')
  })

  test('leaves out columns if less than 12 characters of the last one would fit', () => {
    assert.match(table(ROWS, COLUMNS, io(24)), /PLACE/)
    assert.equal(table(ROWS, COLUMNS, io(23)).split('\n')[1], 'a    a text that is lo…')
  })

  test('leaves out the column with the highest number first, and keeps those without', () => {
    const columns: readonly Column<string>[] = [
      { head: 'first', text: () => '1234567890', drop: 1 },
      { head: 'second', text: () => '1234567890', drop: 2 },
      { head: 'kept', text: () => '1234567890' },
    ]
    assert.equal(table([''], columns, io(22)).split('\n')[0], 'FIRST       KEPT')
    assert.equal(table([''], columns, io(21)).split('\n')[0], 'KEPT')
    assert.equal(table([''], columns, io(5)), 'KEPT\n1234…\n')
  })

  test('is complete and without colours in a pipe', () => {
    const out = table(ROWS, COLUMNS, io(10, false, true))
    assert.match(out, /^ID {3}PLACE {2}TEXT\n/)
    assert.match(out, /longer than the window\n/)
    assert.ok(!out.includes('\x1b') && !out.includes('\t'))
  })

  test('has colours on a terminal, which do not count as width', () => {
    const [head, line] = table(ROWS, COLUMNS, io(30, true, true)).split('\n')
    assert.equal(head, '\x1b[2mID\x1b[0m   \x1b[2mPLACE\x1b[0m  \x1b[2mTEXT\x1b[0m')
    assert.equal(line, '\x1b[36ma\x1b[0m    Paris  a text that is lo…')
  })

  test('leaves out a column without any text', () => {
    assert.equal(table([{ id: 'a', place: '', text: 'b' }], COLUMNS, io(80)), 'ID  TEXT\na   b\n')
  })
})
