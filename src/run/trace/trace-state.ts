/** List members that a `tracestate` may have; with more it is malformed. */
const MOST_MEMBERS = 32
/** Characters that everyone must be able to hand on; what is longer is shortened to this. */
const LONGEST = 512
/** The first to go when something must: no member needs more. */
const LARGE_MEMBER = 128

const KEY = /^(?:[a-z][a-z0-9_\-*/]{0,255}|[a-z0-9][a-z0-9_\-*/]{0,240}@[a-z][a-z0-9_\-*/]{0,13})$/
/** Printable, without comma and equals sign, and no space at its end. */
const VALUE = /^[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/

/**
 * Reads a W3C `tracestate` (Trace Context §3.3) as it may be handed on: without empty members, and no longer than 512
 * characters. What does not fit is dropped in whole members: those of more than 128 characters first, then the last.
 * @returns null when it is malformed or empty: then it is dropped, and the `traceparent` beside it still holds
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
