/**
 * Measures the nesting depth of a YAML text on its lexemes. Block collections nest by column (`- - a` has depth 2),
 * flow collections by brackets. A sequence at the column of its key counts as one level with it, so the tree is at most
 * twice as deep as measured: recursion is limited, and the reader checks the exact depth.
 */
export class YamlDepth {
  readonly #maxDepth: number
  /** Columns of the open block collections. */
  readonly #columns: number[] = []
  #flow = 0
  #column = 0
  #contentColumn = -1

  constructor(maxDepth: number) {
    this.#maxDepth = maxDepth
  }

  /** Processes the next lexeme; returns true if the text nests deeper than allowed. */
  exceeds(lexeme: string): boolean {
    const start = this.#column
    this.#advance(lexeme)
    switch (lexeme) {
      case '[':
      case '{':
        this.#flow++
        break
      case ']':
      case '}':
        this.#flow = Math.max(0, this.#flow - 1)
        break
      case '-':
      case '?':
        if (this.#flow === 0) this.#open(start)
        this.#contentColumn = -1
        return this.#tooDeep()
      case ':':
        if (this.#flow === 0) this.#open(this.#contentColumn === -1 ? start : this.#contentColumn)
        break
      case '\x02':
        this.#columns.length = 0
        return false
    }
    if (this.#contentColumn === -1 && lexeme.trim() !== '' && !lexeme.startsWith('#'))
      this.#contentColumn = start
    return this.#tooDeep()
  }

  #tooDeep(): boolean {
    return this.#columns.length + this.#flow > this.#maxDepth
  }

  #open(column: number): void {
    while ((this.#columns.at(-1) ?? -1) > column) this.#columns.pop()
    if (this.#columns.at(-1) !== column) this.#columns.push(column)
  }

  #advance(lexeme: string): void {
    if (lexeme === '\x02' || lexeme === '\x18' || lexeme === '\x1f' || lexeme === '\u{FEFF}') return
    const lineBreak = lexeme.lastIndexOf('\n')
    if (lineBreak === -1) {
      this.#column += lexeme.length
    } else {
      this.#column = lexeme.length - lineBreak - 1
      this.#contentColumn = -1
    }
  }
}
