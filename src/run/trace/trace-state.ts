/** Maximum number of list members in a `tracestate`; with more it is malformed. */
const MOST_MEMBERS = 32
/** Number of characters that every system must pass on; a longer value is shortened to this. */
const LONGEST = 512
/** Members longer than this are dropped first. */
const LARGE_MEMBER = 128

const KEY = /^(?:[a-z][a-z0-9_\-*/]{0,255}|[a-z0-9][a-z0-9_\-*/]{0,240}@[a-z][a-z0-9_\-*/]{0,13})$/
/** Printable, without comma and equals sign, and without a space at its end. */
const VALUE = /^[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/

/**
 * Parses a W3C `tracestate` (Trace Context §3.3) into the form to pass on: without empty members, and at most 512
 * characters. Longer values are shortened by whole members: first those of more than 128 characters, then the last.
 * @returns null if it is malformed or empty: it is dropped, and the `traceparent` stays valid
 */
export function parseTraceState(text: string): string | null {
  const members = text
    .split(',')
    .map((member) => member.replace(/^[ \t]+|[ \t]+$/g, ''))
    .filter((member) => member !== '')
  if (members.length === 0 || members.length > MOST_MEMBERS) return null
  const keys = new Set<string>()
  for (const member of members) {
    const at = member.indexOf('=')
    const key = member.slice(0, at)
    if (at < 0 || !KEY.test(key) || !VALUE.test(member.slice(at + 1)) || keys.has(key)) return null
    keys.add(key)
  }
  return shortened(members).join(',') || null
}

function shortened(members: readonly string[]): readonly string[] {
  const kept = [...members]
  const tooLong = () => kept.join(',').length > LONGEST
  for (let at = kept.length - 1; at >= 0 && tooLong(); at -= 1) {
    if ((kept[at] as string).length > LARGE_MEMBER) kept.splice(at, 1)
  }
  while (tooLong()) kept.pop()
  return kept
}
