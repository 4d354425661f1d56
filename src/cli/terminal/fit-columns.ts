import { plainLine } from './plain-text.ts'

/** Characters that take two columns of a terminal: East Asian scripts, full-width forms and emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u
const NARROWEST = /^[\p{Mn}\p{Me}]$/u

/** Returns how many columns of a terminal a text takes. */
export function columnsOf(text: string): number {
  let columns = 0
  for (const character of text) columns += NARROWEST.test(character) ? 0 : WIDE.test(character) ? 2 : 1
  return columns
}

/** Makes a text safe for a terminal, on one line of at most `columns` columns. */
export function fitColumns(text: string, columns: number): string {
  if (columns < 1) return ''
  const line = plainLine(text, columns)
  if (columnsOf(line) <= columns) return line
  let fitting = ''
  let used = 1
  for (const character of line) {
    used += columnsOf(character)
    if (used > columns) break
    fitting += character
  }
  return `${fitting.trimEnd()}…`
}
