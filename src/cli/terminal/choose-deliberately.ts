import { StringDecoder } from 'node:string_decoder'
import widthOf from 'fast-string-width'
import type { Io } from '../io.ts'
import { DeliberateChoice } from './deliberate-choice.ts'
import { type Key, KeyReader } from './key-reader.ts'
import { painter } from './paint.ts'
import { discardTyped } from './prompts.ts'

/** How long no key may be pressed before Enter chooses anything but the safe entry, in milliseconds. */
const REST_MS = 300
/** How long the rest of a sequence of a key may take, in milliseconds. */
const SEQUENCE_MS = 50
/** How many entries are shown at a time. */
const SHOWN = 12
/** The terminal marks pasted text (DEC mode 2004). Other terminals ignore these codes. */
const BEGIN_PASTE_MARKS = '\x1b[?2004h'
const END_PASTE_MARKS = '\x1b[?2004l'
const HIDE_CURSOR = '\x1b[?25l'
const SHOW_CURSOR = '\x1b[?25h'

export interface Entry<Value> {
  readonly value: Value
  readonly label: string
  /** Shown when the entry is selected. */
  readonly hint?: string
}

export interface ChoiceOptions<Value> {
  readonly message: string
  readonly options: readonly Entry<Value>[]
  /** The value that changes nothing. */
  readonly safe: Value
  readonly signal?: AbortSignal
}

/**
 * Asks the person at the terminal a question whose answer has an effect ({@link DeliberateChoice}).
 * @returns undefined if the person leaves with Ctrl-C or Escape, the signal aborts, or the terminal is closed
 */
export async function chooseDeliberately<Value>(
  { message, options, safe, signal }: ChoiceOptions<Value>,
  io: Io,
): Promise<Value | undefined> {
  const interrupted = await discardTyped(io)
  if (interrupted || signal?.aborted === true) return undefined
  const first = options.findIndex(({ value }) => value === safe)
  if (first === -1) throw new Error('a question needs an entry that changes nothing')
  const choice = new DeliberateChoice(options.length, first)
  const frame = new Frame(io)
  frame.draw(openLines(message, options, choice, io))
  const answered = await readChoice(choice, io, signal, () =>
    frame.draw(openLines(message, options, choice, io)),
  )
  const chosen = answered ? options[choice.index] : undefined
  frame.draw(closedLines(message, chosen?.label, io))
  frame.end()
  return chosen?.value
}

/** Asks for a yes or a no. Returns false unless the answer is yes. */
export async function confirmDeliberately(message: string, io: Io): Promise<boolean> {
  const options = [
    { value: true, label: 'Yes' },
    { value: false, label: 'No' },
  ]
  return (await chooseDeliberately({ message, options, safe: false }, io)) === true
}

/** Reads keys until one ends the choice. @returns whether the selected entry is the answer */
function readChoice(
  choice: DeliberateChoice,
  io: Io,
  signal: AbortSignal | undefined,
  changed: () => void,
): Promise<boolean> {
  const stdin = io.stdin as NodeJS.ReadStream
  const keys = new KeyReader()
  const decoder = new StringDecoder('latin1')
  const { promise, resolve } = Promise.withResolvers<boolean>()
  let resting: NodeJS.Timeout | undefined
  let sequence: NodeJS.Timeout | undefined
  const take = (pressed: readonly Key[]) => {
    for (const key of pressed) {
      const result = choice.press(key)
      if (result !== null) return resolve(result === 'answer')
    }
    if (pressed.length === 0) return
    clearTimeout(resting)
    // A key that was pressed in time and is still unread, because this process was busy, is read before setImmediate.
    if (choice.waits) resting = setTimeout(() => setImmediate(rest, resting), REST_MS)
    changed()
  }
  const rest = (timer: NodeJS.Timeout | undefined) => {
    if (timer === resting) choice.rest()
  }
  const onData = (data: Buffer | string) => {
    clearTimeout(sequence)
    take(keys.push(typeof data === 'string' ? data : decoder.write(data)))
    if (keys.unfinished) sequence = setTimeout(() => take(keys.flush()), SEQUENCE_MS)
  }
  const leave = () => resolve(false)
  stdin.setRawMode?.(true)
  stdin.on('data', onData).on('end', leave).on('close', leave)
  stdin.resume()
  signal?.addEventListener('abort', leave)
  return promise.finally(() => {
    clearTimeout(resting)
    clearTimeout(sequence)
    signal?.removeEventListener('abort', leave)
    stdin.off('data', onData).off('end', leave).off('close', leave)
    stdin.pause()
    stdin.setRawMode?.(false)
  })
}

function openLines<Value>(
  message: string,
  options: readonly Entry<Value>[],
  choice: DeliberateChoice,
  { color, rows = 24 }: Io,
): readonly string[] {
  const paint = painter(color)
  const bar = paint('accent', '│')
  const shown = Math.min(options.length, SHOWN, Math.max(3, rows - 6))
  const from = Math.min(Math.max(0, choice.index - Math.floor(shown / 2)), options.length - shown)
  const entries = options.slice(from, from + shown).map(({ label, hint }, offset) => {
    if (from + offset !== choice.index) return `${bar}  ${paint('faint', `○ ${label}`)}`
    return `${bar}  ${paint('good', '●')} ${label}${hint === undefined ? '' : paint('faint', ` (${hint})`)}`
  })
  const selected = options[choice.index]?.label ?? ''
  const note = choice.again ? `  ${paint('faint', `press Enter again to choose "${selected}"`)}` : ''
  return [
    paint('faint', '│'),
    `${paint('accent', '◆')}  ${message}`,
    ...entries,
    `${paint('accent', '└')}${note}`,
  ]
}

function closedLines(message: string, chosen: string | undefined, { color }: Io): readonly string[] {
  const paint = painter(color)
  const bar = paint('faint', '│')
  const [mark, answer] =
    chosen === undefined ? [paint('bad', '■'), 'no answer'] : [paint('good', '◇'), chosen]
  return [bar, `${mark}  ${message}`, `${bar}  ${paint('faint', answer)}`]
}

/** Lines that are drawn again in their place. */
class Frame {
  readonly #io: Io
  #height = 0

  constructor(io: Io) {
    this.#io = io
    io.err(`${BEGIN_PASTE_MARKS}${HIDE_CURSOR}`)
  }

  draw(lines: readonly string[]): void {
    const { columns = 80 } = this.#io
    const clear = this.#height === 0 ? '' : `\x1b[${this.#height}A\r\x1b[J`
    this.#io.err(`${clear}${lines.join('\n')}\n`)
    this.#height = lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(widthOf(line) / columns)), 0)
  }

  end(): void {
    this.#io.err(`${SHOW_CURSOR}${END_PASTE_MARKS}`)
  }
}
