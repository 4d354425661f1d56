import { type MappedText, replaceMapped } from './mapped-text.ts'

const OCTAL_OR_PRINTABLE = /\\[0-3][0-7]{2}|=[0-9A-F]{2}|=\r?\n/
const BYTES = /(?:\\[0-3][0-7]{2})+|(?:=[0-9A-F]{2}|=\r?\n)+/g
const CSS = /\\[0-9a-f]{1,6}/i
const CSS_CODE = /\\([0-9a-f]{1,6})(?:\r\n|[ \t\n\f])?/gi

/**
 * Decodes escapes that are also read in another way, so that each needs a reading of its own: bytes in octal (`\172`) and
 * quoted-printable (`=7A`, RFC 2045, without its soft line breaks); and the escapes of CSS (`\7a `). Returns only readings
 * that differ from the text.
 */
export function unescapeOthers(text: string): readonly MappedText[] {
  const readings: MappedText[] = []
  if (OCTAL_OR_PRINTABLE.test(text)) readings.push(replaceMapped(text, BYTES, ({ 0: run }) => bytesOf(run)))
  if (CSS.test(text))
    readings.push(replaceMapped(text, CSS_CODE, ({ 0: whole, 1: code }) => cssCharacter(code, whole)))
  return readings.filter((reading) => reading.text !== text)
}

function bytesOf(run: string): string {
  const octal = run.startsWith('\\')
  const codes = run.match(octal ? /[0-7]{3}/g : /[0-9A-F]{2}/g) ?? []
  return Buffer.from(codes.map((code) => Number.parseInt(code, octal ? 8 : 16))).toString('utf8')
}

function cssCharacter(code: string | undefined, whole: string): string {
  const value = Number.parseInt(code ?? '', 16)
  return value > 0 && value <= 0x10ffff ? String.fromCodePoint(value) : whole
}
