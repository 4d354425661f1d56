/** Characters of the shortest word of Base64 that is decoded. */
const LONG = 16

/** Characters of both alphabets of Base64, without padding. */
const IN_WORD = new Uint8Array(128)
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-')
  IN_WORD[character.charCodeAt(0)] = 1

/**
 * Returns false if a text has no 16 characters of Base64 in a row, as most prose. It looks at the end of each 16
 * characters first, and so at a quarter of a text: a regular expression takes ten times as long.
 */
export function hasLongWord(text: string): boolean {
  let from = 0
  while (from + LONG <= text.length) {
    let at = from + LONG - 1
    while (at >= from && IN_WORD[text.charCodeAt(at)] === 1) at--
    if (at < from) return true
    from = at + 1
  }
  return false
}

/** Long words, with the lines that an encoder has broken them into. */
export interface LongWords {
  readonly start: number
  readonly words: string
}

/** Shortest line after the first one of a broken word. */
const SHORTEST_LINE = 4
const BREAK = /[ \t]{0,8}\r?\n[ \t]{0,8}/y

/** Returns all words of Base64 of at least 16 characters, without padding; words on lines that follow belong to them. */
export function longWordsIn(text: string): readonly LongWords[] {
  const found: LongWords[] = []
  for (let from = 0; from + LONG <= text.length; ) {
    let at = from + LONG - 1
    while (at >= from && IN_WORD[text.charCodeAt(at)] === 1) at--
    if (at >= from) {
      from = at + 1
      continue
    }
    let end = endOfWord(text, from + LONG)
    for (;;) {
      BREAK.lastIndex = end
      if (!BREAK.test(text)) break
      const next = BREAK.lastIndex
      const after = endOfWord(text, next)
      if (after - next < SHORTEST_LINE) break
      end = after
    }
    found.push({ start: from, words: text.slice(from, end) })
    from = end
  }
  return found
}

function endOfWord(text: string, from: number): number {
  let at = from
  while (at < text.length && IN_WORD[text.charCodeAt(at)] === 1) at++
  return at
}
