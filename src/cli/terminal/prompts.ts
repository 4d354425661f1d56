import { Writable } from 'node:stream'
import type { Io } from '../io.ts'

export type Prompts = typeof import('@clack/prompts')

/** The prompt library, loaded when somebody is really asked, and the streams that its prompts use. */
export async function openPrompts(io: Io) {
  const prompts = await import('@clack/prompts')
  return { prompts, streams: { input: io.stdin as NodeJS.ReadStream, output: errorStream(io) } }
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
