import { displayedOrder, mayBeTurned } from './displayed-order.ts'
import { type MappedText, replaceMapped, TextMapper, then, unchanged } from './mapped-text.ts'
import { hasMarkup, shownMarkup } from './shown-markup.ts'
import { showText } from './shown-text.ts'
import { unescapeOthers } from './unescape-others.ts'
import { hasEscapes, unescapedLevels } from './unescape-text.ts'

/** Control characters of ASCII but tabs and line feeds, in sets that V8 looks for fast. */
const CONTROLS = ['\\0-\\x08', '\\x10-\\x1f', '\\x0b-\\x0f\\x7f'].map((some) => new RegExp(`[${some}]`))

/** Returns true for a text of visible ASCII, tabs and line feeds. */
function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length && !CONTROLS.some((some) => some.test(text))
}

/**
 * Returns a text as a person reads it on a screen, with its mapping: as {@link showText} shows it, with compatibility
 * forms as plain characters (NFKC: full width, mathematical letters, ligatures), and with one form of spaces, dashes,
 * quotes, slashes, dots and digits. Marks that belong to no letter are removed. Linear.
 */
export function seenText(text: string): MappedText {
  if (isAscii(text)) return unchanged(text)
  return then(showText(text), foldForms)
}

/**
 * Returns a text without white space and without difference of case, for the comparison of secrets: a value is the same
 * with other spaces between its words, with none, and on several lines.
 */
export function squeezedText(seen: MappedText): MappedText {
  return then(comparableText(seen), (text) => replaceMapped(text, /\s+/g, () => ''))
}

