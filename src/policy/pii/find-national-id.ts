import type { DigitWindow } from './digit-runs.ts'
import { type Candidate, matchesIn, type Searched } from './pii-finding.ts'

/** Ids of only digits are recognised by their grouping, or by a word before them. */
export function nationalIdIn(
  { digits, shape, start, end }: DigitWindow,
  before: () => string,
): Candidate | null {
  const kind = numericKind(digits, shape, before)
  return kind === null ? null : { start, end, kind, identity: digits }
}

const SINGLE = /^(?:\d+|(?:1-)+1)$/
const US = /\b(?:ssn|social security|soc\.? ?sec|itin)\b/i
const NL = /\b(?:bsn|burger ?service ?nummer|sofi ?(?:nummer)?)\b/i
const PL = /\bpesel\b/i
const DE = /steuer|\bid-?nr|\btin\b|tax id/i

function numericKind(digits: string, shape: string, before: () => string): string | null {
  switch (digits.length) {
    case 9:
      if (shape === '3-2-4' && isSsn(digits)) return 'us_ssn'
      if (SINGLE.test(shape) && isSsn(digits) && US.test(before())) return 'us_ssn'
      return isBsn(digits) && NL.test(before()) ? 'nl_bsn' : null
    case 11:
      if (isPesel(digits) && SINGLE.test(shape) && PL.test(before())) return 'pl_pesel'
      return isSteuerId(digits) && (shape === '2-3-3-3' || DE.test(before())) ? 'de_tax_id' : null
    case 15:
      return isNir(digits) ? 'fr_nir' : null
    default:
      return null
  }
}

function isSsn(digits: string): boolean {
  return /^(?!000|666|9)\d{3}(?!00)\d{2}(?!0000)\d{4}$/.test(digits)
}

function weighted(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, index) => sum + weight * Number(digits[index]), 0)
}

/** The "eleven test". */
function isBsn(digits: string): boolean {
  return digits !== '000000000' && weighted(digits, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0
}

function isPesel(digits: string): boolean {
  // The century is in the month: 81-92, 01-12, 21-32, …
  const month = Number(digits.slice(2, 4)) % 20
  const day = Number(digits.slice(4, 6))
  if (month < 1 || month > 12 || day < 1 || day > 31) return false
  return (10 - (weighted(digits, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3]) % 10)) % 10 === Number(digits[10])
}

/** ISO 7064 MOD 11,10; among the first ten digits exactly one occurs twice or three times. */
function isSteuerId(digits: string): boolean {
  if (digits.startsWith('0')) return false
  const counts = [...'0123456789'].map((digit) => digits.slice(0, 10).split(digit).length - 1)
  const repeated = counts.filter((count) => count > 1)
  if (repeated.length !== 1 || (repeated[0] as number) > 3) return false
  let product = 10
  for (const digit of digits.slice(0, 10)) {
    const sum = (Number(digit) + product) % 10
    product = ((sum === 0 ? 10 : sum) * 2) % 11
  }
  return (11 - product) % 10 === Number(digits[10])
}

/** INSEE number: sex, year, month, place, order, and 97 minus the remainder of a division by 97. */
function isNir(digits: string, number = digits.slice(0, 13)): boolean {
  const month = Number(digits.slice(3, 5))
  if (!/^[123478]/.test(digits) || month < 1 || (month > 12 && month < 20) || (month > 42 && month < 50))
    return false
  return 97 - (Number(number) % 97) === Number(digits.slice(13))
}

interface LetteredId {
  readonly kind: string
  readonly pattern: RegExp
  readonly holds: (compact: string) => boolean
  /** A text that matches none of them has no such id. Much faster than the pattern, if that begins with letters. */
  readonly marks?: readonly RegExp[]
}

const LETTERED: readonly LetteredId[] = [
  {
    kind: 'es_dni',
    pattern:
      /(?<![\p{L}\p{N}_-]|\d[:.,])(?:\d{2}[. ]?\d{3}[. ]?\d{3}|[XYZ][ -]?\d[. ]?\d{3}[. ]?\d{3})[ -]?[A-HJ-NP-TV-Z](?![\p{L}\p{N}_-])/giu,
    holds: (id) => {
      const number = Number(id.slice(0, -1).replace(/^[XYZ]/, (letter) => String('XYZ'.indexOf(letter))))
      return 'TRWAGMYFPDXBNJZSQVHLCKE'[number % 23] === id.at(-1)
    },
  },
  {
    kind: 'it_codice_fiscale',
    pattern:
      /(?<![\p{L}\p{N}_-])[A-Z]{3} ?[A-Z]{3} ?[\dLMNPQRSTUV]{2}[ABCDEHLMPRST][\dLMNPQRSTUV]{2} ?[A-Z][\dLMNPQRSTUV]{3} ?[A-Z](?![\p{L}\p{N}_-])/giu,
    holds: isCodiceFiscale,
    // A digit beside a letter; or capitals in place of all seven digits, as for people whose codes would be equal.
    marks: [/\d(?:[A-Za-z]|(?<=[A-Za-z]\d))/, /[L-NP-V]{2}[A-EHLMPR-T][L-NP-V]{2}/],
  },
  {
    kind: 'uk_nino',
    pattern:
      /(?<![\p{L}\p{N}_-])(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z][ -]?\d{2}[ -]?\d{2}[ -]?\d{2}[ -]?[A-D](?![\p{L}\p{N}_-])/giu,
    holds: () => true,
  },
  {
    kind: 'fr_nir',
    pattern: /(?<![\p{L}\p{N}_-])[12] ?\d{2} ?\d{2} ?2[AB] ?\d{3} ?\d{3} ?\d{2}(?![\p{L}\p{N}_-])/giu,
    // Corsica's letters count as 19 and 18 in the check.
    holds: (id) => isNir(id, id.slice(0, 13).replace('2A', '19').replace('2B', '18')),
  },
]

/** Values of characters at odd places, counted from one. */
const ODD = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23]

function isCodiceFiscale(id: string): boolean {
  let sum = 0
  for (let i = 0; i < 15; i++) {
    const character = id[i] as string
    const value = /\d/.test(character) ? Number(character) : character.charCodeAt(0) - 65
    sum += i % 2 === 0 ? (ODD[value] as number) : value
  }
  return String.fromCharCode(65 + (sum % 26)) === id[15]
}

/**
 * Finds ids with letters: Spain's DNI and NIE, Italy's codice fiscale, Britain's NINO, and Corsican numbers of France.
 */
export function findLetteredId({ text }: Searched): Candidate[] {
  const found: Candidate[] = []
  for (const { kind, pattern, holds, marks } of LETTERED) {
    if (marks?.some((mark) => mark.test(text)) === false) continue
    for (const match of matchesIn(text, pattern)) {
      const identity = match[0].replaceAll(/[ .-]/g, '').toUpperCase()
      if (holds(identity))
        found.push({ start: match.index, end: match.index + match[0].length, kind, identity })
    }
  }
  return found
}
