import { createRequire } from 'node:module'
import type { CountryCode } from 'libphonenumber-js'
import type * as Phones from 'libphonenumber-js/min'
import { findIban } from '../pii/find-iban.ts'
import { PHONE_REGIONS } from '../pii/find-phone.ts'
import { type Counts, type Found, masked } from './found.ts'

const require = createRequire(import.meta.url)

const INTERNATIONAL = /(?:\+ ?\(?|(?<!\d[ ()./-]{0,3})\b00)\d[\d ()./-]{5,}/g
const DIGITS = /(?<![\p{L}\p{N}])\(?\d[\d ()./-]{5,}/gu
const DATE =
  /^(?:(?:19|20)\d\d[-./](?:0?[1-9]|1[0-2])[-./][0-3]?\d|[0-3]?\d[-./][0-3]?\d[-./](?:19|20)?\d\d)(?!\d)/
/** Number of digits of a phone number. */
const MIN_DIGITS = 7
const MAX_DIGITS = 15

/** Finds phone numbers: international numbers anywhere; national numbers only where they are alone. */
export function findPhones(text: string): readonly Found[] {
  const found: Found[] = []
  for (const { 0: run, index } of text.matchAll(INTERNATIONAL)) {
    const written = trimmed(run)
    if (written.replaceAll(/\D/g, '').length >= MIN_DIGITS) found.push(phone(written, index, 'anywhere'))
  }
  for (const { 0: run, index } of masked(text, found).matchAll(DIGITS)) {
    const written = trimmed(run)
    const digits = written.replaceAll(/\D/g, '')
    if (digits.length < MIN_DIGITS || digits.length > MAX_DIGITS || DATE.test(written)) continue
    found.push(phone(written, index, mayBeNational(written, digits) ? 'alone' : 'named'))
  }
  return found
}

function phone(written: string, start: number, counts: Counts): Found {
  const key = written.replaceAll(/[^\d+]/g, '')
  return { start, end: start + written.length, key, kind: 'phone', counts }
}

function trimmed(run: string): string {
  let end = run.length
  while (end > 0 && !/\d/.test(run[end - 1] as string)) end--
  return run.slice(0, end)
}

/** A number with a trunk prefix, or grouped like a number that is assigned in a region. */
function mayBeNational(written: string, digits: string): boolean {
  if (/^\(?0/.test(written)) return !/^0\.\d+$/.test(written)
  if (/^1?[ .-]?\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}$/.test(written)) return true
  // Groups of three are an amount; digits without groups are an identifier; 978 begins an ISBN.
  if (digits === written || digits.length < 9 || /^\d{1,3}(?:[ .]\d{3})+$/.test(written)) return false
  if (/^97[89]\d{10}$/.test(digits)) return false
  // Large tables: loaded with the first candidate.
  const { parsePhoneNumberFromString } = require('libphonenumber-js/min') as typeof Phones
  return PHONE_REGIONS.some((region) => parsePhoneNumberFromString(digits, region as CountryCode)?.isValid())
}

/** Finds bank accounts (IBAN) with valid check digits: the destination of a transfer. */
export function findAccounts(text: string): readonly Found[] {
  return findIban({ text, label: '' }).map(({ start, end, identity }) => {
    const key = identity.toLowerCase()
    return { start, end, key, kind: 'account', counts: 'alone' }
  })
}
