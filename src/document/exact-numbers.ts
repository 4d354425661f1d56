import { isObject, type Json, type JsonObject } from './json.ts'
import { isExact } from './json-value-check.ts'
import { wellFormed } from './well-formed.ts'

/**
 * The member that marks the digits of a number which a double cannot hold for certain: `{"$number": "9007199254740993"}`.
 * Marked digits are plain JSON data, so they pass through records, states and signatures unchanged.
 */
const MARK = '$number'

/** V8 has it since Node 21; the library of TypeScript does not know it. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): Json }

/** A shorter number with a smaller exponent is always exact. May also find digits in strings. */
const MAY_LOSE = /[\d.]{16}|\d[eE](?:\+?\d|-\d{3})/

/**
 * Parses JSON in place of `JSON.parse`, which replaces a number that a double cannot hold by another number. Such a
 * number is returned as marked digits.
 * @throws SyntaxError
 */
export function parseExact(text: string): Json {
  return JSON.parse(markDigits(text)) as Json
}

/** Returns a JSON text with marked digits, for a library that parses it itself. What is not JSON is not JSON after it. */
export function markDigits(text: string): string {
  if (!MAY_LOSE.test(text)) return text
  let marked = ''
  let copied = 0
  let at = 0
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === MINUS || isDigit(code)) {
      const end = endOfNumber(text, at)
      const token = text.slice(at, end)
      if (NUMBER.test(token) && !isHeld(token, Number(token))) {
        marked += `${text.slice(copied, at)}{"${MARK}":"${token}"}`
        copied = end
      }
      at = end
    } else at++
  }
  return copied === 0 ? text : marked + text.slice(copied)
}

/** Returns a value that was parsed from a JSON text, with marked digits; the same reference if it has none. */
export function exactValue(text: string, value: Json): Json {
  const marked = markDigits(text)
  return marked === text ? value : (JSON.parse(marked) as Json)
}

/**
 * Writes JSON for readers outside, in place of `JSON.stringify`: marked digits become numbers again, and half surrogate
 * pairs U+FFFD.
 */
export function exactText(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent)
  // Undefined for a value that JSON cannot represent.
  if (text === undefined) return text
  const whole = HALF_PAIR.test(text) ? wellFormed(value) : value
  if (whole === value && !text.includes(`"${MARK}"`)) return text
  return JSON.stringify(whole, (_name, member: Json) => asRaw(member), indent)
}

/** `JSON.stringify` escapes halves only. Also found in text that shows such an escape. */
const HALF_PAIR = /\\u[dD][89a-fA-F]/

/**
 * Returns a copy for a library that calls `JSON.stringify` itself: marked digits become numbers there. It must not be
 * read or stored.
 */
export function rawNumbers<T extends Json>(value: T): T {
  return mapped(value, (digits) => rawJSON(digits)) as T
}

/**
 * Returns a copy with the nearest doubles, for checks of types and limits only; the same reference if there are no marked
 * digits.
 */
export function nearestNumbers(value: Json): Json {
  return firstDigits(value) === undefined ? value : mapped(value, nearest)
}

/** Returns a number of a program as JSON data: marked digits for an integer beyond 2^53. */
export function exactNumber(value: bigint | number): Json {
  const number = Number(value)
  return isHeld(String(value), number) ? number : { [MARK]: String(value) }
}

/** Returns the marked digits, or undefined if a value is something else. */
export function digitsOf(value: Json | undefined): string | undefined {
  if (!isObject(value)) return undefined
  const digits = value[MARK]
  if (typeof digits !== 'string' || Object.keys(value).length !== 1) return undefined
  return NUMBER.test(digits) && !isHeld(digits, Number(digits)) ? digits : undefined
}

/** Returns marked digits in a value, or undefined if it has none. Not recursive: a value may be nested deeply. */
export function firstDigits(value: Json): string | undefined {
  const pending: Json[] = [value]
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    if (part === null || typeof part !== 'object') continue
    const digits = digitsOf(part)
    if (digits !== undefined) return digits
    for (const member of Object.values(part)) pending.push(member as Json)
  }
  return undefined
}

/** Returns whether a double is read from these digits, written as the same number, and safe to sign (I-JSON). */
function isHeld(source: string, read: number): boolean {
  return isExact(read) && sameDecimal(source, String(read))
}

/** Returns whether two decimal numbers, such as `1.50` and `15e-1`, are the same number. */
export function sameDecimal(a: string, b: string): boolean {
  return a === b || decimalOf(a) === decimalOf(b)
}

const QUOTE = 0x22
const MINUS = 0x2d

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end + 1
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0
  while (text[at - 1 - backslashes] === '\\') backslashes++
  return backslashes % 2 === 1
}

function endOfNumber(text: string, start: number): number {
  let end = start + 1
  while (end < text.length && IN_NUMBER.has(text.charCodeAt(end))) end++
  return end
}

const IN_NUMBER = new Set([...'0123456789.eE+-'].map((character) => character.charCodeAt(0)))

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** Far beyond the exponents of a double, and short enough to be added up. */
const LONGEST_EXPONENT = 20

/** A decimal number as its significant digits and the power of ten of the last one, so that each value has one form. */
function decimalOf(text: string): string {
  const parts = /^([-+]?)(\d*)(?:\.(\d*))?(?:[eE]([-+]?\d+))?$/.exec(text)
  if (parts === null) return text
  const [, sign, whole = '', fraction = '', exponent = '0'] = parts
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = withoutFinalZeros(digits)
  if (significant === '') return '0'
  if (exponent.length > LONGEST_EXPONENT) return text
  const power = BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - significant.length)
  return `${sign === '-' ? '-' : ''}${significant}e${power}`
}

/** A pattern for them takes quadratic time. */
function withoutFinalZeros(digits: string): string {
  let end = digits.length
  while (digits[end - 1] === '0') end--
  return digits.slice(0, end)
}

function asRaw(value: Json): Json {
  const digits = digitsOf(value)
  return digits === undefined ? value : rawJSON(digits)
}

/** A check of a type refuses an infinite number. */
function nearest(digits: string): number {
  const number = Number(digits)
  return Number.isFinite(number) ? number : Math.sign(number) * Number.MAX_VALUE
}

function mapped(value: Json, replace: (digits: string) => Json): Json {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) {
    const items = value.map((item: Json) => mapped(item, replace))
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  const digits = digitsOf(value)
  if (digits !== undefined) return replace(digits)
  const entries = Object.entries(value as JsonObject)
  const changed = entries.map(([name, member]) => [name, mapped(member, replace)] as const)
  return changed.some(([, member], index) => member !== entries[index]?.[1])
    ? Object.fromEntries(changed)
    : value
}
