/** Returns a text as one word of a shell. */
export function quoteWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
