import { seenText } from '../document/seen-text.ts'
import { type TextStream, unfinishedFrom } from '../document/shown-text.ts'
import type { Redactor } from '../secret/redact.ts'

/** A longer word is emitted in pieces. */
const LONGEST_WORD = 4096
/** Characters of an escape: `&#x0007a;`. */
const LONGEST_ESCAPE = 9
/** Keys consist of visible ASCII, so text in a script without spaces is emitted without delay. */
const ENDS_WORD = /[^!-~]/

/**
 * Removes secrets from text that arrives in pieces. The last word is held back until it is complete, because a
 * secret that is split between two pieces would not be found in either. Words are those that a person sees: invisible
 * characters and control sequences do not end one. If a known value has characters other than visible ASCII, more is
 * held back.
 */
export function redactStream(redactor: Redactor, emit: (text: string) => void): TextStream {
  let held = ''
  // A long word is not searched again with each piece: only when it has grown by half.
  let enough = 0
  return {
    push(delta) {
      held += delta
      if (held.length < enough && !ENDS_WORD.test(seenText(delta).text)) return
      // Redacting the held text repeatedly is safe: replaced text no longer looks like a secret.
      held = redactor.text(held)
      // A sequence that is still open may join the words around it.
      const end = sureEnd(held.slice(0, unfinishedFrom(held)), redactor)
      if (end > 0) emit(held.slice(0, end))
      held = held.slice(end)
      enough = held.length * 1.5
    },
    flush() {
      const rest = redactor.text(held)
      held = ''
      enough = 0
      if (rest !== '') emit(rest)
    },
  }
}

/** Returns the offset before which nothing can be part of a secret that continues with the next piece. */
function sureEnd(held: string, redactor: Redactor): number {
  // A secret may have been fetched since the last piece.
  const { spaced, longest: value } = redactor.reach()
  const longest = Math.max(LONGEST_WORD, value * LONGEST_ESCAPE)
  // Escapes are visible characters, so they end no word.
  const { text, end } = seenText(held)
  const cut = Math.max(Math.min(wordStart(text), text.length - spaced * 2), text.length - longest)
  const sure = cut <= 0 ? 0 : end(cut - 1)
  // A value may continue after white space.
  return Math.min(sure, held.length - redactor.begun(held.slice(-longest)))
}

/** Returns where the last word begins. Searched from the end: a search for the last match from the start is quadratic. */
function wordStart(text: string): number {
  let at = text.length
  while (at > 0 && !ENDS_WORD.test(text[at - 1] as string)) at--
  return at
}
