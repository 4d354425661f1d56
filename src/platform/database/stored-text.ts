/**
 * PostgreSQL cannot store the character NUL, and replaces unpaired surrogates. Such texts are stored as JSON, and so
 * is every text that begins with a quotation mark: different texts stay different.
 */
export function storedText(text: string): string {
  return text.startsWith('"') || text.includes('\0') || !text.isWellFormed() ? JSON.stringify(text) : text
}

/** Returns the text that {@link storedText} has converted. */
export function originalText(stored: string): string {
  return stored.startsWith('"') ? JSON.parse(stored) : stored
}

/** Returns the stored form of a text that may be absent. */
export function textOrNull(text: string | undefined): string | null {
  return text === undefined ? null : storedText(text)
}
