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
