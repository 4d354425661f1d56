import { type Found, MASK, masked } from './found.ts'

/** A found text and its place. The parts of a text are separated by commas, semicolons and line breaks. */
export interface Placed extends Found {
  /** Only destinations, punctuation and a comment are in its part. */
  readonly alone: boolean
  /** Only destinations and punctuation are in the whole text. */
  readonly only: boolean
  /** Number of other words in its part. */
  readonly others: number
  /** The text begins with it. */
  readonly first: boolean
  /** Its part begins with it. */
  readonly begins: boolean
  /** Its part ends with it, or with a comment after it. */
  readonly ends: boolean
  /** A colon is between it and the word before it. */
  readonly labelled: boolean
}

const LETTER = /[\p{L}\p{N}]/u
const CONTENT = new RegExp(String.raw`[\p{L}\p{N}${MASK}]`, 'u')
const SEPARATOR = /[,;\r\n]/
const TO_END = new RegExp(
  String.raw`[^\p{L}\p{N}${MASK},;\r\n(]*(?:\([^(),;\r\n]*\)[^\p{L}\p{N}${MASK},;\r\n]*)?(?:[,;\r\n]|$)`,
  'uy',
)

/** Returns the found texts with their places, in the order of the text. */
export function placed(text: string, found: readonly Found[]): readonly Placed[] {
  if (found.length === 0) return []
  const rest = masked(text, found)
  const only = !LETTER.test(rest)
  const content = rest.search(CONTENT)
  const parts = partsOf(rest)
  let part = 0
  return [...found]
    .sort((a, b) => a.start - b.start)
    .map((one): Placed => {
      while (part < parts.length - 1 && one.start > (parts[part] as Part).end) part++
      const others = (parts[part] as Part).words
      const lead = leadOf(rest, one.start)
      TO_END.lastIndex = one.end
      const begins = lead === 0 || SEPARATOR.test(rest[lead - 1] as string)
      const ends = TO_END.test(rest)
      const alone = others === 0 || (begins && ends)
      const labelled = rest.slice(lead, one.start).includes(':')
      return {
        ...one,
        alone,
        only,
        others,
        first: content < 0 || one.start <= content,
        begins,
        ends,
        labelled,
      }
    })
}

interface Part {
  readonly end: number
  /** Number of words that are not found texts. */
  readonly words: number
}

function partsOf(rest: string): readonly Part[] {
  const parts: Part[] = []
  let words = 0
  // The name of a group is before a colon: `Team: ada@ours.example;`.
  for (const { 0: match, index } of rest.matchAll(/[,;\r\n]|[^\s,;]+/g))
    if (!SEPARATOR.test(match)) words += LETTER.test(match) && (words > 0 || !match.endsWith(':')) ? 1 : 0
    else {
      parts.push({ end: index, words })
      words = 0
    }
  return [...parts, { end: rest.length, words }]
}

/** Returns the offset of the first of the spaces and marks before an offset. */
function leadOf(rest: string, start: number): number {
  let at = start
  while (at > 0 && !/[\p{L}\p{N}\p{M}\ud800-\udfff\uE000,;\r\n]/u.test(rest[at - 1] as string)) at--
  return at
}
