import type { MappedText } from '../../document/mapped-text.ts'
import { comparableText, renderedReadingsOf, seenText } from '../../document/seen-text.ts'
import { type Part, withoutParts } from './parts.ts'

/**
 * Returns true if some viewer of the text shows the phrase: case, width, white space and invisible characters do not
 * matter (see `renderedReadingsOf`).
 */
export function showsPhrase(text: string, phrase: string): boolean {
  const wanted = comparable(phrase)
  return renderedReadingsOf(text).some((reading) => comparableText(reading).text.includes(wanted))
}

/** Returns true if the phrase is in the text as Waybill's terminal shows it. */
export function containsPhrase(text: string, phrase: string): boolean {
  return comparable(text).includes(comparable(phrase))
}

/** Replaces the phrase by `[removed]`. Returns null if some viewer still shows the phrase then. */
export function withoutPhrase(text: string, phrase: string): string | null {
  const wanted = comparable(phrase)
  if (wanted === '') return null
  const cleaned = withoutParts(
    text,
    renderedReadingsOf(text).flatMap((reading) => partsOf(comparableText(reading), wanted)),
  )
  return showsPhrase(cleaned, phrase) ? null : cleaned
}

function comparable(text: string): string {
  return comparableText(seenText(text)).text
}

function partsOf(reading: MappedText, wanted: string): readonly Part[] {
  const parts: Part[] = []
  let at = reading.text.indexOf(wanted)
  for (; at >= 0; at = reading.text.indexOf(wanted, at + wanted.length))
    parts.push({ start: reading.start(at), end: reading.end(at + wanted.length - 1) })
  return parts
}
