import { decodedTexts, mayHoldEncoded } from '../../document/decoded-texts.ts'
import { displayedOrder } from '../../document/displayed-order.ts'
import type { MappedText } from '../../document/mapped-text.ts'
import { comparableText, renderedReadingsOf, seenText } from '../../document/seen-text.ts'
import { type Part, withoutParts } from './parts.ts'

/**
 * Returns true if some viewer of the text shows the phrase: case, width, white space and invisible characters do not
 * matter (see `renderedReadingsOf`).
 */
export function showsPhrase(text: string, phrase: string): boolean {
  const wanted = spellingsOf(phrase)
  const isIn = (reading: MappedText): boolean => {
    const { text: read } = comparableText(reading)
    return wanted.some((one) => read.includes(one))
  }
  return renderedReadingsOf(text).some((reading) => isIn(reading) || decodedOf(reading).some(isIn))
}

/** Texts that parts of a reading are an encoding of. A reader must decode them, but the receiver of a call can. */
function decodedOf(reading: MappedText): readonly MappedText[] {
  if (!mayHoldEncoded(reading.text)) return []
  return decodedTexts(reading.text).map((decoded) => ({
    text: seenText(decoded.text).text,
    start: () => reading.start(decoded.start(0)),
    end: () => reading.end(decoded.end(0) - 1),
  }))
}

/** A shorter phrase without its spaces occurs in other words by chance. */
const SHORTEST_JOINED = 8

/** Returns the phrase as it is compared: also without spaces, and in the order in which it is displayed. */
function spellingsOf(phrase: string): readonly string[] {
  const plain = comparable(phrase)
  const joined = plain.replaceAll(' ', '')
  const displayed = comparable(displayedOrder(phrase).text)
  return [...new Set([plain, ...(joined.length >= SHORTEST_JOINED ? [joined] : []), displayed])]
}

/** Returns true if the phrase is in the text as Waybill's terminal shows it. */
export function containsPhrase(text: string, phrase: string): boolean {
  return comparable(text).includes(comparable(phrase))
}

/** Replaces the phrase by `[removed]`. Returns null if some viewer still shows the phrase then. */
export function withoutPhrase(text: string, phrase: string): string | null {
  if (comparable(phrase) === '') return null
  const cleaned = withoutParts(
    text,
    renderedReadingsOf(text)
      .flatMap((reading) => [reading, ...decodedOf(reading)])
      .flatMap((reading) =>
        spellingsOf(phrase).flatMap((wanted) => partsOf(comparableText(reading), wanted)),
      ),
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
