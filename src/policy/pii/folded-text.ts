/** A normalised text, with a mapping to the offsets of the original. */
export interface FoldedText {
  readonly text: string
  /** Offset in the original of the folded character at `index`. */
  start(index: number): number
  /** Offset in the original after the folded character at `index`. */
  end(index: number): number
}

const TO_FOLD = /[^\n\r\t -~]|%[0-9a-f]{2}|&(?:#|commat;|period;)|\\[ux][0-9a-f]{2}/i
// Combining marks, variation selectors and tags are also invisible.
const INVISIBLE =
  /[\p{Cc}\p{Cf}\p{Variation_Selector}\u{115f}\u{1160}\u{17b4}\u{17b5}\u{3164}\u{ffa0}]|\u{34f}|\u{20e3}/u
const ESCAPE =
  /%([0-7][0-9a-f])|&#(\d{1,6});|&#x([0-9a-f]{1,6});|(&commat;)|(&period;)|\\u00([0-7][0-9a-f])|\\x([0-7][0-9a-f])/iy
const DIGIT = /\p{Nd}/u

/**
 * Removes obfuscation that affects patterns but not readers: invisible characters, full-width and other digits and
 * letters (NFKC), unusual spaces and dashes, and one level of URL, HTML and string escapes. Linear.
 */
export function foldText(text: string): FoldedText {
  if (!TO_FOLD.test(text)) return { text, start: (index) => index, end: (index) => index + 1 }
  const starts: number[] = []
  const ends: number[] = []
  let folded = ''
  const take = (characters: string, start: number, end: number) => {
    folded += characters
    for (let i = 0; i < characters.length; i++) {
      starts.push(start)
      ends.push(end)
    }
  }
  for (let at = 0; at < text.length; ) {
    const code = text.codePointAt(at) as number
    const size = code > 0xffff ? 2 : 1
    if (code === 0x25 || code === 0x26 || code === 0x5c) {
      const [character, length] = readEscape(text, at)
      take(character, at, at + length)
      at += length
      continue
    }
    if ((code >= 0x20 && code < 0x7f) || code === 0x09 || code === 0x0a || code === 0x0d)
      take(text[at] as string, at, at + 1)
    else {
      const character = text.slice(at, at + size)
      if (!INVISIBLE.test(character)) take(plain(character), at, at + size)
    }
    at += size
  }
  return {
    text: folded,
    start: (index) => starts[index] ?? text.length,
    end: (index) => ends[index] ?? text.length,
  }
}

function readEscape(text: string, at: number): readonly [character: string, length: number] {
  ESCAPE.lastIndex = at
  const match = ESCAPE.exec(text)
  if (match === null) return [text[at] as string, 1]
  const [whole, percent, decimal, hex, commat, period, unicode, byte] = match
  const code =
    commat !== undefined
      ? 0x40
      : period !== undefined
        ? 0x2e
        : decimal !== undefined
          ? Number(decimal)
          : Number.parseInt(percent ?? hex ?? unicode ?? byte ?? '0', 16)
  return code >= 0x20 && code < 0x7f ? [String.fromCharCode(code), whole.length] : [text[at] as string, 1]
}

function plain(character: string): string {
  if (/[\p{Zs}]/u.test(character)) return ' '
  if (/[\p{Pd}\u2212]/u.test(character)) return '-'
  if (character === '。' || character === '․') return '.'
  const normal = character.normalize('NFKC')
  if (normal.length === 1 && normal > '\x7f' && DIGIT.test(normal)) return digitOf(normal)
  return normal
}

/** The digits of every script are in blocks of ten, from zero to nine. */
function digitOf(digit: string): string {
  let value = 0
  const code = digit.codePointAt(0) as number
  while (value < 9 && DIGIT.test(String.fromCodePoint(code - value - 1))) value++
  return String(value)
}
