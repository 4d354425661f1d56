/**
 * Maximum length of a pattern; longer patterns are mistakes, and matching takes time proportional to pattern times
 * text.
 */
const LONGEST = 500

/**
 * Characters that `*` does not match, in any width: white space, control characters, and separators of addresses, paths,
 * queries and lists. So `*@ours.example` matches one address, and never `a@evil.example,b@ours.example`.
 */
const DIVIDES = /[\s\p{C}@,\u3001\u060c:;\u061b!<>"'`()[\]{}|\\/?#%&=]/u
/** Characters that `**` does not match: those that could end a line or a header. */
const CONTROLS = /\p{C}|[\u2028\u2029]/u
/** A star at the end of the host of a URL, which would match another host: `https://ours.example*`. */
const OPEN_HOST = /^([a-z][a-z0-9+.-]*:\/\/[^*/?#]*[^*/?#@])\*+(?=$|[/?#])/i
/** A path with `..`, plain or percent-encoded. */
const CLIMBS = /(?:^|[\\/])\.\.?(?:[\\/]|$)|%2e|%2f|%5c/i

/** Returns the reason why a pattern is not valid, or null. */
export function patternProblem(pattern: string): string | null {
  if (pattern.length > LONGEST) return `a pattern has at most ${LONGEST} characters`
  if (/\*{3,}/.test(pattern)) return 'use one star (one part) or two stars (any text)'
  return null
}

/**
 * Returns true if the whole text matches the pattern exactly: `*` matches one part of at least one character; `**` any
 * text on one line. A path that matches a star must not contain `..`, and a star never extends the host of a URL.
 */
export function fitsPattern(pattern: string, text: string): boolean {
  const parts = pattern.match(/\*+|[^*]+/g) ?? []
  if (parts.some((part) => part.startsWith('*')) && CLIMBS.test(text)) return false
  const host = OPEN_HOST.exec(pattern)?.[1]
  if (host !== undefined && !/[/?#]/.test(text.charAt(host.length))) return false
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
        // A complete character: half of a surrogate pair would count as a control character.
        const character = String.fromCodePoint(text.codePointAt(end) as number)
        if (stops.test(character) || stops.test(character.normalize('NFKC'))) break
        end += character.length
        // The rest was already checked from another start.
        if (next.has(end)) break
        next.add(end)
      }
    }
    ends = next
  }
  return ends.has(text.length)
}
