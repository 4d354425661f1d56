import type { DigitWindow } from './digit-runs.ts'
import type { Candidate } from './pii-finding.ts'

/** Issuers by their first digits, with their lengths (ISO/IEC 7812). */
const ISSUERS: readonly (readonly [prefix: RegExp, lengths: readonly number[]])[] = [
  [/^4/, [13, 16, 19]],
  [/^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, [16]],
  [/^3[47]/, [15]],
  [/^(?:6011|64[4-9]|65)/, [16, 19]],
  [/^(?:30[0-5]|3095|36|3[89])/, [14]],
  [/^35(?:2[89]|[3-8])/, [16]],
  [/^62/, [16, 17, 18, 19]],
  [/^(?:5018|5020|5038|5893|6304|6759|676[1-3])/, [16, 18, 19]],
]
const SHAPES = /^(?:\d\d|4-4-4-4(?:-[123])?|4-6-[45]|4-4-4-1|(?:1-){12,18}1|(?:2-){6,9}[12])$/
const CARD_WORD =
  /\b(?:card|visa|master ?card|amex|credit|debit|karte|kreditkarte|carte|tarjeta|carta|pan)\b/i

/** Finds numbers of payment cards: valid issuer, length, check digit (Luhn) and grouping. */
export function cardIn(window: DigitWindow, before: () => string): Candidate | null {
  const { digits, shape, separator, start, end } = window
  if (digits.length < 13 || digits.length > 19) return null
  if (!ISSUERS.some(([prefix, lengths]) => lengths.includes(digits.length) && prefix.test(digits)))
    return null
  const usual = SHAPES.test(shape) && separator !== undefined && !/[()/]/.test(separator)
  if (!passesLuhn(digits) || !(usual || CARD_WORD.test(before()))) return null
  return { start, end, kind: 'card', identity: digits }
}

/** Sixteen or fifteen digits in the groups of a card, with any equal separators of up to three characters. */
const SPACED =
  /(?<!\d)\d{4}(?:([^\p{L}\p{N}\n/()]{1,3}|\r?\n)\d{4}\1\d{4}\1\d{4}|([^\p{L}\p{N}\n/()]{1,3}|\r?\n)\d{6}\2\d{5})(?!\d)/gu
/** Its beginning, which V8 finds faster. */
const SPACED_BEGIN = /\d{4}[^\p{L}\p{N}]{1,3}\d{4}/u

/** Finds cards whose groups have other separators than `digitRuns` reads: `4111_1111_1111_1111`. Linear. */
export function spacedCards(text: string): Candidate[] {
  if (!SPACED_BEGIN.test(text)) return []
  const found: Candidate[] = []
  for (const { 0: written, index } of text.matchAll(SPACED)) {
    const digits = written.replaceAll(/\D/g, '')
    if (
      ISSUERS.some(([prefix, lengths]) => lengths.includes(digits.length) && prefix.test(digits)) &&
      passesLuhn(digits)
    )
      found.push({ start: index, end: index + written.length, kind: 'card', identity: digits })
  }
  return found
}

export function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let i = 0; i < digits.length; i++) {
    const digit = digits.charCodeAt(digits.length - 1 - i) - 48
    const doubled = digit * 2
    sum += i % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0 && !/^(\d)\1+$/.test(digits)
}
