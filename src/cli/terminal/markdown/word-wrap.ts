import widthOf from 'fast-string-width'

const PIECES = /\n|[^\S\n]+|\S+/g

/**
 * Writes text, and breaks lines between words where the window ends. A word that is wider than the window is left to the
 * terminal, so that a long URL can be copied. What was written is never changed.
 */
export class WordWrap {
  readonly #write: (text: string) => void
  /** Returns the width of the window in columns. */
  readonly #columns: () => number | undefined
  #column = 0
  /** Spaces that are written only if a word follows in the same line. */
  #space = ''
  #hanging = ''

  constructor(write: (text: string) => void, columns: () => number | undefined) {
    this.#write = write
    this.#columns = columns
  }

  get atLineStart(): boolean {
    return this.#column === 0
  }

  /** Begins a block: writes `first`, and `hanging` before each further line. */
  begin(first: string, hanging: string): void {
    this.#hanging = hanging
    this.#put(first)
  }

  /** Writes text of complete words. It may contain colours. */
  push(text: string): void {
    for (const [piece] of text.matchAll(PIECES)) {
      if (piece === '\n') this.#break()
      else if (piece.trim() === '') this.#space += piece
      else this.#word(piece)
    }
  }

  /** Writes a line as it is. */
  verbatim(line: string): void {
    this.endLine()
    this.#write(`${line}\n`)
  }

  /** Ends the line, and the block. */
  endLine(): void {
    this.#hanging = ''
    this.#space = ''
    if (this.#column > 0) this.#break()
  }

  #word(word: string): void {
    // The last column stays free: terminals differ in where the cursor is after it.
    const room = (this.#columns() ?? Number.POSITIVE_INFINITY) - 1
    const wide = widthOf(this.#space) + widthOf(word)
    if (this.#column > widthOf(this.#hanging) && this.#column + wide > room) this.#break()
    this.#put(`${this.#space}${word}`)
    this.#space = ''
  }

  #break(): void {
    this.#write('\n')
    this.#column = 0
    this.#space = ''
    this.#put(this.#hanging)
  }

  #put(text: string): void {
    if (text === '') return
    this.#write(text)
    this.#column += widthOf(text)
  }
}
