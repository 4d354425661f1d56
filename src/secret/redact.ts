import { decodedTexts, mayHoldEncoded, plainParts } from '../document/decoded-texts.ts'
import type { Json, JsonObject } from '../document/json.ts'
import { type MappedText, replaceMapped, then, unchanged } from '../document/mapped-text.ts'
import { joinedReadingsOf, seenText, squeezed, squeezedText } from '../document/seen-text.ts'
import { type AnyOf, anyOf, mayBeSpaced } from './any-of.ts'
import { NumericValues } from './numeric-values.ts'
import { scanText } from './secret-patterns.ts'

/** Removes secrets from data before it is written, shown or sent. */
export interface Redactor {
  /**
   * Returns the text with known values as `[secret NAME]` and known key formats as `[redacted KIND]`; the same text if
   * it contains none.
   */
  text(text: string): string
  /**
   * Does the same in every string, number and member name, and in lists that spell a value with their items; returns the
   * same reference if the value is clean, and never copies clean parts.
   */
  json<T extends Json>(value: T): T
  /** Adds a value that was fetched later, e.g. from a vault; ignores known values. */
  add(name: string, value: string): void
  /** Returns how many characters of a streamed text must be held back, so that no value is split. */
  reach(): RedactorReach
  /** Returns the length of the longest end of a text that a value may begin with, whatever its white space and case. */
  begun(text: string): number
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

/** A value of fewer characters is not searched across white space, where words and numbers form it by chance. */
const SHORTEST_ACROSS = 8
/** Matches no text. */
const NOTHING = /(?!)/
/** Encodings within encodings. */
const DEEPEST = 2

/**
 * Known values are found as they are, as Base64 (both alphabets; also inside a larger encoded text), in hexadecimal,
 * and in all readings of a text: as a person sees it (see `renderedReadingsOf`), whatever its case and white space, and
 * decoded (see `decodedTexts`), also twice. Values shorter than {@link SHORTEST_REDACTED} characters are NOT replaced.
 * @param secrets value by name; the values stay in memory of the redactor and are in none of its outputs.
 */
export function createRedactor(secrets: ReadonlyMap<string, string>): Redactor {
  const names = new Map<string, string>()
  const folded = new Map<string, string>()
  const numeric = new NumericValues()
  let known: AnyOf | null = null
  let anyFolded: AnyOf | null = null
  // Prove that no value and no form of one is in a text of ASCII, in little time.
  let mayHoldValue = NOTHING
  let mayHoldForm = NOTHING
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
    const plain = squeezed(seenText(value).text)
    if (plain.length >= SHORTEST_REDACTED && !folded.has(plain)) folded.set(plain, name)
    numeric.add(name, plain)
  }
  const compile = (): void => {
    cleanNames.clear()
    known = names.size === 0 ? null : anyOf([...names.keys()])
    anyFolded = folded.size === 0 ? null : anyOf([...folded.keys()])
    mayHoldValue = folded.size === 0 ? NOTHING : mayBeSpaced([...folded.keys()])
    mayHoldForm = names.size === 0 ? NOTHING : mayBeSpaced([...names.keys()])
  }
  for (const [name, value] of secrets) learn(name, value)
  compile()

