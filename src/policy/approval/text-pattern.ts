/** Longer patterns are slips of the hand, and matching takes time in proportion to pattern times text. */
const LONGEST = 500

/**
 * What `*` does not stand for: white space, control characters, and whatever divides an address, a path, a query or a
 * list. So `*@ours.example` is one address, and never `a@evil.example,b@ours.example`.
 */
const DIVIDES = /[\s\p{C}@,:;<>"'`()[\]{}|\\/?#%&=]/u
/** What `**` does not stand for: what could end a line or a header. */
const CONTROLS = /\p{C}|[\u2028\u2029]/u
/** A path that climbs, plain or percent-encoded. */
const CLIMBS = /(?:^|[\\/])\.\.?(?:[\\/]|$)|%2e|%2f|%5c/i

/** Why a pattern cannot be used, or null. */
export function patternProblem(pattern: string): string | null {
  if (pattern.length > LONGEST) return `a pattern has at most ${LONGEST} characters`
  if (/\*{3,}/.test(pattern)) return 'a star stands alone (one part) or twice (anything)'
  return null
}

/**
 * Whether the whole text is as the pattern says, letter by letter: `*` stands for one part of it, at least one
 * character long; `**` for anything on one line. A path with a star does not climb (`..`).
 */
export function fitsPattern(pattern: string, text: string): boolean {
  const parts = pattern.match(/\*+|[^*]+/g) ?? []
  if (parts.some((part) => part.startsWith('*')) && CLIMBS.test(text)) return false
  let ends = new Set([0])
  for (const part of parts) {
    const next = new Set<number>()
    for (const from of ends) {
      if (!part.startsWith('*')) {
        if (text.startsWith(part, from)) next.add(from + part.length)
        continue
      }
      const stops = part === '*' ? DIVIDES : CONTROLS
      for (let end = from; end < text.length; ) {
        // A whole one: half of a pair would be taken for a control character.
        const character = String.fromCodePoint(text.codePointAt(end) as number)
        if (stops.test(character)) break
        end += character.length
        // Where another start has been, the rest has been seen.
        if (next.has(end)) break
        next.add(end)
      }
    }
    ends = next
  }
  return ends.has(text.length)
}
