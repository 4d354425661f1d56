import { columnsOf } from '../terminal/fit-columns.ts'

/** Widths in parts of the font size, of the widest common sans-serif fonts, so that no text leaves its box. */
const NARROW = /[ijl.,:;'|!()[\]{}tfr ]/
const BROAD = /[mwMW@%…→]/
const CAPITAL = /[A-Z0-9\p{Lu}_#&+=<>?~^"$-]/u

/** Returns the width of a text of one line in pixels; no font is needed, so it is the same on each machine. */
export function textWidth(text: string, fontSize: number, bold = false): number {
  let width = 0
  for (const character of text) width += partOf(character)
  return width * fontSize * (bold ? 1.1 : 1)
}

function partOf(character: string): number {
  const columns = columnsOf(character)
  if (columns !== 1) return columns * 0.55
  if (NARROW.test(character)) return 0.41
  if (BROAD.test(character)) return 1
  return CAPITAL.test(character) ? 0.76 : 0.63
}
