import { createInterface } from 'node:readline'
import type { Io } from '../io.ts'
import { errorStream } from '../terminal/prompts.ts'

/** What a person says, message by message. */
export interface Lines {
  /** Null when there will be no more: end of input, or Ctrl-C at the prompt. */
  next(prompt: string): Promise<string | null>
  close(): void
}

/** Messages from a person at a terminal. Between messages the terminal belongs to the run, Ctrl-C included. */
export function typedLines(io: Io): Lines {
  let history: string[] = []
  return {
    next: (prompt) =>
      new Promise((resolve) => {
        const reader = createInterface({
          input: io.stdin as NodeJS.ReadStream,
          output: errorStream(io),
          terminal: true,
          history,
          prompt,
        })
        const said: string[] = []
        reader.on('history', (lines) => {
          history = lines
        })
        reader.on('line', (line) => {
          said.push(line)
          // What was pasted comes at once, and is one message.
          if (said.length === 1) setImmediate(() => reader.close())
        })
        reader.on('SIGINT', () => reader.close())
        reader.on('close', () => {
          if (said.length === 0) io.err('\n')
          resolve(said.length === 0 ? null : said.join('\n'))
        })
        reader.prompt()
      }),
    close() {},
  }
}

/** Messages from a pipe or a file: one a line. */
export function pipedLines(io: Io): Lines {
  const reader = createInterface({ input: io.stdin, crlfDelay: Number.POSITIVE_INFINITY })
  const lines = reader[Symbol.asyncIterator]()
  return {
    async next() {
      for (;;) {
        const { done, value } = await lines.next()
        if (done === true) return null
        if (value.trim() !== '') return value
      }
    },
    close() {
      reader.close()
    },
  }
}