  const text = (input: string): string => {
    if (input.length < SHORTEST_REDACTED) return input
    let output = input
    if (known?.isIn(input)) output = input.replace(known.all, markOf)
    output = redactFormats(output)
    return withoutDisguised(output)
  }
  const markOf = (form: string) => `[secret ${names.get(form) ?? ''}]`
  /** Replaces what only a reader sees, or what only a decoder reads. */
  const withoutDisguised = (input: string): string => {
    const found: Marked[] = []
    for (const reading of joinedReadingsOf(input)) found.push(...markedIn(reading, input, 0))
    return found.length === 0 ? input : replaceMarked(input, found)
  }
  /** @param original the text, which was already searched as it is; empty if none was */
  const markedIn = (reading: MappedText, original: string, depth: number): readonly Marked[] => {
    const found: Marked[] = []
    const add = ({ start, end }: MappedText, from: number, to: number, mark: string) =>
      found.push({ start: start(from), end: end(to - 1), mark })
    const { text: read } = reading
    if (read !== original) {
      if (known?.isIn(read))
        for (const { index, 0: form } of read.matchAll(known.all))
          add(reading, index, index + form.length, markOf(form))
      for (const { start, end, kind } of scanText(read)) add(reading, start, end, `[redacted ${kind}]`)
    }
    const ascii = Buffer.byteLength(read) === read.length
    if (anyFolded !== null && (!ascii || mayHoldValue.test(read)) && anyFolded.isIn(squeezed(read))) {
      const even = squeezedText(reading)
      for (const { index, 0: form } of even.text.matchAll(anyFolded.all)) {
        const end = index + form.length
        const isApart = form.length < SHORTEST_ACROSS && even.end(end - 1) - even.start(index) > form.length
        if (!isApart) add(even, index, end, `[secret ${folded.get(form) ?? ''}]`)
      }
    }
    if (!ascii || mayHoldForm.test(read)) found.push(...withinSpaces(reading))
    if (depth < DEEPEST && mayHoldEncoded(read)) found.push(...encodedIn(reading, depth))
    return found
  }
  /** Finds encoded forms that white space divides: Base64 in lines or groups, hexadecimal in groups. */
  const withinSpaces = (reading: MappedText): readonly Marked[] => {
    if (known === null || !/\s/.test(reading.text)) return []
    const { all } = known
    if (!known.isIn(reading.text.replaceAll(/\s+/g, ''))) return []
    const joined = then(reading, (text) => replaceMapped(text, /\s+/g, () => ''))
    return [...joined.text.matchAll(all)]
      .filter(({ 0: form }) => form.length >= SHORTEST_ACROSS)
      .map(({ index, 0: form }) => ({
        start: joined.start(index),
        end: joined.end(index + form.length - 1),
        mark: markOf(form),
      }))
  }
  /** A value in a decoded text covers the whole encoded part, because a part of it cannot be replaced. */
  const encodedIn = (reading: MappedText, depth: number): readonly Marked[] => {
    const found: Marked[] = []
    for (const decoded of decodedTexts(reading.text)) {
      const [first] = plainParts(decoded.text).flatMap((part) =>
        joinedReadingsOf(part).flatMap((inner) => markedIn(inner, '', depth + 1)),
      )
      if (first !== undefined)
        found.push({
          start: reading.start(decoded.start(0)),
          end: reading.end(decoded.end(0) - 1),
          mark: first.mark,
        })
    }
    return found
  }

  const isCleanName = (name: string): boolean => {
    if (cleanNames.has(name)) return true
    if (text(name) !== name) return false
    if (cleanNames.size < MAX_CLEAN_NAMES) cleanNames.add(name)
    return true
  }

  const json = (value: Json): Json => {
    if (typeof value === 'string') return text(value)
    if (typeof value === 'number') {
      const name = numeric.nameOf(value)
      return name === undefined ? value : `[secret ${name}]`
    }
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
    if (copy !== null) return copy
    const joined = joinedItems(values)
    const [mark] = joined === '' ? [] : markedIn(unchanged(joined), '', 0)
    return mark === undefined ? values : [mark.mark]
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
    begun(input) {
      const even = squeezedText(seenText(input))
      const { text: read } = even
      let longest = 0
      for (const value of folded.keys())
        for (let size = Math.min(value.length - 1, read.length); size > longest; size--)
          if (read.endsWith(value.slice(0, size))) longest = size
      return longest === 0 ? 0 : input.length - even.start(read.length - longest)
    },
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

/** Items of a list that is read as one text: characters, words or bytes. */
const LONGEST_ITEM = 64
const MOST_ITEMS = 4096

/** Returns the text that the items of a list spell together, or an empty text. */
function joinedItems(values: readonly Json[]): string {
  if (values.length < 2 || values.length > MOST_ITEMS) return ''
  if (values.every((value) => typeof value === 'string' && value.length <= LONGEST_ITEM))
    return values.join('')
  const isCode = (value: Json): value is number =>
    typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 0x10ffff
  if (!values.every(isCode)) return ''
  return values.every((value) => value <= 255)
    ? Buffer.from(values).toString('utf8').replaceAll('\0', '')
    : String.fromCodePoint(...values)
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
