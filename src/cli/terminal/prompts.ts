import { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Io } from '../io.ts'

/** How long to wait for earlier input of the terminal, in milliseconds: after each piece, and in all. */
const TYPED_AHEAD_MS = 50
const TYPED_AHEAD_LIMIT_MS = 2000

/** The keys of an editor are arrow keys for the prompt library, so that a typed text would move a selection. */
const LETTER_KEYS = ['h', 'j', 'k', 'l'] as const

/**
 * Loads the prompt library, and returns it with the streams for its prompts: texts, and selections without an effect.
 * A question whose answer has an effect is asked with `chooseDeliberately`.
 */
export async function openPrompts(io: Io) {
  const prompts = await import('@clack/prompts')
  for (const letter of LETTER_KEYS) prompts.settings.aliases.delete(letter)
  await discardTyped(io)
  return { prompts, streams: { input: io.stdin as NodeJS.ReadStream, output: errorStream(io) } }
}

/**
 * Discards input typed before a prompt appeared, such as an Enter that is held down: it was meant for something else.
 * @returns whether Ctrl-C was among it
 */
export async function discardTyped(io: Io): Promise<boolean> {
  const stdin = io.stdin as NodeJS.ReadStream
  const end = Date.now() + TYPED_AHEAD_LIMIT_MS
  let typed = false
  let interrupted = false
  const discard = (data: Buffer | string) => {
    typed = true
    interrupted ||= data.includes('\x03')
  }
  stdin.setRawMode?.(true)
  stdin.on('data', discard)
  do {
    typed = false
    await sleep(TYPED_AHEAD_MS)
  } while (typed && !interrupted && Date.now() < end)
  stdin.off('data', discard)
  stdin.pause()
  stdin.setRawMode?.(false)
  return interrupted
}

/** Returns standard error as the terminal of prompts, because standard output is for results only. */
export function errorStream(io: Io): Writable {
  const stream = new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      io.err(String(chunk))
      done()
    },
  })
  return Object.assign(stream, { isTTY: true, columns: io.columns ?? 80, rows: io.rows ?? 24 })
}
