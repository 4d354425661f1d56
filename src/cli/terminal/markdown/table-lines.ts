import widthOf from 'fast-string-width'
import { Lexer, type Tokens } from 'marked'
import { styledInline } from './inline-markdown.ts'

/** Space between two columns. */
const GAP = '  '

/**
 * Returns a table as aligned columns. If it is wider than the window, each row becomes a list of `column: value`.
 * @returns null if the rows do not form a table
 */
export function tableLines(rows: readonly string[], columns: number): readonly string[] | null {
  const [table] = Lexer.lex(rows.join('\n'), { gfm: true })
  if (table?.type !== 'table') return null
  const { header, rows: body, align } = table as Tokens.Table
  const head = header.map(({ text }) => styledInline(text))
  const cells = body.map((row) => row.map(({ text }) => styledInline(text)))
  const widths = head.map((cell, index) =>
    Math.max(...[cell, ...cells.map((row) => row[index] ?? '')].map((text) => widthOf(text))),
  )
  const total = widths.reduce((sum, width) => sum + width, 0) + GAP.length * (widths.length - 1)
  if (total >= columns) return cells.flatMap((row) => rowAsList(row, head))
  const aligned = (row: readonly string[]) =>
    row
      .map((cell, index) => padded(cell, widths[index] ?? 0, align[index] === 'right'))
      .join(GAP)
      .trimEnd()
  return [
    `\x1b[1m${aligned(head)}\x1b[22m`,
    `\x1b[2m${widths.map((width) => '─'.repeat(width)).join(GAP)}\x1b[22m`,
    ...cells.map(aligned),
  ]
}

function rowAsList(row: readonly string[], head: readonly string[]): readonly string[] {
  return row.map((cell, index) => `${index === 0 ? '• ' : '  '}\x1b[1m${head[index]}\x1b[22m: ${cell}`)
}

function padded(cell: string, width: number, right: boolean): string {
  const space = ' '.repeat(Math.max(0, width - widthOf(cell)))
  return right ? `${space}${cell}` : `${cell}${space}`
}
