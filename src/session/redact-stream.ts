import type { Redactor } from '../secret/redact.ts'

export interface TextStream {
  push(delta: string): void
  /** Emits the text that was held back; the next delta begins a new text. */
  flush(): void
}

/** A longer word is emitted in pieces. */
const LONGEST_WORD = 4096
/** Keys consist of visible ASCII, so text in a script without spaces is emitted without delay. */
const LAST_WORD = /[^!-~][!-~]*$/

/**
 * Removes secrets from text that arrives in pieces. The last word is held back until it is complete, because a
 * secret that is split between two pieces would not be found in either. If a known value has characters other than
 * visible ASCII, more is held back.
 */
export function redactStream(redactor: Redactor, emit: (text: string) => void): TextStream {
  let held = ''
  return {
    push(delta) {
      held += delta
      // Redacting the held text repeatedly is safe: replaced text no longer looks like a secret.
      held = redactor.text(held)
      // A secret may have been fetched since the last piece.
      const { spaced, longest: value } = redactor.reach()
      const longest = Math.max(LONGEST_WORD, value * 2)
      const sure = held.search(LAST_WORD) + 1
      const end = Math.max(Math.min(sure, held.length - spaced), held.length - longest)
      if (end <= 0) return
      emit(held.slice(0, end))
      held = held.slice(end)
    },
    flush() {
      const rest = redactor.text(held)
      held = ''
      if (rest !== '') emit(rest)
    },
  }
}
