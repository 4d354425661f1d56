import { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Io } from '../io.ts'

/** How long to wait for earlier input of the terminal, in milliseconds. */
const TYPED_AHEAD_MS = 50

/** Loads the prompt library, and returns it with the streams for its prompts. */
export async function openPrompts(io: Io) {
  const prompts = await import('@clack/prompts')
  await discardTyped(io.stdin as NodeJS.ReadStream)
  return { prompts, streams: { input: io.stdin as NodeJS.ReadStream, output: errorStream(io) } }
}

/** Discards input typed before the prompt appeared, because an accidental Enter must not approve a call. */
async function discardTyped(stdin: NodeJS.ReadStream): Promise<void> {
  const discard = () => {}
  stdin.setRawMode?.(true)
  stdin.on('data', discard)
  await sleep(TYPED_AHEAD_MS)
  stdin.off('data', discard)
  stdin.pause()
  stdin.setRawMode?.(false)
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
