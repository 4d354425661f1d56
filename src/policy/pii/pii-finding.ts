/** Personal data in a text. */
export interface PiiFinding {
  /** Offsets in the original text. */
  readonly start: number
  readonly end: number
  /** `email`, `phone`, `card`, `iban`, `ip`, `name`, an id such as `us_ssn`, or the name of an operator's pattern. */
  readonly kind: string
  /** The data in its usual form. */
  readonly value: string
  /** Equal for all forms of the same data. */
  readonly identity: string
}

/** A match of a detector in a folded text. */
export interface Candidate {
  readonly start: number
  readonly end: number
  readonly kind: string
  /** The value, if it differs from the folded text. */
  readonly value?: string
  readonly identity: string
}

/** Input of a detector. */
export interface Searched {
  readonly text: string
  /** Name of the text, e.g. the member that contains it: `{"ssn": "…"}`. */
  readonly label: string
}

/** Returns the words directly before a place; at the beginning of the text, also the name of the text. */
export function wordsBefore({ text, label }: Searched, start: number, length = 40): string {
  const from = Math.max(0, start - length)
  const words = text.slice(from, start)
  return from === 0 && label !== ''
    ? `${label.replaceAll(/([a-z])([A-Z])/g, '$1 $2').replaceAll(/[_-]/g, ' ')}: ${words}`
    : words
}

/** Caches the words before the last place: many windows begin at the same place. */
export function wordsBeforeOnce(searched: Searched): (start: number) => string {
  let place = -1
  let words = ''
  return (start) => {
    if (start !== place) words = wordsBefore(searched, start)
    place = start
    return words
  }
}

/** Returns the matches of a global pattern. Most texts have none, and `matchAll` begins with a copy of the pattern. */
export function matchesIn(text: string, pattern: RegExp): Iterable<RegExpExecArray> {
  return text.search(pattern) < 0 ? [] : text.matchAll(pattern)
}
