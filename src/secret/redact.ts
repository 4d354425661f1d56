import type { Json, JsonObject } from '../document/json.ts'
import { isPlainlySeen, readingsOf, seenText } from '../document/seen-text.ts'
import { type AnyOf, anyOf } from './any-of.ts'
import { scanText } from './secret-patterns.ts'

/** Removes secrets from data before it is written, shown or sent. */
export interface Redactor {
  /**
   * Returns the text with known values as `[secret NAME]` and known key formats as `[redacted KIND]`; the same text if
   * it contains none.
   */
  text(text: string): string
  /**
   * Does the same in every string and member name; returns the same reference if the value is clean, and never copies
   * clean parts.
   */
  json<T extends Json>(value: T): T
  /** Adds a value that was fetched later, e.g. from a vault; ignores known values. */
  add(name: string, value: string): void
  /** Returns how many characters of a streamed text must be held back, so that no value is split. */
  reach(): RedactorReach
}

export interface RedactorReach {
  /** Length of the longest known value in characters; 0 without values. */
  readonly longest: number
  /** Length of the longest known value with characters other than visible ASCII, such as a space; 0 without one. */
  readonly spaced: number
}

/** Shorter values are common words and numbers: replacing them would destroy texts and protect little. */
export const SHORTEST_REDACTED = 6

/** Maximum number of names cached as clean, so that invented names cannot fill the memory. */
const MAX_CLEAN_NAMES = 1000

/**
 * Known values are found as they are, as Base64 (both alphabets; also inside a larger encoded text), in hexadecimal,
 * and as a person sees them: escaped in URLs, in JSON and in HTML, with invisible characters or control sequences in
 * them, in wide letters (see `readingsOf`). Values shorter than {@link SHORTEST_REDACTED} characters are NOT replaced.
 * @param secrets value by name; the values stay in memory of the redactor and are in none of its outputs.
 */
export function createRedactor(secrets: ReadonlyMap<string, string>): Redactor {
  const names = new Map<string, string>()
  let known: AnyOf | null = null
  // Member names are few and repeat often.
  const cleanNames = new Set<string>()
  const values = new Set<string>()
  let reach: RedactorReach = { longest: 0, spaced: 0 }

  const learn = (name: string, value: string): void => {
    if (value.length < SHORTEST_REDACTED) return
    values.add(value)
    const { length } = value
    reach = {
      longest: Math.max(reach.longest, length),
      spaced: /[^!-~]/.test(value) ? Math.max(reach.spaced, length) : reach.spaced,
    }
    for (const form of formsOf(value)) if (!names.has(form)) names.set(form, name)
  }
  const compile = (): void => {
    cleanNames.clear()
    known = names.size === 0 ? null : anyOf([...names.keys()])
  }
  for (const [name, value] of secrets) learn(name, value)
  compile()

  const text = (input: string): string => {
    if (input.length < SHORTEST_REDACTED) return input
    let output = input
    if (known?.isIn(input)) output = input.replace(known.all, markOf)
    output = redactFormats(output)
    return isPlainlySeen(output) ? output : withoutSeen(output)
  }
  const markOf = (form: string) => `[secret ${names.get(form) ?? ''}]`
  /** Replaces what only a reader sees: a value with invisible characters in it, in wide letters, or escaped. */
  const withoutSeen = (input: string): string => {
    const found: Marked[] = []
    for (const reading of readingsOf(input)) {
      if (reading.text === input) continue
      const add = (start: number, end: number, mark: string) =>
        found.push({ start: reading.start(start), end: reading.end(end - 1), mark })
      if (known?.isIn(reading.text))
        for (const { index, 0: form } of reading.text.matchAll(known.all))
          add(index, index + form.length, markOf(form))
      for (const { start, end, kind } of scanText(reading.text)) add(start, end, `[redacted ${kind}]`)
    }
    return found.length === 0 ? input : replaceMarked(input, found)
  }

  const isCleanName = (name: string): boolean => {
    if (cleanNames.has(name)) return true
    if (text(name) !== name) return false
    if (cleanNames.size < MAX_CLEAN_NAMES) cleanNames.add(name)
    return true
  }

  const json = (value: Json): Json => {
    if (typeof value === 'string') return text(value)
    if (value === null || typeof value !== 'object') return value
    return Array.isArray(value) ? list(value) : object(value as JsonObject)
  }
  const list = (values: readonly Json[]): readonly Json[] => {
    let copy: Json[] | null = null
    for (let i = 0; i < values.length; i++) {
      const clean = json(values[i] as Json)
      if (clean === values[i]) continue
      copy ??= [...values]
      copy[i] = clean
    }
    return copy ?? values
  }
  const object = (value: JsonObject): JsonObject => {
    let changed = false
    for (const name in value) {
      const member = value[name] as Json
      if (!isCleanName(name) || json(member) !== member) {
        changed = true
        break
      }
    }
    if (!changed) return value
    // `fromEntries` defines own members, including `__proto__`.
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [text(name), json(member)]))
  }

  return {
    text,
    json: json as <T extends Json>(value: T) => T,
    reach: () => reach,
    add(name, value) {
      if (values.has(value) || value.length < SHORTEST_REDACTED) return
      learn(name, value)
      compile()
    },
  }
}

/** Returns the text with known key formats as `[redacted KIND]`, for callers without known values. */
export function redactFormats(text: string): string {
  return replaceMarked(
    text,
    scanText(text).map(({ start, end, kind }) => ({ start, end, mark: `[redacted ${kind}]` })),
  )
}

interface Marked {
  readonly start: number
  readonly end: number
  /** The text in its place. */
  readonly mark: string
}

/** Where two parts overlap, both are removed, and the mark of the first is written. */
function replaceMarked(text: string, parts: readonly Marked[]): string {
  if (parts.length === 0) return text
  let output = ''
  let from = 0
  for (const { start, end, mark } of parts.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (start >= from) output += text.slice(from, start) + mark
    from = Math.max(from, end)
  }
  return output + text.slice(from)
}

/** Returns the encoded forms of a value. */
function formsOf(value: string): Set<string> {
  const bytes = Buffer.from(value, 'utf8')
  const escaped = encodeUrl(value)
  const lower = escaped.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())
  const forms = [
    value,
    seenText(value).text,
    escaped,
    lower,
    new URLSearchParams([['', value]]).toString().slice(1),
  ]
  const hex = bytes.toString('hex')
  forms.push(JSON.stringify(value).slice(1, -1), bytes.toString('base64'), hex, hex.toUpperCase())
  // A value that is encoded after other text (`user:password`) starts at one of three offsets: the characters that
  // depend only on its own bytes are the same for every prefix.
  for (const offset of [0, 1, 2]) {
    const padded = Buffer.concat([Buffer.alloc(offset), bytes])
    const first = offset === 0 ? 0 : offset + 1
    const sure = padded.toString('base64').slice(first, Math.floor((padded.length * 8) / 6))
    if (sure.length >= SHORTEST_REDACTED + 2) forms.push(sure, sure.replaceAll('+', '-').replaceAll('/', '_'))
  }
  return new Set(forms.filter((form) => form.length >= SHORTEST_REDACTED))
}

function encodeUrl(value: string): string {
  try {
    return encodeURIComponent(value)
  } catch {
    // A lone surrogate cannot be encoded.
    return value
  }
}
