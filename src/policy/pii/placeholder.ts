import type { Json } from '../../document/json.ts'

/** A placeholder for a value of personal data in a text: `[email:1]`. */
export const PLACEHOLDER = /\[([a-z][a-z0-9_-]*):\d+\]/g

/** What a text has in place of a value that is not available: `[email withheld]`. */
const WITHHELD = /\[[a-z][a-z0-9_-]* withheld\]/

/** Returns the text that replaces a value of this kind where the value is not available. */
export function withheldText(kind: string): string {
  return `[${kind} withheld]`
}

/**
 * Removes placeholders, which only one run can read: in another run the same placeholder may stand for another
 * value.
 */
export function withoutPlaceholders(text: string): string {
  return text.replace(PLACEHOLDER, (_, kind: string) => withheldText(kind))
}

/** Returns whether a value contains a text in place of personal data that is not available. */
export function holdsWithheld(value: Json): boolean {
  return WITHHELD.test(JSON.stringify(value))
}
