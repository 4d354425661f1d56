import type { Redactor } from '../secret/redact.ts'

export interface TextStream {
  push(delta: string): void
  /** Hands on what was held back; the next delta begins a new text. */
  flush(): void
}

/** A word longer than this is handed on in pieces. */
const LONGEST_WORD = 4096
/** Keys are made of visible ASCII, so a text in a script without spaces still flows. */
const LAST_WORD = /[^!-~][!-~]*$/

/**
 * Takes secrets out of text that comes in pieces. The last word is held back until it is whole, because a secret
 * that is cut in two is in neither piece.
 * A known value with other characters than visible ASCII needs more to be held back.
 */
export function redactStream(redactor: Redactor, emit: (text: string) => void): TextStream {
  let held = ''
  return {
    push(delta) {
      held += delta
      // Redacting what is held is safe to repeat: what is replaced no longer looks like a secret.
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
