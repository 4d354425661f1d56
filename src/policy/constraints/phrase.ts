/** Format characters, and an invisible joiner that is not a format character. */
const INVISIBLE = /\p{Cf}|\u034f/gu

/** Ignores case, width and invisible characters, so that a zero-width space cannot hide a phrase. */
function comparable(text: string): string {
  return text.normalize('NFKC').replaceAll(INVISIBLE, '').replaceAll(/\s+/g, ' ').toLowerCase()
}

/** Returns true if a reader sees the phrase in the text, also where JSON escapes separate its words. */
export function showsPhrase(text: string, phrase: string): boolean {
  return containsPhrase(text, phrase) || containsPhrase(unescaped(text), phrase)
}

/** Returns true if the phrase is in the text. */
export function containsPhrase(text: string, phrase: string): boolean {
  return comparable(text).includes(comparable(phrase))
}

/** Decodes JSON escapes, because a reader of JSON sees the decoded characters. JSON within JSON is escaped twice. */
function unescaped(text: string): string {
  return text.replaceAll(/\\+(?:[uU]([0-9a-fA-F]{4})|([nrtf])|(["/]))/g, (_, code, space, character) => {
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16))
    return space === undefined ? character : ' '
  })
}

/** Replaces the phrase by `[removed]`. Returns null if the phrase can still be seen then. */
export function withoutPhrase(text: string, phrase: string): string | null {
  const words = comparable(phrase)
    .split(' ')
    .map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const plain = text.normalize('NFKC').replaceAll(INVISIBLE, '')
  const cleaned = plain.replaceAll(new RegExp(words.join('\\s+'), 'gi'), '[removed]')
  return comparable(cleaned).includes(comparable(phrase)) ? null : cleaned
}
