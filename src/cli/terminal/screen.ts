import type { Io } from '../io.ts'
import { duration } from './amounts.ts'

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'] as const
/** The spinner appears only after this time. */
const QUIET_MS = 300
const FRAME_MS = 100
const CLEAR_LINE = '\r\x1b[2K'

/**
 * Writes lines, streamed text and a spinner to the terminal during a run, so that they do not overwrite each other.
 * Writes cursor codes only if colour is allowed.
 */
export class Screen {
  readonly #io: Io
  /** Writes generated text. */
  readonly #textOut: (text: string) => void
  readonly #busy = new Map<string, { readonly label: string; readonly since: number }>()
  #timer: NodeJS.Timeout | undefined
  #spinnerShown = false
  #frame = 0
  #midLine = false
  #held: string[] | null = null

  /** @param json standard output is reserved for one JSON value */
  constructor(io: Io, json = false) {
    this.#io = io
    this.#textOut = io.outIsTty && !json ? io.out : io.err
  }

  /** Writes a line to standard error. */
  line(text: string): void {
    if (this.#held !== null) {
      this.#held.push(text)
      return
    }
    this.#clearSpinner()
    this.endText()
    this.#io.err(`${text}\n`)
  }

  /** Writes text of a model: to standard output if that is a terminal, else to standard error. */
  text(delta: string): void {
    if (delta === '') return
    this.#clearSpinner()
    this.#midLine = !delta.endsWith('\n')
    this.#textOut(delta)
  }

  /** Ends the line if the last text did not. */
  endText(): void {
    if (!this.#midLine) return
    this.#midLine = false
    this.#textOut('\n')
  }

  /** Starts the spinner for an operation. */
  busy(label: string, id = ''): void {
    this.#busy.set(id, { label, since: Date.now() })
    if (!this.#io.color || this.#timer !== undefined) return
    this.#timer = setInterval(() => this.#tick(), FRAME_MS)
    this.#timer.unref()
  }

  /** Ends an operation, or all operations if no id is given; the last one stops the spinner. */
  idle(id?: string): void {
    if (id === undefined) this.#busy.clear()
    else this.#busy.delete(id)
    if (this.#busy.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#clearSpinner()
  }

  /** Reserves the terminal for a prompt: lines are held back until it is answered. */
  async whileHeld<T>(act: () => Promise<T>): Promise<T> {
    this.#clearSpinner()
    this.endText()
    this.#held = []
    try {
      return await act()
    } finally {
      const lines = this.#held ?? []
      this.#held = null
      for (const line of lines) this.line(line)
    }
  }

  close(): void {
    this.idle()
    this.endText()
  }

  #tick(): void {
    if (this.#held !== null || this.#midLine) return
    const elapsed = Date.now() - Math.min(...[...this.#busy.values()].map(({ since }) => since))
    if (elapsed < QUIET_MS) return
    const labels = [...new Set([...this.#busy.values()].map(({ label }) => label))].join(', ')
    const time = elapsed < 1000 ? '' : ` ${duration(Math.floor(elapsed / 1000) * 1000)}`
    this.#frame = (this.#frame + 1) % FRAMES.length
    const room = Math.max(20, (this.#io.columns ?? 80) - 14)
    const short = labels.length > room ? `${labels.slice(0, room)}…` : labels
    this.#io.err(`${CLEAR_LINE}\x1b[2m${FRAMES[this.#frame]} ${short}${time}\x1b[0m`)
    this.#spinnerShown = true
  }

  #clearSpinner(): void {
    if (!this.#spinnerShown) return
    this.#spinnerShown = false
    this.#io.err(CLEAR_LINE)
  }
}
