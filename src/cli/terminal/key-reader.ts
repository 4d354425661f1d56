import { ownMember } from '../../document/own-member.ts'

/** A key of a terminal, as far as prompts that decide something need it. `text` is any other key, and pasted text. */
export type Key = 'up' | 'down' | 'enter' | 'interrupt' | 'escape' | 'text'

const ESC = '\x1b'
const CTRL_C = '\x03'
const PASTE_BEGIN = '\x1b[200~'
const PASTE_END = '\x1b[201~'
/** A complete sequence of a key, such as an arrow. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: keys of a terminal are control characters.
const SEQUENCE = /^\x1b(?:\[[0-?]*[ -/]*[@-~]|O[^\x1b]|[^[O])/
/** The beginning of a sequence whose rest may follow. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: keys of a terminal are control characters.
const UNFINISHED = /^\x1b(?:\[[0-?]*[ -/]*|O)?$/

const KEYS: Readonly<Record<string, Key>> = {
  '\x1b[A': 'up',
  '\x1bOA': 'up',
  '\x1b[B': 'down',
  '\x1bOB': 'down',
  '\r': 'enter',
  '\n': 'enter',
  [CTRL_C]: 'interrupt',
}

/**
 * Converts what a terminal sends to keys. A sequence may be split between two pieces. Bracketed paste is one key `text`,
 * whatever it contains; only Ctrl-C is a key in it too.
 */
export class KeyReader {
  #rest = ''
  #pasting = false

  /** Returns the keys that `data` completes. */
  push(data: string): readonly Key[] {
    const keys: Key[] = []
    let left = this.#rest + data
    this.#rest = ''
    while (left !== '') {
      const taken = this.#pasting ? this.#takePasted(left, keys) : this.#takeKey(left, keys)
      if (taken === 0) {
        this.#rest = left
        break
      }
      left = left.slice(taken)
    }
    return keys
  }

  /** Returns whether a sequence has begun and not ended. */
  get unfinished(): boolean {
    return this.#rest !== '' && !this.#pasting
  }

  /** Ends a sequence whose rest did not follow in time: the key Escape, if it is nothing more. */
  flush(): readonly Key[] {
    if (!this.unfinished) return []
    const key = this.#rest === ESC ? 'escape' : 'text'
    this.#rest = ''
    return [key]
  }

  #takeKey(left: string, keys: Key[]): number {
    if (UNFINISHED.test(left)) return 0
    const [sequence = left.slice(0, 1)] = SEQUENCE.exec(left) ?? []
    this.#pasting = sequence === PASTE_BEGIN
    keys.push(ownMember(KEYS, sequence) ?? 'text')
    return sequence.length
  }

  /** Text of a paste is dropped up to its end, or up to what may be the beginning of its end. */
  #takePasted(left: string, keys: Key[]): number {
    const end = left.indexOf(PASTE_END)
    const pasted = end === -1 ? left : left.slice(0, end)
    if (pasted.includes(CTRL_C)) {
      keys.push('interrupt')
      return pasted.indexOf(CTRL_C) + 1
    }
    if (end !== -1) {
      this.#pasting = false
      return end + PASTE_END.length
    }
    for (let size = PASTE_END.length - 1; size > 0; size--)
      if (left.endsWith(PASTE_END.slice(0, size))) return left.length - size
    return left.length
  }
}
