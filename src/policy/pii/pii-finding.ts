/** Personal data in a text. */
export interface PiiFinding {
  /** Offsets in the text as it is written. */
  readonly start: number
  readonly end: number
  /** `email`, `phone`, `card`, `iban`, `ip`, `name`, an id such as `us_ssn`, or the name of an operator's pattern. */
  readonly kind: string
  /** The data as a person would write it. */
  readonly value: string
  /** The same for every spelling of the same data. */
  readonly identity: string
}

/** A place in a folded text where a detector found something. */
export interface Candidate {
  readonly start: number
  readonly end: number
  readonly kind: string
  /** When it is not the folded text itself. */
  readonly value?: string
  readonly identity: string
}

/** What a detector looks at. */
export interface Searched {
  readonly text: string
  /** What names the text, e.g. the member that it is the value of: `{"ssn": "…"}`. */
  readonly label: string
}

/** The words right before a place, with the name of the text when it stands at its beginning. */
export function wordsBefore({ text, label }: Searched, start: number, length = 40): string {
  const from = Math.max(0, start - length)
  const words = text.slice(from, start)
  return from === 0 && label !== ''
    ? `${label.replaceAll(/([a-z])([A-Z])/g, '$1 $2').replaceAll(/[_-]/g, ' ')}: ${words}`
    : words
}

/** The words before the last place that was asked about are kept: many windows begin at the same place. */
export function wordsBeforeOnce(searched: Searched): (start: number) => string {
  let place = -1
  let words = ''
  return (start) => {
    if (start !== place) words = wordsBefore(searched, start)
    place = start
    return words
  }
}
