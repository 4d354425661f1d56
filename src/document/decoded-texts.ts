import { codeListsIn } from './code-lists.ts'
import { hasLongWord, longWordsIn } from './has-long-word.ts'
import type { MappedText } from './mapped-text.ts'

/**
 * Six digits near one another, with no letters between them but those of codes: each list of codes has them. Written out,
 * because V8 finds it faster than with a count.
 */
const APART = 'i-mpqstwyzI-MPQSTWYZ'
const DENSE_DIGITS = Array.from({ length: 6 }, () => String.raw`\d`).join(`[^0-9${APART}]{0,14}`)
const DENSE = new RegExp(DENSE_DIGITS)
/** Such digits, with all that may be codes around them. */
const DENSE_PARTS = new RegExp(String.raw`[0-9a-fA-FxXuUoO\\]{0,16}${DENSE_DIGITS}[^${APART}]*`, 'g')

/** Shorter texts contain neither secrets nor personal data. */
const SHORTEST = 6

/** Returns false for a text in which nothing can be encoded, as in most prose. Cheap. */
export function mayHoldEncoded(text: string): boolean {
  return hasLongWord(text) || DENSE.test(text)
}

/**
 * Returns the texts that parts of a text may be an encoding of: Base64 (both alphabets, also in lines), Base32, and lists of codes
 * in hexadecimal, decimal, octal and binary with any separators; each as bytes of UTF-8 or of UTF-16. Most of them are
 * garbage, because most long words are not encodings. Each character is mapped to the whole encoded part, because a part
 * of it cannot be replaced. Linear.
 */
export function decodedTexts(text: string): readonly MappedText[] {
  const found: MappedText[] = []
  const add = (start: number, end: number, bytes: Buffer): void => {
    for (const decoded of textsOf(bytes))
      if (decoded.length >= SHORTEST) found.push({ text: decoded, start: () => start, end: () => end })
  }
  if (hasLongWord(text))
    for (const { start, words } of longWordsIn(text)) {
      let at = start
      const last = start + words.length
      const end = last + paddingAt(text, last)
      if (/\s/.test(words)) add(start, end, fromBase64(words, 0))
      for (const word of words.split(/[ \t\r\n]+/)) {
        at = text.indexOf(word, at)
        const padded = at + word.length + paddingAt(text, at + word.length)
        addWord(word, (bytes) => add(at, padded, bytes))
        at += word.length
      }
    }
  if (DENSE.test(text))
    for (const { 0: part, index } of text.matchAll(DENSE_PARTS))
      for (const { start, end, bytes } of codeListsIn(part))
        for (const one of bytes) add(index + start, index + end, one)
  return found
}

/** Returns how many signs of padding follow. */
function paddingAt(text: string, from: number): number {
  if (text[from] !== '=') return 0
  return text[from + 1] === '=' ? 2 : 1
}

function addWord(word: string, add: (bytes: Buffer) => void): void {
  if (BASE32.test(word)) add(fromBase32(word.toUpperCase()))
  // Base64 of a text has letters of both cases, unlike most paths and names.
  if (word.length < 16 || !/[A-Z]/.test(word) || !/[a-z]/.test(word)) return
  // A text that touches the word shifts it.
  for (let offset = 0; offset < 4; offset++) add(fromBase64(word, offset))
}

/** RFC 4648 §6, in capitals or in small letters. */
const BASE32 = /^(?:[A-Z2-7]{16,}|[a-z2-7]{16,})$/
const DIGITS_32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

function fromBase32(word: string): Buffer {
  const bytes = Buffer.alloc(Math.floor((word.length * 5) / 8))
  let bits = 0
  let held = 0
  let at = 0
  for (const digit of word) {
    held = ((held << 5) | DIGITS_32.indexOf(digit)) & 0xfff
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes[at++] = (held >> bits) & 0xff
  }
  return bytes
}

function fromBase64(words: string, offset: number): Buffer {
  return Buffer.from(offset === 0 ? words : words.slice(offset), 'base64')
}

/** Returns what bytes say in UTF-8, and in UTF-16 if many of every second bytes are zero. */
function textsOf(bytes: Buffer): readonly string[] {
  if (!bytes.includes(0)) return [bytes.toString('utf8')]
  const zeros: [number, number] = [0, 0]
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === 0) zeros[(at & 1) as 0 | 1]++
  if (Math.max(...zeros) * 4 < bytes.length) return [bytes.toString('utf8')]
  // In little-endian, the second byte of an ASCII character is zero. A byte before the text, or the other order, shifts it.
  const even = Buffer.concat([bytes, Buffer.alloc(1)])
  return [0, 1].map((from) => even.subarray(from).toString('utf16le'))
}

/** Characters that only decoded garbage has. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: garbage is recognised by them.
const GARBAGE = /[\0-\x08\x0b\x0e-\x1f\x7f-\x9f\ufffd]+/

/** Returns the parts of a decoded text that can be texts. */
export function plainParts(decoded: string): readonly string[] {
  return decoded.split(GARBAGE).filter((part) => part.length >= SHORTEST)
}
