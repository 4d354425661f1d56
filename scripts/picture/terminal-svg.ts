/** Draws text with colours of a terminal (SGR codes) as a self-contained SVG. The result depends on the text only. */

import { escapeMarkup } from '../../src/document/escape-markup.ts'

/** Colours of the SGR codes that the program uses, on a dark ground. */
const TONES: Readonly<Record<string, string>> = {
  '1': 'strong',
  '2': 'faint',
  '31': 'bad',
  '32': 'good',
  '33': 'warn',
  '36': 'accent',
  '30;43': 'warn',
}

const STYLE = `
    text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #d6deeb }
    .strong { font-weight: 700; fill: #ffffff }
    .faint { fill: #8b9bb4 }
    .bad { fill: #ff7a85 }
    .good { fill: #7fdb9a }
    .warn { fill: #ffd479 }
    .accent { fill: #7cc7ff }
    .typed { font-weight: 700; fill: #ffffff }
  `

const CHARACTER = 8.43
const LINE = 21
const MARGIN = 20
const BAR = 36

interface Piece {
  readonly text: string
  readonly tone: string
}

/**
 * Returns the picture of a window.
 * @param text lines with SGR codes; a line that begins with `$ ` was typed
 * @param columns the width in characters, at which lines are broken
 * @param title what the picture shows, for people who cannot see it
 */
export function terminalSvg(text: string, { columns, title }: { columns: number; title: string }): string {
  const rows = text
    .trimEnd()
    .split('\n')
    .flatMap((line) => brokenAt(columns, piecesOf(line)))
  const width = Math.round(columns * CHARACTER + 2 * MARGIN)
  const height = BAR + rows.length * LINE + MARGIN
  const lines = rows.map((row, index) => drawn(row, BAR + (index + 0.75) * LINE))
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeMarkup(title)}">
  <title>${escapeMarkup(title)}</title>
  <style>${STYLE}</style>
  <rect width="${width}" height="${height}" rx="10" fill="#0f1724"/>
  <circle cx="22" cy="18" r="6" fill="#ff6159"/><circle cx="42" cy="18" r="6" fill="#ffbd2e"/><circle cx="62" cy="18" r="6" fill="#28c941"/>
${lines.filter((line) => line !== '').join('\n')}
</svg>
`
}

function piecesOf(line: string): readonly Piece[] {
  if (line.startsWith('$ ')) return [{ text: line, tone: 'typed' }]
  const [first = '', ...others] = line.split('\x1b[')
  const pieces: Piece[] = first === '' ? [] : [{ text: first, tone: '' }]
  for (const part of others) {
    const { code = '', text = '' } = /^(?<code>[0-9;]*)m(?<text>.*)$/.exec(part)?.groups ?? {}
    if (text !== '') pieces.push({ text, tone: TONES[code] ?? '' })
  }
  return pieces
}

/** Breaks a line where a terminal of this width does, at a space if there is one near the end. */
function brokenAt(columns: number, pieces: readonly Piece[]): readonly (readonly Piece[])[] {
  const characters = pieces.flatMap(({ text, tone }) => [...text].map((text) => ({ text, tone })))
  const rows: (readonly Piece[])[] = []
  let rest = characters
  while (rest.length > columns) {
    const space = rest.slice(0, columns + 1).findLastIndex(({ text }) => text === ' ')
    const at = space > columns / 2 ? space : columns
    rows.push(joined(rest.slice(0, at)))
    // A continued line is indented, so that it is not read as another one.
    rest = [
      { text: ' ', tone: '' },
      { text: ' ', tone: '' },
      ...rest.slice(space > columns / 2 ? at + 1 : at),
    ]
  }
  rows.push(joined(rest))
  return rows
}

function joined(characters: readonly Piece[]): readonly Piece[] {
  const pieces: { text: string; tone: string }[] = []
  for (const { text, tone } of characters) {
    const last = pieces.at(-1)
    if (last?.tone === tone) last.text += text
    else pieces.push({ text, tone })
  }
  return pieces
}

/** Each piece has its place, so that a font of another width does not shift the rest of the line. */
function drawn(row: readonly Piece[], y: number): string {
  let column = 0
  const spans = row.flatMap(({ text, tone }) => {
    const x = (MARGIN + column * CHARACTER).toFixed(1)
    column += [...text].length
    if (text.trim() === '') return []
    const name = tone === '' ? '' : ` class="${tone}"`
    return [`<tspan x="${x}"${name}>${escapeMarkup(text)}</tspan>`]
  })
  return spans.length === 0 ? '' : `  <text y="${y.toFixed(1)}" xml:space="preserve">${spans.join('')}</text>`
}
