import { MAX_EXPRESSION_DEPTH, MAX_EXPRESSION_LENGTH } from './limits.ts'
import { BadExpression } from './unevaluable.ts'

const OPENING = '([{'
const CLOSING = ')]}'

/**
 * Checks a text before it is parsed: parsers recurse for each bracket, and the depth at which the stack overflows
 * depends on the machine. Brackets inside strings do not count.
 * @param quotes the characters that begin and end strings in this language
 * @returns the offset of an unclosed string, judged by its quotes
 * @throws BadExpression
 */
export function checkExpressionText(text: string, quotes: string): number | undefined {
  if (text.length > MAX_EXPRESSION_LENGTH) {
    throw new BadExpression(
      `it is longer than ${MAX_EXPRESSION_LENGTH} characters`,
      {},
      'split the condition',
    )
  }
  if (!text.isWellFormed()) throw new BadExpression('it contains half of a surrogate pair')
  let depth = 0
  /** Prefix operators nest like brackets, but close after their operand. */
  let prefixes = 0
  let quote = ''
  let raw = false
  let opened = 0
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index)
    if (quote !== '') {
      if (character === '\\' && !raw) index += 1
      else if (character === quote) quote = ''
      continue
    }
    if (quotes.includes(character)) {
      quote = character
      opened = index
      raw = /r/i.test(text.charAt(index - 1))
    } else if (OPENING.includes(character)) depth += 1
    else if (CLOSING.includes(character)) depth -= 1
    prefixes = '!-+&'.includes(character) ? prefixes + 1 : character.trim() === '' ? prefixes : 0
    if (depth > MAX_EXPRESSION_DEPTH || prefixes > MAX_EXPRESSION_DEPTH) {
      throw new BadExpression(
        `it nests deeper than ${MAX_EXPRESSION_DEPTH} levels`,
        { offset: index },
        'split the condition',
      )
    }
  }
  return quote === '' ? undefined : opened
}

/** Returns the error for a parsed expression that is nested too deep. */
export function tooDeep(levels: number): BadExpression {
  return new BadExpression(`it nests deeper than ${levels} levels`, {}, 'split the condition')
}
