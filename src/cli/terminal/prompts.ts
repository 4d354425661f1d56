import { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Io } from '../io.ts'

/** How long a terminal may take to hand over what was typed before. */
const TYPED_AHEAD_MS = 50

/** The prompt library, loaded when somebody is really asked, and the streams that its prompts use. */
export async function openPrompts(io: Io) {
  const prompts = await import('@clack/prompts')
  await discardTyped(io.stdin as NodeJS.ReadStream)
  return { prompts, streams: { input: io.stdin as NodeJS.ReadStream, output: errorStream(io) } }
}

/** What was typed before the question was there is no answer to it: a stray Enter must approve nothing. */
async function discardTyped(stdin: NodeJS.ReadStream): Promise<void> {
  const discard = () => {}
  stdin.setRawMode?.(true)
  stdin.on('data', discard)
  await sleep(TYPED_AHEAD_MS)
  stdin.off('data', discard)
  stdin.pause()
  stdin.setRawMode?.(false)
}

/** Standard error as a terminal: standard output stays free for results. */
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
