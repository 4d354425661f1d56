import type { Io } from '../io.ts'
import { Screen } from '../terminal/screen.ts'

const ID = 'progress'

/** Shows how far many runs are, in one line below the output of a terminal. Elsewhere it shows nothing. */
export class ProgressLine {
  /** Writes above the line. Takes complete lines only. */
  readonly io: Io
  readonly #screen: Screen | undefined

  /** @param readable whether a person reads standard output, and not a program */
  constructor(io: Io, readable: boolean) {
    const screen = readable && io.outIsTty && io.errIsTty ? new Screen(io) : undefined
    this.#screen = screen
    this.io =
      screen === undefined
        ? io
        : Object.create(io, {
            out: { value: (text: string) => screen.text(text) },
            err: { value: (text: string) => screen.line(text.replace(/\n$/, '')) },
          })
  }

  /** Shows a text, or removes the line for null. */
  show(text: string | null): void {
    if (text === null) this.#screen?.idle(ID)
    else this.#screen?.busy(text, ID)
  }

  close(): void {
    this.#screen?.close()
  }
}
