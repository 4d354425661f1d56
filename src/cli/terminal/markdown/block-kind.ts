/** What a line of Markdown begins or continues. */
export type BlockKind =
  | { readonly kind: 'blank' | 'rule' | 'row' | 'text' }
  | { readonly kind: 'fence'; readonly mark: string; readonly language: string }
  | { readonly kind: 'heading'; readonly text: string }
  /** `rest` is the offset of the text in the line. */
  | { readonly kind: 'item'; readonly indent: string; readonly bullet: string; readonly rest: number }
  | { readonly kind: 'quote'; readonly rest: number }

const FENCE = /^[ \t]*(?<mark>`{3,}|~{3,})[ \t]*(?<language>[^`]*)$/
const RULE = /^[ \t]*(?:([-*_])(?:[ \t]*\1){2,}|={3,})[ \t]*$/
const HEADING = /^ {0,3}#{1,6}(?:[ \t]+(?<text>.*?))??(?:[ \t]+#+)?[ \t]*$/
const ITEM = /^(?<indent>[ \t]*)(?<mark>[-*+]|\d{1,9}[.)])[ \t]+(?<task>\[[ xX]\][ \t]+)?(?=\S)/
const QUOTE = /^[ \t]{0,3}>[ \t]?/
/** The beginning of a line that can still become something else than text. */
const OPEN =
  /^[ \t]*(?:$|>$|\||#{1,6}(?:[ \t]|$)|`{1,2}$|`{3}|~{1,2}$|~{3}|[-*+_=][-*_= \t]*$|\d{1,9}(?:$|[.)][ \t]*$)|(?:[-*+]|\d{1,9}[.)])[ \t]+\[[ xX]?(?:\][ \t]*)?$)/

/**
 * Returns what a line is, or null if the rest of the line decides it.
 * @param complete whether the line has ended
 */
export function blockKind(line: string, complete: boolean): BlockKind | null {
  if (!complete && OPEN.test(line)) return null
  if (line.trim() === '') return { kind: 'blank' }
  const fence = FENCE.exec(line)?.groups
  if (fence !== undefined)
    return { kind: 'fence', mark: fence.mark as string, language: fence.language as string }
  if (RULE.test(line)) return { kind: 'rule' }
  const heading = HEADING.exec(line)
  if (heading !== null) return { kind: 'heading', text: heading.groups?.text ?? '' }
  const quote = QUOTE.exec(line)
  if (quote !== null) return { kind: 'quote', rest: quote[0].length }
  const item = ITEM.exec(line)
  if (item !== null) {
    const { indent = '', mark = '', task = '' } = item.groups ?? {}
    const bullet = `${/\d/.test(mark) ? mark : '•'} ${task}`
    return { kind: 'item', indent, bullet, rest: item[0].length }
  }
  return { kind: line.trimStart().startsWith('|') ? 'row' : 'text' }
}
