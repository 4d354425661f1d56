import type { Readable } from 'node:stream'

const LONGEST_LINE = 4000

/** Passes on each line of a stream that is not empty, cut to 4000 characters. */
export function followLines(stream: Readable, onLine: (line: string) => void): void {
  let line = ''
  const flush = () => {
    if (line.trim() !== '') onLine(line)
    line = ''
  }
  stream.setEncoding('utf8')
  stream.on('data', (chunk: string) => {
    const [first = '', ...rest] = chunk.split('\n')
    const add = (part: string) => {
      line += part.slice(0, LONGEST_LINE - line.length)
    }
    add(first)
    for (const part of rest) {
      flush()
      add(part)
    }
  })
  stream.once('close', flush)
  stream.on('error', () => {})
}
