import { type MappedText, replaceMapped } from './mapped-text.ts'

/** Control characters that do not end a sequence: terminals perform or ignore them and continue with the sequence. */
const IGNORED = String.raw`[\x00-\x07\x0e-\x17\x19\x1c-\x1f\x7f]`
/**
 * What a terminal takes as a control sequence (ECMA-48), in this order:
 * - a control string (OSC, DCS, SOS, PM, APC) up to BEL or ST. It has at most 2048 characters and contains no other
 *   control character; otherwise only its introducer is removed.
 * - a control sequence (CSI) with its parameters; CAN and SUB cancel it.
 * - every other escape sequence.
 */
const STRING = String.raw`(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x00-\x08\x0a-\x1f\x7f-\x9f]{0,2048}`
const CONTROL = String.raw`(?:\x1b\[|\x9b)(?:[0-?]|${IGNORED}){0,1024}(?:[ -\/]|${IGNORED}){0,8}`
const OTHER = String.raw`\x1b[ -\/]{0,8}`
const SEQUENCE = String.raw`${STRING}(?:\x07|\x1b\\|\x9c)|${CONTROL}[@-~\x18\x1a]|${OTHER}[0-~]`
/** The longest sequence in UTF-16 units, rounded up. */
const LONGEST_SEQUENCE = 4_112

/** A cursor that moves to the right, or to a column, leaves a gap. */
const GAP = String.raw`(?:\x1b\[|\x9b)[0-9]{0,8}[CaIG\x60]`
/** Also a cursor that moves to another line. */
const LINE_BREAK = String.raw`\r\n?|[\v\f\x84\x85\x8d\u2028\u2029]|\x1b[DEM]|(?:\x1b\[|\x9b)[0-9;]{0,16}[ABEFHdef]`
/** Characters that begin or end a sequence, or break a line: only the patterns above decide about them. */
const ACTIVE = String.raw`\x07\x1b\x84\x8d\x90\x98\x9b-\x9f\r\v\f\x85`
/**
 * Characters without a glyph, among them all control characters but the active ones. Some format characters of Arabic,
 * Syriac and Kaithi have a glyph.
 */
const INVISIBLE = String.raw`[[\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\p{Cf}\p{Cc}\u{1d159}]--[\t\n${ACTIVE}\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]]`

const HIDDEN = new RegExp(
  `(?<gap>${GAP})|(?<line>${LINE_BREAK})|${SEQUENCE}|(?<run>${INVISIBLE}+)|(?<half>\\p{Cs}+)|[${ACTIVE}]`,
  'gv',
)
const HIDDEN_CHARACTER = `${INVISIBLE}|[${ACTIVE}\\u2028\\u2029\\p{Cs}]`
const MAY_HIDE = new RegExp(HIDDEN_CHARACTER, 'v')
const EVERY_HIDDEN = new RegExp(HIDDEN_CHARACTER, 'gv')

/** Joiners and variation selectors change the shape of their neighbours in some scripts, and of emoji. */
const JOINERS = /^(?:[\u200c\u200d]|[\ufe0e\ufe0f]\u200d?)$/
const SHAPED =
  /[\p{sc=Arabic}\p{sc=Syriac}\p{sc=Mongolian}\p{sc=Devanagari}\p{sc=Bengali}\p{sc=Gurmukhi}\p{sc=Gujarati}\p{sc=Oriya}\p{sc=Tamil}\p{sc=Telugu}\p{sc=Kannada}\p{sc=Malayalam}\p{sc=Sinhala}\p{sc=Khmer}\p{sc=Myanmar}]/u
const EMOJI = /\p{Extended_Pictographic}|\p{Emoji_Modifier}/u

/**
 * Returns a text as Waybill's terminal shows it, with its mapping: without control sequences, control characters and
 * invisible characters. Every line break becomes a line feed, a movement of the cursor to the right a space, and half of
 * a surrogate pair U+FFFD. Showing the result again changes nothing. Linear.
 *
 * Joiners and variation selectors are kept where they shape letters of complex scripts, or emoji.
 * @param preceding the end of the shown text before this one
 */
