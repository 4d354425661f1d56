import { createInterface } from 'node:readline'
import type { Io } from '../io.ts'
import { errorStream } from '../terminal/prompts.ts'

/** The messages of a user, one after the other. */
export interface Lines {
  /** Returns null at the end: end of input, or Ctrl-C at the prompt. */
  next(prompt: string): Promise<string | null>
  close(): void
}

/** Reads messages from a terminal. Between messages the run handles the terminal and Ctrl-C. */
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
          // Pasted lines arrive together and are one message.
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

/** Reads messages from a pipe or a file: one per line. */
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
