import { stripVTControlCharacters } from 'node:util'
import type { Json } from '../../document/json.ts'

/** Bidirectional overrides, line separators and every control character but line feed and tab. */
const CONTROLS = /(?![\n\t])[\p{Cc}\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/gu

/**
 * Text from a model, a tool or a document, made safe for a terminal. What is taken out could move the cursor,
 * forge output, set the window's title or write to the clipboard.
 */
export function plainText(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll('\r\n', '\n')
    .replaceAll('\r', '\n')
    .replaceAll(CONTROLS, '')
}

/** The same on one line of at most `width` characters. */
export function plainLine(text: string, width = 160): string {
  // Cut before the costly part: a tool's answer may have megabytes.
  const line = plainText(text.slice(0, width * 4))
    .replaceAll(/\s+/g, ' ')
    .trim()
  const cut = text.length > width * 4 || line.length > width
  return cut ? `${line.slice(0, Math.max(1, width - 1)).trimEnd()}…` : line
}

/**
 * JSON for standard output. The control characters that JSON leaves as they are (DEL, C1, bidirectional
 * overrides) are escaped: it is the same value, and a terminal that shows it stays as it is.
 */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replaceAll(
    /[\u007f-\u009f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Arguments as people read them: `number="1Z999" limit=5`. */
export function argumentsLine(args: Json, width = 100): string {
  if (args === null || typeof args !== 'object' || Array.isArray(args))
    return plainLine(JSON.stringify(args), width)
  const parts = Object.entries(args).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  return plainLine(parts.join(' '), width)
}
