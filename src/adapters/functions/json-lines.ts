import type { Duplex } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'

export interface JsonLinesReader<T> {
  readonly onMessage: (message: T) => void
  /** Called once, with the reason: a line is not JSON, or longer than `longest` characters. No message follows. */
  readonly onBroken: (why: string) => void
  readonly longest: number
}

/**
 * Exchanges messages as lines of JSON. Node's own channel between processes would end this process for a line that is
 * not JSON, and has no limit for its length.
 * @returns sends a message; does nothing after the end of the stream
 */
export function jsonLines<In, Out>(stream: Duplex, reader: JsonLinesReader<In>): (message: Out) => void {
  const { onMessage, onBroken, longest } = reader
  const decoder = new StringDecoder('utf8')
  let parts: string[] = []
  let length = 0
  let isBroken = false
  const fail = (why: string) => {
    isBroken = true
    onBroken(why)
  }
  const receive = (line: string) => {
    let message: In
    try {
      message = JSON.parse(line) as In
    } catch {
      fail('it sent a message that is not JSON')
      return
    }
    onMessage(message)
  }
  stream.on('data', (chunk: Buffer) => {
    const lines = decoder.write(chunk).split('\n')
    for (const [index, part] of lines.entries()) {
      if (isBroken) return
      parts.push(part)
      length += part.length
      if (length > longest) fail(`it sent a message of more than ${longest} characters`)
      if (index === lines.length - 1) return
      const line = parts.join('')
      parts = []
      length = 0
      if (!isBroken) receive(line)
    }
  })
  // Of a process that has ended, which its end reports.
  stream.on('error', () => {})
  return (message) => {
    if (stream.writable) stream.write(`${JSON.stringify(message)}\n`)
  }
}
