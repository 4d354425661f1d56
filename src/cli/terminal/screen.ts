import type { Io } from '../io.ts'
import { duration } from './amounts.ts'

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'] as const
/** What takes less than this needs no sign of life. */
const QUIET_MS = 300
const FRAME_MS = 100
const CLEAR_LINE = '\r\x1b[2K'

/**
 * The terminal while a run is under way: whole lines, text as it is generated, and a sign of life, which never
 * get in each other's way. Cursor codes are written only where colour is allowed.
 */
export class Screen {
  readonly #io: Io
  /** Where generated text goes. */
  readonly #textOut: (text: string) => void
  readonly #busy = new Map<string, { readonly label: string; readonly since: number }>()
  #timer: NodeJS.Timeout | undefined
  #spinnerShown = false
  #frame = 0
  #midLine = false
  #held: string[] | null = null

  /** @param json standard output must stay free */
  constructor(io: Io, json = false) {
    this.#io = io
    this.#textOut = io.outIsTty && !json ? io.out : io.err
  }

  /** A line on standard error. */
  line(text: string): void {
    if (this.#held !== null) {
      this.#held.push(text)
      return
    }
    this.#clearSpinner()
    this.endText()
    this.#io.err(`${text}\n`)
  }

  /** Text of a model, to where people look: standard output when that is a terminal, else standard error. */
  text(delta: string): void {
    if (delta === '') return
    this.#clearSpinner()
    this.#midLine = !delta.endsWith('\n')
    this.#textOut(delta)
  }

  /** Ends a line that text has left open. */
  endText(): void {
    if (!this.#midLine) return
    this.#midLine = false
    this.#textOut('\n')
  }

  /** Something has begun that may take a while. */
  busy(label: string, id = ''): void {
    this.#busy.set(id, { label, since: Date.now() })
    if (!this.#io.color || this.#timer !== undefined) return
    this.#timer = setInterval(() => this.#tick(), FRAME_MS)
    this.#timer.unref()
  }

  /** It has come to an end; everything has when no id is given. */
  idle(id?: string): void {
    if (id === undefined) this.#busy.clear()
    else this.#busy.delete(id)
    if (this.#busy.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#clearSpinner()
  }

  /** Gives the terminal to a question: lines wait until it is answered. */
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
