import type { TextStream } from './text-stream.ts'
import { WordWrap } from './word-wrap.ts'

/** Shows text without styles, and breaks its lines between words. It holds back a word until it is complete. */
export class PlainStream implements TextStream {
  readonly #wrap: WordWrap
  #held = ''

  constructor(write: (text: string) => void, columns: () => number | undefined) {
    this.#wrap = new WordWrap(write, columns)
  }

  push(text: string): void {
    this.#held += text
    const end = this.#held.search(/\s\S*$/) + 1
    this.#wrap.push(this.#held.slice(0, end))
    this.#held = this.#held.slice(end)
  }

  end(): void {
    this.#wrap.push(this.#held)
    this.#wrap.endLine()
    this.#held = ''
  }
}
