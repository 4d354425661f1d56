import { stripVTControlCharacters } from 'node:util'
import type { Json } from '../../document/json.ts'

/** Bidirectional overrides, line separators, and all control characters except line feed and tab. */
const CONTROLS = /(?![\n\t])[\p{Cc}\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/gu

/**
 * Makes text from a model, a tool or a document safe for a terminal. Removes control sequences, which could move the
 * cursor, forge output, set the window title or write to the clipboard.
 */
export function plainText(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll('\r\n', '\n')
    .replaceAll('\r', '\n')
    .replaceAll(CONTROLS, '')
}

/** Makes text safe for a terminal like {@link plainText}, on one line of at most `width` characters. */
export function plainLine(text: string, width = 160): string {
  // Cut first: the result of a tool may have megabytes.
  const line = plainText(text.slice(0, width * 4))
    .replaceAll(/\s+/g, ' ')
    .trim()
  const cut = text.length > width * 4 || line.length > width
  return cut ? `${line.slice(0, Math.max(1, width - 1)).trimEnd()}…` : line
}

/**
 * Returns JSON that is safe for a terminal. Escapes the control characters that JSON permits unescaped (DEL, C1,
 * bidirectional overrides); the value does not change.
 */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replaceAll(
    /[\u007f-\u009f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Returns arguments as one line of text: `number="1Z999" limit=5`. */
export function argumentsLine(args: Json, width = 100): string {
  if (args === null || typeof args !== 'object' || Array.isArray(args))
    return plainLine(JSON.stringify(args), width)
  const parts = Object.entries(args).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  return plainLine(parts.join(' '), width)
}