/** Returns the text of {@link squeezedText} alone, which is cheaper. */
export function squeezed(text: string): string {
  const folded = /[^\0-\x7f]/.test(text) ? comparableText(unchanged(text)).text : text.toLowerCase()
  return folded.replaceAll(/\s+/g, '')
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
 * - decoded: URL, HTML, JSON and string escapes, each of up to three levels; escapes of CSS, octal and quoted-printable,
 * - in the order in which the characters are displayed (UAX #9),
 * - overtyped: a backspace, a carriage return or a control sequence goes back, and the next characters replace the
 *   earlier ones; control strings of any length are hidden,
 * - bare: control sequences shown as text by a viewer that does not know them, letters without a glyph as spaces.
 *
 * Readings that are equal are returned once; for most texts there is one. Linear.
 */
export function readingsOf(text: string): readonly MappedText[] {
  if (isPlainlySeen(text)) return [unchanged(text)]
  const readings = decodedOf(text).flatMap(shownForms)
  if (OVERTYPED.test(text))
    readings.push(then(then(then(withoutStrings(text), overtype), showText), foldForms))
  if (BARE.test(text)) readings.push(then(then(replaceMapped(text, BARE_PARTS, bared), showText), foldForms))
  return distinct(readings)
}

/**
 * Returns {@link readingsOf} a text, and what viewers of Markdown and HTML show of it: without escaping backslashes,
 * emphasis, tags and comments, with and without elements that a viewer hides.
 */
export function renderedReadingsOf(text: string): readonly MappedText[] {
  const readings = readingsOf(text)
  const decoded = [unchanged(text), ...unescapedLevels(text)]
  const marked = decoded
    // A control sequence has brackets, but characters that turn the text are needed until it is displayed.
    .flatMap((source) => [then(source, showText), ...(mayBeTurned(source.text) ? [source] : [])])
    .filter((source) => hasMarkup(source.text))
  if (marked.length === 0) return readings
  const shown = marked.flatMap((source) =>
    shownMarkup(source.text).map((reading) =>
      then(source, (same) => (same === source.text ? reading : unchanged(same))),
    ),
  )
  return distinct([...readings, ...shown.flatMap(shownForms)])
}

function distinct(readings: readonly MappedText[]): readonly MappedText[] {
  return readings.filter(({ text }, index) => readings.findIndex((other) => other.text === text) === index)
}

/** Tags and comments, and marks of Markdown within a word: what they divide, a viewer joins. */
const JOINING =
  /<(?=[a-zA-Z/!?])|[*_~`\\](?<=[\p{L}\p{N}][*_~`\\])(?=[*_~`\\]{0,7}[\p{L}\p{N}])|\\(?=[!-/:-@[-`{-~])/u

/** Returns {@link renderedReadingsOf} a text that has marks within words, and {@link readingsOf} another. */
export function joinedReadingsOf(text: string): readonly MappedText[] {
  // Most texts have none of these, which V8 finds faster than the pattern.
  return JOINING_MARK.test(text) && JOINING.test(text) ? renderedReadingsOf(text) : readingsOf(text)
}

const JOINING_MARK = /[<*_~`\\]/

/** Returns a text, and the texts that it is an escaped form of. */
function decodedOf(text: string): readonly MappedText[] {
  return [unchanged(text), ...unescapedLevels(text), ...unescapeOthers(text)]
}

/** Returns what a viewer shows of a text: in the order of its characters, and as displayed if that may differ. */
function shownForms(text: MappedText): readonly MappedText[] {
  const forms = [then(then(text, showText), foldForms)]
  if (mayBeTurned(text.text)) forms.push(then(then(then(text, displayedOrder), showText), foldForms))
  return forms
}

/** Returns true if a text can be read in one way only, which is the text itself. Cheap. */
export function isPlainlySeen(text: string): boolean {
  return !hasEscapes(text) && !ENCODED_BYTE.test(text) && isAscii(text)
}

/** Returns {@link seenText} of a text with all levels of its URL, HTML, JSON and string escapes decoded. */
export function foldDecoded(text: string): MappedText {
  if (isPlainlySeen(text)) return unchanged(text)
  return then(then(unescapedLevels(text).at(-1) ?? unchanged(text), showText), foldForms)
}

/** A byte, or a soft line break, of quoted-printable. */
const ENCODED_BYTE = /=(?:[0-9A-F]{2}|\r?\n)/

/** Beginnings of control strings, and what they must not contain, as parts of patterns. */
const OPENED = String.raw`(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])`
const INSIDE = String.raw`[^\x07\x1b\x90\x98\x9b-\x9f]`
const CSI = String.raw`(?:\x1b\[|\x9b)`

const OVERTYPED = new RegExp(String.raw`${OPENED}|${CSI}|[\b]|\r(?!\n)`)

/** Control strings of any length, over several lines. */
const STRINGS = new RegExp(String.raw`${OPENED}${INSIDE}*(?:\x07|\x1b\\|\x9c)`, 'g')

function withoutStrings(text: string): MappedText {
  return replaceMapped(text, STRINGS, () => '')
}

/** A sequence that moves the cursor within its line: left, right, or to a column. */
const MOVE = new RegExp(`${CSI}(\\d{0,5})([CDG\`])`, 'y')
const MOVED = new RegExp(`${CSI}|[\\b\\r]`)

/** Moves the cursor within a line, as a printer or a raw terminal does. Of a gap only one column is kept. */
function overtype(text: string): MappedText {
  const mapper = new TextMapper(text)
  let copied = 0
  let index = 0
  for (const line of text.split('\n')) {
    const begin = index
    index += line.length + 1
    if (!MOVED.test(line)) continue
    mapper.copy(copied, begin)
    copied = begin + line.length
    // The unit in each column, and the part of the text that wrote it.
    const cells: { unit: string; from: number; to: number }[] = []
    let column = 0
    for (let at = 0; at < line.length; at++) {
      const unit = line[at] as string
      MOVE.lastIndex = at
      const move = unit === '\x1b' || unit === '\x9b' ? MOVE.exec(line) : null
      if (unit === '\b') column = Math.max(0, column - 1)
      else if (unit === '\r') column = 0
      else if (move !== null) {
        at += move[0].length - 1
        const target = targetOf(move, column)
        // Behind the end of the line, a gap begins.
        if (target > cells.length) {
          cells.push({ unit: ' ', from: begin + at, to: begin + at + 1 })
        }
        column = Math.min(target, cells.length)
      } else {
        cells[column] = { unit, from: cells[column]?.from ?? begin + at, to: begin + at + 1 }
        column++
      }
    }
    for (const { unit, from, to } of cells) mapper.put(unit, from, to)
  }
  mapper.copy(copied, text.length)
  return mapper.finish()
}

function targetOf([, amount, kind]: RegExpExecArray, column: number): number {
  const by = Number(amount) || 1
  if (kind === 'C') return column + by
  return kind === 'D' ? Math.max(0, column - by) : by - 1
}

/** Introducers of sequences, and letters that look like a space. */
const BLANK = String.raw`(?<blank>[\u115f\u1160\u3164\uffa0])`
const BARE = new RegExp(String.raw`${BLANK}|[\x1b\x90\x98\x9b\x9d-\x9f]`)
const BARE_PARTS = new RegExp(BARE, 'g')

function bared({ groups }: RegExpExecArray): string {
  return groups?.blank === undefined ? '' : ' '
}

/** Letters that have one form only. */
const KEPT = String.raw`\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u0131\u0386-\u03ce\u0400-\u0481\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3\ufffd`

/** A character with the marks and conjoining letters that may combine with it. More would take quadratic time to sort. */
const MARK = String.raw`[\p{M}\u1160-\u11ff\ud7b0-\ud7ff]`
const CLUSTERS = new RegExp(String.raw`[^\n\t -~${KEPT}]${MARK}{0,31}|[ -~${KEPT}]${MARK}{1,31}`, 'gu')

function foldForms(text: string): MappedText {
  return replaceMapped(text, CLUSTERS, ({ 0: cluster }) => foldCluster(cluster))
}

function foldCluster(cluster: string): string | null {
  const letter = picturedLetter(cluster)
  if (letter !== null) return letter
  let folded = ''
  for (const character of cluster.normalize('NFKC')) folded += foldCharacter(character)
  return folded === cluster ? null : folded
}

/** Small capitals that have no compatibility form. */
const SMALL_CAPITALS: ReadonlyMap<string, string> = new Map(
  [...'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ'].map((letter, index) => [
    letter,
    'abcdefghijklmnopqrstuvwyz'.charAt(index),
  ]),
)
/** First letters of alphabets that are pictures: parenthesized, in circles and squares, and of flags. */
const PICTURED: readonly number[] = [0x249c, 0x1f110, 0x1f130, 0x1f150, 0x1f170, 0x1f1e6]

/** Returns the letter that a picture shows, or null. */
function picturedLetter(character: string): string | null {
  const code = character.codePointAt(0) as number
  const first = PICTURED.find((start) => code >= start && code < start + 26)
  return first === undefined ? null : String.fromCharCode(97 + code - first)
}

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
  const capital = SMALL_CAPITALS.get(character)
  if (capital !== undefined) return capital
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