export function showText(text: string, preceding = ''): MappedText {
  return replaceMapped(text, HIDDEN, ({ 0: found, index, groups }, before) => {
    const { gap, line, run, half } = groups ?? {}
    if (gap !== undefined) return ' '
    if (line !== undefined) return '\n'
    if (half !== undefined) return '\ufffd'.repeat(half.length)
    if (run === undefined) return ''
    const next = text.slice(index + found.length, index + found.length + 2)
    return shapes(found, before() || preceding, next) ? null : ''
  })
}

/** Returns the text that {@link showText} shows. */
export function shownText(text: string, preceding = ''): string {
  return MAY_HIDE.test(text) ? showText(text, preceding).text : text
}

/** Returns the text with all characters that a person cannot see as escapes of JSON: `\\u200b`. Line feeds and tabs stay. */
export function escapeHidden(text: string): string {
  return MAY_HIDE.test(text) ? text.replaceAll(EVERY_HIDDEN, escaped) : text
}

/** Returns the text with U+FFFD for each character that a person cannot see. */
export function markHidden(text: string): string {
  return text.replaceAll(EVERY_HIDDEN, '\ufffd')
}

function escaped(character: string): string {
  let units = ''
  for (let at = 0; at < character.length; at++)
    units += `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`
  return units
}

function shapes(run: string, before: string, after: string): boolean {
  if (!JOINERS.test(run)) return false
  const last = lastOf(before)
  const next = String.fromCodePoint(after.codePointAt(0) ?? 0)
  if (run === '\ufe0e' || run === '\ufe0f') return EMOJI.test(last)
  return (
    (EMOJI.test(last) && EMOJI.test(next)) || (run.length === 1 && SHAPED.test(last) && SHAPED.test(next))
  )
}

function lastOf(text: string): string {
  return [...text].at(-1) ?? ''
}

/**
 * Returns the offset from which the end of a text may be shown differently together with the text that follows: an
 * open control sequence, half of a line break or of a surrogate pair, or invisible characters; otherwise the length of
 * the text.
 */
export function unfinishedFrom(text: string): number {
  if (text.endsWith('\r')) return text.length - 1
  const tail = Math.max(0, text.length - LONGEST_SEQUENCE)
  const open = text.slice(tail).search(OPEN)
  let from = open < 0 ? text.length : tail + open
  while (from > 0) {
    const size = from > 1 && (text.codePointAt(from - 2) as number) > 0xffff ? 2 : 1
    if (!AT_END.test(text.slice(from - size, from))) return from
    from -= size
  }
  return 0
}

const OPEN = new RegExp(`(?:${STRING}\\x1b?|${CONTROL}|${OTHER}|[\\ud800-\\udbff])$`, 'v')
const AT_END = new RegExp(`^${INVISIBLE}$`, 'v')

/** A text that arrives in pieces. */
export interface TextStream {
  push(delta: string): void
  /** Emits the text that was held back; the next piece begins a new text. */
  flush(): void
}

/** Shows a text that arrives in pieces: what is emitted is together what {@link showText} shows of the whole text. */
export function showStream(emit: (text: string) => void): TextStream {
  let held = ''
  let last = ''
  const show = (text: string) => {
    const shown = shownText(text, last)
    if (shown === '') return
    last = shown.slice(-2)
    emit(shown)
  }
  return {
    push(delta) {
      held += delta
      const end = unfinishedFrom(held)
      show(held.slice(0, end))
      held = held.slice(end).replace(LONG_RUN, '$1')
    },
    flush() {
      show(held)
      held = ''
      last = ''
    },
  }
}

/** Of a run that shapes nothing three characters are enough, so that an endless run costs no memory and time. */
const LONG_RUN = new RegExp(`^(${INVISIBLE}{3})${INVISIBLE}+`, 'v')
