/** Result of one pass over the characters of a JSON text, before any recursive processing. */
export interface JsonOutline {
  /** Number of `:` outside strings: in valid JSON the number of members in the text. */
  readonly members: number
  /** Number of brackets that open and of `,` outside strings: about the number of values. */
  readonly values: number
  /** Offset of the first bracket that nests too deep. */
  readonly tooDeepAt: number | undefined
}

/** Counts members and measures depth in linear time and constant space, for any text. */
export function outlineJson(text: string, maxDepth: number): JsonOutline {
  let members = 0
  let values = 0
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22: // "
        at = endOfString(text, at)
        break
      case 0x3a: // :
        members++
        break
      case 0x2c: // ,
        values++
        break
      case 0x5b: // [
      case 0x7b: // {
        values++
        if (++depth > maxDepth) return { members, values, tooDeepAt: at }
        break
      case 0x5d: // ]
      case 0x7d: // }
        depth--
        break
    }
  }
  return { members, values, tooDeepAt: undefined }
}

/** Returns the offset of the quote that closes the string opened at `open`, or the end of the text. */
function endOfString(text: string, open: number): number {
  for (let at = open + 1; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === 0x22) return at
    if (unit === 0x5c) at++
  }
  return text.length
}
