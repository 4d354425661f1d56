import { compileLinearPattern } from '../schema/user-pattern.ts'
import { examplesOfPattern } from './example-pattern.ts'
import type { PlainSchema } from './merge-schemas.ts'

/** Addresses and names that the standards reserve for examples (RFC 2606, RFC 5737, RFC 3849). */
const FORMATS: ReadonlyMap<string, (turn: number) => string> = new Map([
  ['email', (n: number) => `person${n === 0 ? '' : n}@example.com`],
  ['idn-email', (n: number) => `person${n === 0 ? '' : n}@example.com`],
  ['uuid', (n: number) => `00000000-0000-4000-8000-${String(n + 1).padStart(12, '0')}`],
  ['uri', (n: number) => `https://example.com/${n === 0 ? '' : n}`],
  ['url', (n: number) => `https://example.com/${n === 0 ? '' : n}`],
  ['iri', (n: number) => `https://example.com/${n === 0 ? '' : n}`],
  ['uri-reference', (n: number) => `/example/${n}`],
  ['uri-template', (n: number) => `/example/{id}/${n}`],
  ['date', (n: number) => `2026-01-${String(1 + (n % 28)).padStart(2, '0')}`],
  ['date-time', (n: number) => `2026-01-${String(1 + (n % 28)).padStart(2, '0')}T12:00:00Z`],
  ['time', (n: number) => `12:${String(n % 60).padStart(2, '0')}:00Z`],
  ['duration', (n: number) => `PT${n + 1}M`],
  ['ipv4', (n: number) => `192.0.2.${1 + (n % 254)}`],
  ['ipv6', (n: number) => `2001:db8::${1 + (n % 9)}`],
  ['hostname', (n: number) => `host${n === 0 ? '' : n}.example.com`],
  ['idn-hostname', (n: number) => `host${n === 0 ? '' : n}.example.com`],
  ['json-pointer', (n: number) => `/example/${n}`],
  ['relative-json-pointer', (n: number) => `${n}/example`],
  ['regex', () => '^.*$'],
  ['byte', () => 'ZXhhbXBsZQ=='],
  ['phone', (n: number) => `+1202555${String(100 + (n % 100)).padStart(4, '0')}`],
])

/**
 * Returns a text of the schema's format, pattern and lengths (in code points), or null if none was found.
 * @param name of the member, which the text contains so that its purpose is visible
 */
export function exampleString(schema: PlainSchema, name: string, turn: number): string | null {
  const min = (schema.minLength as number | undefined) ?? 0
  const max = (schema.maxLength as number | undefined) ?? Number.POSITIVE_INFINITY
  if (min > max || min > 1_000_000) return null
  const fits = (text: string) => {
    const length = [...text].length
    return length >= min && length <= max
  }
  const formatted = FORMATS.get(String(schema.format))?.(turn)
  const pattern = schema.pattern as string | undefined
  const matches = pattern === undefined ? null : compileLinearPattern(pattern)
  const plain = plainText(name, turn, min, max)
  for (const text of [formatted, plain]) {
    if (text !== undefined && fits(text) && (matches?.test(text) ?? true)) return text
  }
  if (pattern === undefined) return plain
  // If the pattern is not anchored at its end, more text may follow.
  for (const seed of new Set([turn, 0, 1, 2, 3]))
    for (const text of examplesOfPattern(pattern, seed))
      for (const padded of [text, text.padEnd(min, 'a'), text.padStart(min, 'a')])
        if (fits(padded) && (matches?.test(padded) ?? true)) return padded
  return null
}

function plainText(name: string, turn: number, min: number, max: number): string {
  const words = name === '' ? 'example' : `example ${name.replaceAll('_', ' ').slice(0, 40)}`
  const numbered = turn === 0 ? words : `${words} ${turn}`
  const characters = [...numbered]
  if (characters.length > max) return turn === 0 ? characters.slice(0, max).join('') : lettersOf(turn, max)
  return numbered.padEnd(min, '.')
}

/** Returns short texts that differ by turn. */
function lettersOf(turn: number, length: number): string {
  let text = ''
  for (let n = turn; text.length < length; n = Math.floor(n / 26))
    text = String.fromCharCode(97 + (n % 26)) + text
  return text
}

/** Returns a number within the bounds, small and positive if possible, or null if there is none. */
export function exampleNumber(schema: PlainSchema, whole: boolean, turn: number): number | null {
  const number = (keyword: string) => schema[keyword] as number | undefined
  const step = stepOf(number('multipleOf'), whole)
  const least = Math.max(
    number('minimum') ?? Number.NEGATIVE_INFINITY,
    number('exclusiveMinimum') ?? Number.NEGATIVE_INFINITY,
  )
  const most = Math.min(
    number('maximum') ?? Number.POSITIVE_INFINITY,
    number('exclusiveMaximum') ?? Number.POSITIVE_INFINITY,
  )
  const inside = (value: number) =>
    value >= least &&
    value <= most &&
    !(value <= (number('exclusiveMinimum') ?? Number.NEGATIVE_INFINITY)) &&
    !(value >= (number('exclusiveMaximum') ?? Number.POSITIVE_INFINITY))
  const grid = step ?? (whole ? 1 : 0)
  const starts = [1, 0, least, most, (least + most) / 2].filter(Number.isFinite)
  for (const start of starts) {
    if (grid === 0) {
      for (const value of fractions(start, turn)) if (inside(value)) return value
      continue
    }
    const base = Math.ceil(start / grid)
    for (const k of [base + turn, base, base - 1, base - turn, base + 1]) {
      const value = tidy(k * grid)
      if (inside(value)) return value === 0 ? 0 : value
    }
  }
  return null
}

/** Later tries begin with fractions, because whole numbers may match an alternative that must not match. */
function fractions(start: number, turn: number): number[] {
  const values = [start + turn, start, start - turn, start + 0.5, start - 0.5]
  return turn < 4 ? values : [start + turn + 0.5, ...values]
}

/** Returns the distance between allowed numbers: multiples, and whole if required. */
function stepOf(multipleOf: number | undefined, whole: boolean): number | null {
  if (multipleOf === undefined) return null
  if (!whole) return multipleOf
  for (let k = 1; k <= 1_000; k++) if (Number.isInteger(tidy(multipleOf * k))) return tidy(multipleOf * k)
  return multipleOf
}

/** Rounds as people do: `3 * 0.1` becomes 0.3. */
function tidy(value: number): number {
  return Number(value.toPrecision(12))
}
