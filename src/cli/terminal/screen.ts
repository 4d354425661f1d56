import widthOf from 'fast-string-width'
import type { Io } from '../io.ts'
import { duration } from './amounts.ts'
import type { TextStream } from './markdown/text-stream.ts'
import type { Typing } from './typing.ts'

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'] as const
/** The spinner appears only after this time. */
const QUIET_MS = 300
const FRAME_MS = 100
const CLEAR_LINE = '\r\x1b[2K'
/** The terminal shows what is between these codes at once (DEC mode 2026). Other terminals ignore them. */
const BEGIN_UPDATE = '\x1b[?2026h'
const END_UPDATE = '\x1b[?2026l'

export interface ScreenOptions {
  /** Standard output is reserved for one JSON value. */
  readonly json?: boolean
  /** Formats text of a model; it writes to the given function. Absent: the text is written as it is. */
  readonly format?: ((write: (text: string) => void) => TextStream) | undefined
  /** Reads what a person types during the run. It is shown in a line of its own, below all output. */
  readonly typing?: Typing | undefined
}

/**
 * Writes lines, streamed text, a spinner and the line that is being typed to the terminal during a run, so that they do
 * not overwrite each other. Writes cursor codes only if colour is allowed.
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
  readonly #format: TextStream | undefined
  readonly #typing: Typing | undefined
  readonly #leaveStray: (() => void) | undefined
  #typed: string | null = null
  /** Whether the typed line is on the screen, and whether it has the row below the output or that of the cursor. */
  #dock: 'none' | 'below' | 'here' = 'none'
  /** The column of the cursor after the latest output. */
  #column = 0

  constructor(io: Io, { json = false, format, typing }: ScreenOptions = {}) {
    this.#io = io
    this.#textOut = io.outIsTty && !json ? io.out : io.err
    this.#format = format?.((text) => {
      this.#midLine = !text.endsWith('\n')
      this.#put(this.#textOut, text)
    })
    this.#typing = typing
    typing?.start((line) => this.#compose(line))
    this.#leaveStray = io.takeStray?.((text) => this.#stray(text))
  }

  /** Writes a line to standard error. */
  line(text: string): void {
    if (this.#held !== null) {
      this.#held.push(text)
      return
    }
    this.#clearSpinner()
    this.endText()
    this.#put(this.#io.err, `${text}\n`)
  }

  /** Writes text of a model: to standard output if that is a terminal, else to standard error. */
  text(delta: string): void {
    if (delta === '') return
    this.#clearSpinner()
    if (this.#format !== undefined) {
      this.#format.push(delta)
      return
    }
    this.#midLine = !delta.endsWith('\n')
    this.#put(this.#textOut, delta)
  }

  /** Ends the line if the last text did not. */
  endText(): void {
    this.#format?.end()
    if (!this.#midLine) return
    this.#midLine = false
    this.#put(this.#textOut, '\n')
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

  /** Waits until the person has sent or erased the line that is being typed; says so with `notice` if there is one. */
  async draftEnds(notice: string, signal: AbortSignal): Promise<void> {
    if (this.#typing?.hasDraft() !== true) return
    this.line(notice)
    await this.#typing.draftEnds(signal)
  }

  /** Reserves the terminal for a prompt: lines are held back until it is answered. */
  async whileHeld<T>(act: () => Promise<T>): Promise<T> {
    this.#clearSpinner()
    this.endText()
    this.#held = []
    this.#typing?.stop()
    this.#compose(null)
    try {
      return await act()
    } finally {
      this.#typing?.start((line) => this.#compose(line))
      const lines = this.#held ?? []
      this.#held = null
      for (const line of lines) this.line(line)
    }
  }

  close(): void {
    this.#leaveStray?.()
    this.idle()
    this.endText()
    this.#typing?.stop()
    this.#compose(null)
  }

  /** Writes output of functions of the user to standard error, in lines of its own. */
  #stray(text: string): void {
    if (text === '') return
    if (this.#held !== null) {
      this.#held.push(text.replace(/\n$/, ''))
      return
    }
    this.#clearSpinner()
    if (this.#column !== 0 && this.#midLine) this.endText()
    this.#put(this.#io.err, text.endsWith('\n') ? text : `${text}\n`)
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
    this.#put(this.#io.err, `${CLEAR_LINE}\x1b[2m${FRAMES[this.#frame]} ${short}${time}\x1b[0m`)
    this.#spinnerShown = true
  }

  #clearSpinner(): void {
    if (!this.#spinnerShown) return
    this.#spinnerShown = false
    this.#put(this.#io.err, CLEAR_LINE)
  }

  /** Shows the line that is being typed, or removes it. */
  #compose(line: string | null): void {
    if (!this.#io.color) return
    this.#io.err(`${BEGIN_UPDATE}${this.#undock()}`)
    this.#typed = line
    this.#io.err(`${this.#docked()}${END_UPDATE}`)
  }

  /** Writes output above the typed line. */
  #put(out: (text: string) => void, text: string): void {
    const docked = this.#dock !== 'none' || this.#typed !== null
    if (docked) this.#io.err(`${BEGIN_UPDATE}${this.#undock()}`)
    out(text)
    const lastLine = text.slice(Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1)
    this.#column = (lastLine === text ? this.#column : 0) + widthOf(lastLine)
    if (docked) this.#io.err(`${this.#docked()}${END_UPDATE}`)
  }

  /** Returns the codes that draw the typed line. */
  #docked(): string {
    if (this.#typed === null || this.#held !== null) return ''
    this.#dock = this.#column === 0 ? 'here' : 'below'
    return `${this.#dock === 'below' ? '\n' : ''}${CLEAR_LINE}${this.#typed}`
  }

  /** Returns the codes that remove the typed line, and return the cursor to the end of the output. */
  #undock(): string {
    const dock = this.#dock
    this.#dock = 'none'
    if (dock === 'none') return ''
    const columns = this.#io.columns ?? 80
    return dock === 'here' ? CLEAR_LINE : `${CLEAR_LINE}\x1b[A\x1b[${(this.#column % columns) + 1}G`
  }
}
