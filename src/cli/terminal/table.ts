import type { Io } from '../io.ts'
import { columnsOf, fitColumns } from './fit-columns.ts'
import { painter, type Tone } from './paint.ts'

/** A column of a list. */
export interface Column<T> {
  /** Printed in capitals. */
  readonly head: string
  /** Returns one line that is safe for a terminal. */
  readonly text: (row: T) => string
  readonly tone?: (row: T) => Tone
  /** In a narrow window, the column with the highest number is left out first; one without a number is kept. */
  readonly drop?: number
}

/** Characters between two columns. */
const GAP = 2
/** The fewest characters of a last column that was cut. */
const LEAST_LAST = 12

interface Placed<T> {
  readonly column: Column<T>
  readonly texts: readonly string[]
  readonly width: number
}

/**
 * Returns rows below a line of heads. On a terminal the lines fit its width: columns are left out, then the last column
 * is cut. In a pipe all columns are complete. A column without any text is left out.
 */
export function table<T>(rows: readonly T[], columns: readonly Column<T>[], io: Io): string {
  const room = io.outIsTty ? (io.columns ?? 80) : Number.POSITIVE_INFINITY
  const paint = painter(io.color && io.outIsTty)
  const placed = fitting(
    columns.map((column) => place(column, rows)).filter(({ texts }) => texts.some((text) => text !== '')),
    room,
  )
  const line = (cell: (one: Placed<T>) => readonly [text: string, tone: Tone]) => {
    let left = room
    const cells = placed.map((one, index) => {
      const [text, tone] = cell(one)
      const shown = columnsOf(text) <= left ? text : fitColumns(text, left)
      left -= one.width + GAP
      const pad = index === placed.length - 1 ? 0 : one.width - columnsOf(shown)
      return `${paint(tone, shown)}${' '.repeat(Math.max(0, pad))}`
    })
    return `${cells.join(' '.repeat(GAP)).trimEnd()}\n`
  }
  const head = line(({ column }) => [column.head.toUpperCase(), 'faint'])
  const body = rows.map((row, index) =>
    line(({ column, texts }) => [texts[index] ?? '', column.tone?.(row) ?? 'plain']),
  )
  return [head, ...body].join('')
}

function place<T>(column: Column<T>, rows: readonly T[]): Placed<T> {
  const texts = rows.map((row) => column.text(row))
  return { column, texts, width: Math.max(columnsOf(column.head), ...texts.map(columnsOf)) }
}

/** Leaves out columns until the others fit, with a last column that may be cut. */
function fitting<T>(placed: readonly Placed<T>[], room: number): readonly Placed<T>[] {
  const needed = placed.reduce(
    (sum, { width }, index) =>
      sum + (index === placed.length - 1 ? Math.min(width, LEAST_LAST) : width + GAP),
    0,
  )
  const droppable = placed.filter(({ column }) => column.drop !== undefined)
  if (needed <= room || droppable.length === 0) return placed
  const first = droppable.reduce((a, b) => ((b.column.drop ?? 0) > (a.column.drop ?? 0) ? b : a))
  return fitting(
    placed.filter((one) => one !== first),
    room,
  )
}
