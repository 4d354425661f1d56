import { StringDecoder } from 'node:string_decoder'
import widthOf from 'fast-string-width'
import type { Io } from '../io.ts'
import { painter } from '../terminal/paint.ts'
import { plainText } from '../terminal/plain-text.ts'
import type { Typing } from '../terminal/typing.ts'

/** An escape sequence of a key, such as an arrow. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: keys of a terminal are control characters.
const KEY_SEQUENCE = /\x1b(?:\[[0-?]*[ -/]*[@-~]|O.|.)?/g
/** The end of a pasted line that others follow. */
const PASTED_LINE_END = /(?:\r\n?|\n)(?=.)/gs
/** Stands for {@link PASTED_LINE_END}; no key of a terminal sends it. */
const LINE_BREAK = '\v'
const graphemes = new Intl.Segmenter()

/**
 * Keeps what a person types while an answer is shown: complete messages, and the line that is not finished. The keys are
 * not echoed into the answer. Ctrl-C stops the run as it does without this class.
 */
export class TypeAhead implements Typing {
  readonly #stdin: NodeJS.ReadStream
  readonly #io: Io
  readonly #messages: string[] = []
  #line = ''
  #show: ((line: string | null) => void) | undefined
  #draftEnded: (() => void) | undefined
  #decoder = new StringDecoder('utf8')
  readonly #onData = (data: Buffer | string) => {
    this.#take(typeof data === 'string' ? data : this.#decoder.write(data))
  }

  constructor(io: Io) {
    this.#io = io
    this.#stdin = io.stdin as NodeJS.ReadStream
  }

  start(show: (line: string | null) => void): void {
    if (this.#show !== undefined) return
    this.#show = show
    this.#stdin.setRawMode?.(true)
    this.#stdin.on('data', this.#onData)
    this.#stdin.resume()
    this.#draw()
  }

  stop(): void {
    if (this.#show === undefined) return
    this.#show = undefined
    this.#stdin.off('data', this.#onData)
    this.#stdin.pause()
    this.#stdin.setRawMode?.(false)
    this.#draftEnded?.()
  }

  hasDraft(): boolean {
    return this.#line !== ''
  }

  async draftEnds(signal: AbortSignal): Promise<void> {
    if (!this.hasDraft() || this.#show === undefined || signal.aborted) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#draftEnded = resolve
    signal.addEventListener('abort', () => resolve(), { once: true })
    await promise
    this.#draftEnded = undefined
  }

  /** Removes and returns the next complete message. */
  nextMessage(): string | undefined {
    return this.#messages.shift()
  }

  /** Removes and returns all that was typed, as one line to edit. */
  takeAll(): string {
    const all = [...this.#messages.splice(0), this.takeLine()]
    return all.join(' ').replaceAll('\n', ' ').trim()
  }

  /** Removes and returns the unfinished line. */
  takeLine(): string {
    const line = this.#line
    this.#line = ''
    return line.replaceAll('\n', ' ')
  }

  #take(data: string): void {
    for (const key of data.replaceAll(KEY_SEQUENCE, '').replaceAll(PASTED_LINE_END, LINE_BREAK))
      this.#press(key)
    this.#draw()
    if (!this.hasDraft()) this.#draftEnded?.()
  }

  #press(key: string): void {
    switch (key) {
      case '\x03':
        process.kill(process.pid, 'SIGINT')
        return
      case '\r':
      case '\n':
        if (this.#line.trim() !== '') this.#messages.push(this.#line)
        this.#line = ''
        return
      case '\x7f':
      case '\b':
        this.#line = [...graphemes.segment(this.#line)]
          .slice(0, -1)
          .map(({ segment }) => segment)
          .join('')
        return
      case '\x15':
        this.#line = ''
        return
      case '\x17':
        this.#line = this.#line.replace(/\S*\s*$/, '')
        return
      case LINE_BREAK:
        // Pasted lines are one message.
        this.#line += '\n'
        return
      default:
        this.#line += plainText(key === '\t' ? ' ' : key)
    }
  }

  #draw(): void {
    const waiting = this.#messages.length
    if (waiting === 0 && this.#line === '') {
      this.#show?.(null)
      return
    }
    const paint = painter(this.#io.color)
    const queued = waiting === 0 ? '' : `(${waiting} to send next) `
    const room = Math.max(10, (this.#io.columns ?? 80) - queued.length - 4)
    const text = endThatFits(this.#line.replaceAll('\n', ' '), room)
    this.#show?.(`${paint('faint', queued)}${paint('accent', '>')} ${text}`)
  }
}

/** Returns the end of a line, which is where the person types, in at most `room` columns. */
function endThatFits(line: string, room: number): string {
  if (widthOf(line) <= room) return line
  let end = ''
  for (const { segment } of [...graphemes.segment(line)].reverse()) {
    if (widthOf(segment) + widthOf(end) >= room) break
    end = `${segment}${end}`
  }
  return `…${end}`
}
