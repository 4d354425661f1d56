import { exactText } from '../../document/exact-numbers.ts'
import type { Json } from '../../document/json.ts'
import { escapeHidden, shownText } from '../../document/shown-text.ts'

/**
 * Makes text from a model, a tool or a document safe for a terminal. Removes control sequences, which could move the
 * cursor, forge output, set the window title or write to the clipboard, and invisible characters: the gates judge the
 * same text (see `showText`).
 */
export function plainText(text: string): string {
  return shownText(text)
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

/** Returns JSON that is safe for a terminal. Escapes all characters that a person cannot see; the value is the same. */
export function jsonText(value: unknown, indent?: number): string {
  return escapeHidden(exactText(value, indent))
}

/** Returns arguments as one line of text: `number="1Z999" limit=5`. Characters that a person cannot see are escaped. */
export function argumentsLine(args: Json, width = 100): string {
  if (args === null || typeof args !== 'object' || Array.isArray(args))
    return plainLine(jsonText(args), width)
  const parts = Object.entries(args).map(([name, value]) => `${escapeHidden(name)}=${jsonText(value)}`)
  return plainLine(parts.join(' '), width)
}
