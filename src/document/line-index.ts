/** A position in a text: 1-based, in UTF-16 units as in editors. `length` ends within the line. */
export interface Place {
  readonly line: number
  readonly column: number
  readonly length: number
  /** The last line of the value. */
  readonly endLine: number
}

/** Offsets in a text, in UTF-16 units. */
export interface Span {
  readonly offset: number
  readonly length: number
}

/** Converts offsets to lines and columns. Lines end at LF; a CR before LF belongs to the line. */
export class LineIndex {
  readonly #text: string
  readonly #starts: number[] = [0]

  constructor(text: string) {
    this.#text = text
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1)
  }

  place(span: Span): Place {
    const line = this.#lineOf(span.offset)
    const start = this.#starts[line] ?? 0
    const end = this.#endOf(line)
    const length = Math.max(1, Math.min(span.length, end - span.offset))
    const endLine = this.#lineOf(span.offset + Math.max(0, span.length - 1)) + 1
    return { line: line + 1, column: span.offset - start + 1, length, endLine }
  }

  /** Returns the text of a 1-based line, without its line break. */
  line(number: number): string {
    return this.#text.slice(this.#starts[number - 1] ?? 0, this.#endOf(number - 1))
  }

  #endOf(line: number): number {
    const next = this.#starts[line + 1]
    if (next === undefined) return this.#text.length
    return this.#text[next - 2] === '\r' ? next - 2 : next - 1
  }

  #lineOf(offset: number): number {
    let low = 0
    let high = this.#starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#starts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return low
  }
}
