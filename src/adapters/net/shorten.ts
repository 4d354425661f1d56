/** Takes secrets out of a text. */
export type Redact = (text: string) => string

const LONGEST = 300

/** The first 300 characters of what a server said, on one line: enough to act on, little enough to log. */
export function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line
}

/** Replaces these values wherever they stand: servers like to repeat a key that they refuse. */
export function redactor(secrets: readonly (string | undefined)[]): Redact {
  const known = secrets.filter((secret): secret is string => secret !== undefined && secret.length >= 4)
  return (text) => known.reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text)
}
