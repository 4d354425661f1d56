/**
 * Returns the value of an environment variable as it is meant: without the byte order mark and the line ends of the file
 * from which the variable was made. No server would accept a key with them, and with them it would not be found in texts.
 */
export function variableValue(text: string): string {
  let end = text.length
  while (end > 0 && (text[end - 1] === '\n' || text[end - 1] === '\r')) end -= 1
  return text.slice(text.startsWith('\uFEFF') ? 1 : 0, end)
}
