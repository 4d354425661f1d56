import type { JsonObject } from '../../document/json.ts'
import type { Io } from '../io.ts'
import { plainText } from '../terminal/plain-text.ts'

/**
 * The beginning of a JSON answer, also in a fence of Markdown, or of a text of which that is not known yet. A server does not
 * tell the format of the output before its end.
 */
const MAY_BE_JSON = /^\s*(?:$|[[{"]|`{1,2}$|```)/

/**
 * Shows the text of the model on a terminal, as the events of a run give it. A text that may be JSON is not shown, because
 * the output is printed complete at the end.
 */
export class ShownText {
  /** The last text that is on the terminal. */
  shown: string | null = null
  seq = 0
  readonly #io: Pick<Io, 'out'>
  readonly #live: boolean
  /** The text of the current question. That of a question to continue an answer begins with what is shown already. */
  #text = ''
  #attempt = 0

  constructor(io: Pick<Io, 'out'>, live: boolean) {
    this.#io = io
    this.#live = live
  }

  take(event: string, data: JsonObject): void {
    if (!this.#live || typeof data.text !== 'string') return
    const attempt = Number(data.attempt)
    const begins = attempt !== this.#attempt || event === 'text.snapshot'
    this.#attempt = attempt
    this.#text = begins ? data.text : this.#text + data.text
    if (MAY_BE_JSON.test(this.#text)) return
    const shown = this.shown ?? ''
    if (shown.startsWith(this.#text)) return
    const continues = this.#text.startsWith(shown)
    this.#io.out(plainText(continues ? this.#text.slice(shown.length) : `\n${this.#text}`))
    this.shown = this.#text
  }

  end(): void {
    if (this.shown !== null && !this.shown.endsWith('\n')) this.#io.out('\n')
  }
}
