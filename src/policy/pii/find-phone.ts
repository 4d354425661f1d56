import { createRequire } from 'node:module'
import type { CountryCode, PhoneNumber } from 'libphonenumber-js'
import type * as Phones from 'libphonenumber-js/min'
import { type DigitGroup, type DigitRun, type DigitWindow, digitWindows } from './digit-runs.ts'
import { type Candidate, type Searched, wordsBefore } from './pii-finding.ts'

const require = createRequire(import.meta.url)

/** Default regions for national numbers. */
export const PHONE_REGIONS: readonly string[] = [
  'US',
  'GB',
  'DE',
  'FR',
  'ES',
  'IT',
  'NL',
  'PL',
  'AT',
  'CH',
  'AU',
  'IN',
]

const WORD =
  /\b(?:tele?(?:ph|f)?on\w*|phone\w*|tel|t[eé]l[eé]phone|t[eé]l|mobile?\w*|cell\w*|handy\w*|fax|call\w*|dial|ring|text me|sms|whatsapp|signal|contact|kontakt|anruf\w*|rufnummer|portable|m[oó]vil|celular|cellulare|llama\w*|num[eé]ro|komórk\w*|numer|nummer|bel|hotline|reach (?:me|him|her|us|them))\b/i
const OTHER_NUMBER =
  /(?:\b(?:order|invoice|ticket|tracking|ref(?:erence)?|id|isbn\S*|ean|upc|sku|serial|part|article|item|case|batch|lot|po|account|acct|version|rfc|bestell\w*|rechnung\w*|auftrag\w*|article|commande|facture|pedido|factura|ordine|fattura|bestelling|faktura|zamówienie)[ .:#-]{0,3}(?:n(?:o|r|um(?:ber|mer)?|º|°)?\b)?[ .:#-]{0,3}|[#$€£¥] ?)$/i
const DATE = /^(?:(?:19|20)\d\d[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./](?:19|20)?\d\d)(?!\d|[-./]\d)/
const MOST_TRIES = 8

/**
 * Finds telephone numbers: international numbers in any place, national numbers if they are grouped as in their region
 * or labelled.
 */
export function findPhone(
  searched: Searched,
  runs: readonly DigitRun[],
  regions: readonly string[],
): Candidate[] {
  const found: Candidate[] = []
  for (const run of runs) {
    const phone = phoneIn(searched, run, regions)
    found.push(...phone)
  }
  return found
}

function phoneIn(searched: Searched, run: DigitRun, regions: readonly string[]): Candidate[] {
  const { text } = searched
  const found: Candidate[] = []
  let tries = Math.max(MOST_TRIES, run.groups.length * 2)
  let first = 0
  while (first < run.groups.length) {
    const start = (run.groups[first] as DigitGroup).start
    const before = wordsBefore(searched, start)
    const named = WORD.test(before)
    const plus = first === 0 && run.plus
    const excluded = OTHER_NUMBER.test(before)
    // Longest first, so that a number is found completely.
    const windows = excluded && !plus ? [] : [...digitWindows(text, run, 7, 17, first)].reverse()
    let last = first
    for (const window of windows) {
      if ((window.separator?.length ?? 0) > 3) continue
      const international = plus || /^00[1-9]/.test(window.digits)
      if (!international && !mayBeNational(text, run, window, named)) continue
      if (tries-- <= 0) return found
      const number = international
        ? valid(`+${window.digits.replace(/^00/, '')}`, undefined)
        : firstValid(window, named, regions)
      if (number === undefined) continue
      found.push({ start: startOf(text, window), end: window.end, kind: 'phone', identity: number.number })
      last = window.last
      break
    }
    first = last + 1
  }
  return found
}

/** Includes the sign and the bracket before it. */
function startOf(text: string, { start }: DigitWindow): number {
  const lead = /\+? ?\(?$/.exec(text.slice(Math.max(0, start - 3), start))?.[0].trimStart() ?? ''
  return start - lead.length
}

function mayBeNational(text: string, run: DigitRun, window: DigitWindow, named: boolean): boolean {
  const { digits, shape, start, end } = window
  if (digits.length > 13 || (/^97[89]/.test(digits) && digits.length === 13)) return false
  // North America: 3-3-4, with area and exchange codes from 2. Elsewhere a number begins with 0 and is grouped.
  const american = (shape === '3-3-4' || shape === '1-3-3-4') && /^1?[2-9]\d\d[2-9]/.test(digits)
  const trunk = digits.length >= 9 && digits.length <= 12 && /^0[1-9]/.test(digits) && shape.includes('-')
  if (!named && !((american || trunk) && standsApart(text, run, window))) return false
  const written = text.slice(start, end)
  return !DATE.test(written) && !/^(?:\d{1,3}\.){3}\d{1,3}$|^\d+\.\d+$/.test(written)
}

/** Returns false for a part of a longer sequence of equally grouped digits. */
function standsApart(text: string, { groups }: DigitRun, { first, last, separator }: DigitWindow): boolean {
  const before = groups[first - 1]
  const after = groups[last + 1]
  const left = before === undefined ? '' : text.slice(before.end, groups[first]?.start)
  const right = after === undefined ? '' : text.slice(groups[last]?.end, after.start)
  return separator !== undefined ? left !== separator && right !== separator : left === '' && right === ''
}

function firstValid(
  window: DigitWindow,
  named: boolean,
  regions: readonly string[],
): PhoneNumber | undefined {
  const { digits } = window
  for (const region of regions) {
    const american = region === 'US' || region === 'CA'
    if (!named && american === digits.startsWith('0')) continue
    const number = valid(digits, region)
    if (number !== undefined) return number
  }
  return undefined
}

function valid(digits: string, region: string | undefined): PhoneNumber | undefined {
  // Large tables: loaded with the first candidate.
  const { parsePhoneNumberFromString } = require('libphonenumber-js/min') as typeof Phones
  const number = parsePhoneNumberFromString(digits, region as CountryCode | undefined)
  // A sign and a country code are intentional: then a valid length is enough, even if the number is not assigned.
  const holds = region === undefined ? number?.isPossible() : number?.isValid()
  return holds === true ? number : undefined
}
