const LITERAL = /[\w :/@,#%&=~!;<>"'-]/
const ESCAPED = /\\[-.\\/+*?^$|()[\]{}dw]/
const CLASS = /\[(?:[A-Za-z0-9]-[A-Za-z0-9]|[\w :/@,#%&=~!;<>"'.+]|\\[-.dw])+\]/
const UNIT = [LITERAL, ESCAPED, CLASS].map(({ source }) => source).join('|')
const ITEM = new RegExp(
  `(?:${UNIT})(?:(?<any>[?*+])|\\{(?<least>\\d{1,4})(?<range>,(?<most>\\d{0,4}))?\\})?`,
  'y',
)

/** The linear engine refuses larger repetitions. */
const MAX_REPEATS = 1_000

/**
 * Returns the built-in matcher for a simple pattern, which every engine interprets alike and matches in linear time:
 * `^`, then ASCII characters and classes, of which at most one has a variable number of repetitions. The patterns of
 * most tools are simple, and the linear engine takes 10 to 25 ms to load.
 * @returns null for any other pattern
 */
export function plainPattern(source: string): RegExp | null {
  if (!source.startsWith('^')) return null
  let varying = 0
  let repeats = 0
  let at = 1
  for (; at < source.length && source.slice(at) !== '$'; at = ITEM.lastIndex) {
    ITEM.lastIndex = at
    const groups = ITEM.exec(source)?.groups
    if (groups === undefined) return null
    const { any, least = '1', range, most = '' } = groups
    if (any !== undefined || range !== undefined) varying += 1
    repeats += Math.max(Number(least), Number(most))
    if (varying > 1 || repeats > MAX_REPEATS) return null
  }
  try {
    return new RegExp(source)
  } catch {
    return null
  }
}
