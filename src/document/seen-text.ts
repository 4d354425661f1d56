import { type MappedText, replaceMapped, TextMapper, then, unchanged } from './mapped-text.ts'
import { showText } from './shown-text.ts'
import { hasEscapes, hasMarkup, unescapeText, unmarkText } from './unescape-text.ts'

/**
 * Returns a text as a person reads it on a screen, with its mapping: as {@link showText} shows it, with compatibility
 * forms as plain characters (NFKC: full width, mathematical letters, ligatures), and with one form of spaces, dashes,
 * quotes, slashes, dots and digits. Marks that belong to no letter are removed. Linear.
 */
export function seenText(text: string): MappedText {
  if (!/[^\n\t -~]/.test(text)) return unchanged(text)
  return then(showText(text), foldForms)
}

/** Returns {@link seenText} for the comparison of phrases: without difference of case, with single spaces. */
export function comparableText(seen: MappedText): MappedText {
  return then(seen, (text) => {
    const even = replaceMapped(text, /\s+|[ßẞİı]/g, ({ 0: found }) => {
      if (found === 'ß' || found === 'ẞ') return 'ss'
      return found === 'İ' || found === 'ı' ? 'i' : ' '
    })
    // A sigma has another form at the end of a word.
    return { ...even, text: even.text.toLowerCase().replaceAll('ς', 'σ') }
  })
}

/**
 * Returns everything that a reader may see in a text, first what Waybill's own terminal shows. The other readings are
 * those of other viewers, so a gate must accept all of them:
 * - decoded: one level of URL, HTML, JSON and string escapes,
 * - overtyped: a backspace or a carriage return goes back, and the next characters replace the earlier ones,
 * - bare: control sequences shown as text by a viewer that does not know them, letters without a glyph as spaces.
 *
 * Readings that are equal are returned once; for most texts there is one. Linear.
 */
export function readingsOf(text: string): readonly MappedText[] {
  const readings = [seenText(text)]
  if (hasEscapes(text)) readings.push(foldDecoded(text))
  if (OVERTYPED.test(text)) readings.push(then(then(overtype(text), showText), foldForms))
  if (BARE.test(text)) readings.push(then(then(replaceMapped(text, BARE_PARTS, bared), showText), foldForms))
  return distinct(readings)
}

/**
 * Returns {@link readingsOf} a text, and what a viewer of Markdown and HTML shows of it: without escaping backslashes,
 * emphasis, tags and comments.
 */
export function renderedReadingsOf(text: string): readonly MappedText[] {
  const readings = readingsOf(text)
  if (!hasMarkup(text)) return readings
  return distinct([...readings, then(then(then(unescapeText(text), showText), unmarkText), foldForms)])
}

function distinct(readings: readonly MappedText[]): readonly MappedText[] {
  return readings.filter(({ text }, index) => readings.findIndex((other) => other.text === text) === index)
}

/** Returns true if a text can be read in one way only, which is the text itself. Cheap. */
export function isPlainlySeen(text: string): boolean {
  return !MAY_DIFFER.test(text)
}

/** Returns {@link seenText} of a text with one level of URL, HTML, JSON and string escapes decoded. */
export function foldDecoded(text: string): MappedText {
  if (!MAY_DIFFER.test(text)) return unchanged(text)
  return then(then(unescapeText(text), showText), foldForms)
}

const MAY_DIFFER = /[^\n\t -~]|%[0-9a-f]{2}|&[#a-z]|\\/i

const OVERTYPED = /[\b]|\r(?!\n)/

/** Moves back at a backspace and at a carriage return, as a printer or a raw terminal does. */
function overtype(text: string): MappedText {
  const mapper = new TextMapper(text)
  let copied = 0
  let index = 0
  for (const line of text.split('\n')) {
    const begin = index
    index += line.length + 1
    if (!/[\b\r]/.test(line)) continue
    mapper.copy(copied, begin)
    copied = begin + line.length
    // The unit in each column, and the part of the text that wrote it.
    const cells: { unit: string; from: number; to: number }[] = []
    let column = 0
    for (let at = 0; at < line.length; at++) {
      const unit = line[at] as string
      if (unit === '\b') column = Math.max(0, column - 1)
      else if (unit === '\r') column = 0
      else {
        cells[column] = { unit, from: cells[column]?.from ?? begin + at, to: begin + at + 1 }
        column++
      }
    }
    for (const { unit, from, to } of cells) mapper.put(unit, from, to)
  }
  mapper.copy(copied, text.length)
  return mapper.finish()
}

/** Introducers of sequences, and letters that look like a space. */
const BLANK = String.raw`(?<blank>[\u115f\u1160\u3164\uffa0])`
const BARE = new RegExp(String.raw`${BLANK}|[\x1b\x90\x98\x9b\x9d-\x9f]`)
const BARE_PARTS = new RegExp(BARE, 'g')

function bared({ groups }: RegExpExecArray): string {
  return groups?.blank === undefined ? '' : ' '
}

/** A character with the marks and conjoining letters that may combine with it. More would take quadratic time to sort. */
const CLUSTERS = /[^\n\t -~](?:\p{M}|[\u1160-\u11ff\ud7b0-\ud7ff]){0,31}|[ -~](?:\p{M}){1,31}/gu

function foldForms(text: string): MappedText {
  return replaceMapped(text, CLUSTERS, ({ 0: cluster }) => foldCluster(cluster))
}

function foldCluster(cluster: string): string | null {
  if (cluster.length === 1 && KEPT.test(cluster)) return null
  let folded = ''
  for (const character of cluster.normalize('NFKC')) folded += foldCharacter(character)
  return folded === cluster ? null : folded
}

/** Letters that have one form only. */
const KEPT =
  /[\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u0131\u0386-\u03ce\u0400-\u0481\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3\ufffd]/

const FORMS: readonly (readonly [RegExp, string])[] = [
  [/^[\p{Zs}\u2800]$/u, ' '],
  [/^[\p{Pd}\u2212]$/u, '-'],
  [/^[\u3002\u2024\uff61]$/u, '.'],
  [/^[\u2018\u2019\u02bc\u2032\u201b]$/u, "'"],
  [/^[\u201c-\u201f]$/u, '"'],
  [/^[\u2044\u2215\u29f8]$/u, '/'],
  [/^[\u2236\ua789]$/u, ':'],
  // Without a glyph, or a mark that no letter took.
  [/^(?:\p{Default_Ignorable_Code_Point}|\p{Me}|(?=\p{sc=Inherited})\p{Mn})$/u, ''],
]
const DIGIT = /^\p{Nd}$/u

function foldCharacter(character: string): string {
  if (character <= '\x7f') return character
  if (DIGIT.test(character)) return digitOf(character)
  for (const [pattern, form] of FORMS) if (pattern.test(character)) return form
  return character
}

/** The digits of every script are in blocks of ten, from zero to nine. */
function digitOf(digit: string): string {
  let value = 0
  const code = digit.codePointAt(0) as number
  while (value < 9 && DIGIT.test(String.fromCodePoint(code - value - 1))) value++
  return String(value)
}
