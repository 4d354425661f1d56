import { createInterface } from 'node:readline'
import { utf8Text } from '../files/utf8-text.ts'
import type { Io } from '../io.ts'
import { errorStream } from '../terminal/prompts.ts'

/** The messages of a user, one after the other. */
export interface Lines {
  /**
   * Returns null at the end: end of input, or Ctrl-C at the prompt.
   * @param typed the beginning of the message, which the person can edit
   */
  next(prompt: string, typed?: string): Promise<string | null>
  close(): void
}

/** The prompt of the second and of each further line of a message. */
const MORE = '… '

/**
 * Reads messages from a terminal. A message has one line; a trailing backslash, or a line that begins a code block with
 * three backticks, continues it. Between messages the run handles the terminal and Ctrl-C.
 */
export function typedLines(io: Io): Lines {
  let history: string[] = []
  const read = (prompt: string, typed = ''): Promise<string | null> =>
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
      if (typed !== '') reader.write(typed)
    })
  return {
    async next(prompt, typed) {
      let message = await read(prompt, typed)
      while (message !== null && isUnfinished(message)) {
        const more = await read(MORE)
        // Ctrl-C or Ctrl-D in a further line drops the message, and not the conversation.
        message = more === null ? await read(prompt) : `${message.replace(/\\$/, '')}\n${more}`
      }
      return message
    },
    close() {},
  }
}

function isUnfinished(message: string): boolean {
  const fences = message.split('\n').filter((line) => line.trimStart().startsWith('```')).length
  return message.endsWith('\\') || fences % 2 === 1
}

/** Reads messages from a pipe or a file: one per line. */
export function pipedLines(io: Io): Lines {
  const lines = linesOf(io.stdin)
  return {
    async next() {
      for (;;) {
        const { done, value } = await lines.next()
        if (done === true) return null
        if (value.trim() !== '') return value
      }
    },
    close() {},
  }
}

/** @throws ENCODING_NOT_UTF8 at a line that is not text */
async function* linesOf(stream: NodeJS.ReadableStream): AsyncGenerator<string, undefined> {
  let rest: Buffer = Buffer.alloc(0)
  const textOf = (bytes: Buffer) => utf8Text(bytes, '-', 'the message').replace(/\r$/, '')
  for await (const piece of stream) {
    let bytes: Buffer = Buffer.concat([rest, Buffer.from(piece)])
    for (let end = bytes.indexOf(0x0a); end >= 0; end = bytes.indexOf(0x0a)) {
      yield textOf(bytes.subarray(0, end))
      bytes = bytes.subarray(end + 1)
    }
    rest = bytes
  }
  if (rest.length > 0) yield textOf(rest)
  return undefined
}
