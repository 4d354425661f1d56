/** Removes secrets from a text. */
export type Redact = (text: string) => string

const LONGEST = 300

/** Returns the first 300 characters of a server's message, on one line: short enough for logs. */
export function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line
}

/** Replaces these values everywhere: servers often repeat a refused key. */
export function redactor(secrets: readonly (string | undefined)[]): Redact {
  const known = secrets.filter((secret): secret is string => secret !== undefined && secret.length >= 4)
  return (text) => known.reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text)
}
