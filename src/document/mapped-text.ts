/** A text that was made from another text, with a mapping to the offsets of that original. */
export interface MappedText {
  readonly text: string
  /** Returns the offset in the original of the character at `index`. */
  start(index: number): number
  /** Returns the offset in the original after the character at `index`. */
  end(index: number): number
}

/** Maps a text to itself. */
export function unchanged(text: string): MappedText {
  return { text, start: (index) => index, end: (index) => index + 1 }
}

/** Applies a change to a mapped text; the offsets still refer to the first original. */
export function then(inner: MappedText, change: (text: string) => MappedText): MappedText {
  const outer = change(inner.text)
  if (outer.text === inner.text) return inner
  return {
    text: outer.text,
    start: (index) => inner.start(outer.start(index)),
    // An end is at least 1, because a character of the outer text has at least one character of the inner text.
    end: (index) =>
      index < outer.text.length ? inner.end(outer.end(index) - 1) : inner.end(inner.text.length),
  }
}

/** The marker in `#to` of a part that is copied character by character. */
const COPIED = -1

/** Builds a changed text from left to right. What is neither copied nor replaced is removed. */
export class TextMapper {
  readonly #source: string
  #text = ''
  // Kept apart: taking it from a text that grows would copy the text each time.
  #last = ''
  /** Parts: the offset in the new text, and the part of the source. */
  readonly #at: number[] = []
  readonly #from: number[] = []
  readonly #to: number[] = []

  constructor(source: string) {
    this.#source = source
  }

  /** The last code point of the new text, possibly with the unit before it; empty at its start. */
  get last(): string {
    return this.#last
  }

  /** Copies the part of the source from `from` to before `to`. */
  copy(from: number, to: number): void {
    if (from >= to) return
    const last = this.#at.length - 1
    const adjoins =
      last >= 0 &&
      this.#to[last] === COPIED &&
      (this.#from[last] as number) + this.#text.length - (this.#at[last] as number) === from
    if (!adjoins) this.#part(from, COPIED)
    this.#text += this.#source.slice(from, to)
    this.#last = this.#source.slice(Math.max(from, to - 2), to)
  }

  /** Writes other characters in place of the part of the source from `from` to before `to`. */
  put(characters: string, from: number, to: number): void {
    if (characters === '') return
    this.#part(from, to)
    this.#text += characters
    this.#last = characters.slice(-2)
  }

  finish(): MappedText {
    const text = this.#text
    const [at, from, to] = [this.#at, this.#from, this.#to]
    const end = this.#source.length
    const partOf = (index: number): number => {
      let low = 0
      let high = at.length - 1
      while (low < high) {
        const middle = (low + high + 1) >> 1
        if ((at[middle] as number) <= index) low = middle
        else high = middle - 1
      }
      return low
    }
    return {
      text,
      start(index) {
        if (index >= text.length) return end
        const part = partOf(index)
        const start = from[part] as number
        return to[part] === COPIED ? start + index - (at[part] as number) : start
      },
      end(index) {
        if (index >= text.length) return end
        const part = partOf(index)
        const stop = to[part] as number
        return stop === COPIED ? (from[part] as number) + index - (at[part] as number) + 1 : stop
      },
    }
  }

  #part(from: number, to: number): void {
    this.#at.push(this.#text.length)
    this.#from.push(from)
    this.#to.push(to)
  }
}

/**
 * Replaces the matches of a global pattern. `replace` returns the new characters, or null to keep the match.
 * Without a match the result is the same text.
 */
export function replaceMapped(
  text: string,
  pattern: RegExp,
  replace: (match: RegExpExecArray, before: () => string) => string | null,
): MappedText {
  pattern.lastIndex = 0
  let match = pattern.exec(text)
  if (match === null) return unchanged(text)
  const mapper = new TextMapper(text)
  let copied = 0
  for (; match !== null; match = pattern.exec(text)) {
    const { index } = match
    mapper.copy(copied, index)
    const to = index + match[0].length
    const characters = replace(match, () => mapper.last)
    if (characters === null) mapper.copy(index, to)
    else mapper.put(characters, index, to)
    copied = to
  }
  mapper.copy(copied, text.length)
  return mapper.finish()
}
