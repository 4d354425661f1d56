/** Returns whether a text is a valid name of a tool for the APIs of all providers. */
export function isToolName(text: string): boolean {
  return /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/.test(text)
}
