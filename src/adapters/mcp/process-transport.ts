import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { type JSONRPCMessage, serializeMessage, type Transport } from '@modelcontextprotocol/client'
import { defined } from '../../document/defined.ts'
import { killGroup, watchGroup } from '../net/watch-group.ts'
import { within } from '../net/within.ts'
import { UNREADABLE } from './call-answer.ts'
import { NotSent } from './failure.ts'
import { OpenRequests } from './open-requests.ts'

export interface ProcessTransportOptions {
  readonly command: string
  readonly args: readonly string[]
  /** The complete environment of the process; our own variables are not added. */
  readonly env: Readonly<Record<string, string>>
  readonly cwd?: string
  /** How long it may take to end by itself, and again after SIGTERM. */
  readonly graceMs?: number
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>

const KEPT_STDERR = 4096
const LARGEST_MESSAGE_BYTES = 10 * 1024 * 1024
/** How much of a message is looked at that is larger. */
const BEGINNING_BYTES = 64 * 1024
const LINE_BREAK = 0x0a

/**
 * Implements MCP over the standard streams of a process in a separate process group: Ctrl-C at the terminal does not
 * interrupt a call, and child processes of the server end with it.
 */
export class ProcessTransport implements Transport {
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
  onmessage?: Transport['onmessage']
  readonly #options: ProcessTransportOptions
  readonly #open = new OpenRequests()
  /** The parts of a line that is not complete, and their size. */
  #parts: Buffer[] = []
  #size = 0
  /** The rest of a line that is too large. */
  #isSkipping = false
  #child: Child | null = null
  #closing: Promise<void> | undefined
  #stopWatching = () => {}
  #stderr = ''
  /** It has ended, and its output has been read to the end. */
  #isClosed = false
  /** What it wrote before its first message; null after that. */
  #noise: string | null = ''

  constructor(options: ProcessTransportOptions) {
    this.#options = options
  }

  /** The last part of its standard error output. */
  get stderr(): string {
    return this.#stderr
  }

  /** The beginning of its standard output, if that contains no message. */
  get noise(): string {
    return this.#noise ?? ''
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  async start(): Promise<void> {
    const { command, args, env, cwd } = this.#options
    const child: Child = spawn(command, [...args], {
      env: { ...env },
      ...defined({ cwd }),
      stdio: ['pipe', 'pipe', 'pipe'],
      shell: false,
      detached: true,
    })
    child.stdin.on('error', (error) => this.onerror?.(error))
    child.stdout.on('data', (chunk: Buffer) => this.#read(chunk))
    child.stderr.on('data', (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString('utf8')).slice(-KEPT_STDERR)
    })
    child.once('close', () => this.#ended())
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve)
      child.once('error', reject)
    })
    this.#child = child
    this.#stopWatching = watchGroup(child.pid as number, env.PATH)
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const child = this.#child
    if (child === null || child.exitCode !== null || child.signalCode !== null || !child.stdin.writable)
      throw new NotSent('the process has ended')
    this.#open.sent(message)
    await new Promise<void>((resolve, reject) => {
      child.stdin.write(serializeMessage(message), (error) => {
        if (error === null || error === undefined) resolve()
        // A closed pipe has not accepted the message.
        else
          reject(
            (error as NodeJS.ErrnoException).code === 'EPIPE' ? new NotSent('the process has ended') : error,
          )
      })
    })
  }

  /** Several calls wait for the same end, after which all output has been read. */
  async close(): Promise<void> {
    const child = this.#child
    if (child !== null) this.#closing = this.#close(child)
    await this.#closing
  }

  async #close(child: Child): Promise<void> {
    this.#child = null
    const { graceMs = 1000 } = this.#options
    const ended = new Promise<true>((resolve) => child.once('close', () => resolve(true)))
    const running = () => child.exitCode === null && child.signalCode === null
    child.stdin.end()
    // A server that never answered has nothing to finish, and its failure should be reported soon.
    if (running() && this.#noise === null) await within(graceMs, ended)
    if (running()) {
      killGroup(child.pid, 'SIGTERM')
      await within(graceMs, ended)
    }
    // Also after it has ended: its child processes may still run.
    killGroup(child.pid, 'SIGKILL')
    if (running()) await ended
    // Its last output may not have been read yet.
    else if (!this.#isClosed) await within(graceMs, ended)
    this.#stopWatching()
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy()
    this.#parts = []
  }

  #read(chunk: Buffer): void {
    if (this.#noise !== null) this.#noise = (this.#noise + chunk.toString('utf8')).slice(0, KEPT_STDERR)
    let rest = chunk
    for (let end = rest.indexOf(LINE_BREAK); end !== -1; end = rest.indexOf(LINE_BREAK)) {
      this.#add(rest.subarray(0, end))
      const line = Buffer.concat(this.#parts).toString('utf8')
      const wasSkipping = this.#isSkipping
      this.#parts = []
      this.#size = 0
      this.#isSkipping = false
      if (!wasSkipping) this.#receive(this.#open.read(line), line)
      rest = rest.subarray(end + 1)
    }
    this.#add(rest)
  }

  #add(part: Buffer): void {
    if (this.#isSkipping) return
    this.#parts.push(part)
    this.#size += part.byteLength
    if (this.#size > LARGEST_MESSAGE_BYTES) this.#skip()
  }

  /** An answer that is too large still settles its call, if it is known which one. */
  #skip(): void {
    const begins = Buffer.concat(this.#parts).subarray(0, BEGINNING_BYTES).toString('utf8')
    this.#parts = []
    this.#isSkipping = true
    const calls = this.#open.calls()
    const id = this.#open.idIn(begins) ?? (calls.length === 1 ? calls[0] : undefined)
    if (id === undefined) {
      this.onerror?.(new Error(`a message of the server has more than ${LARGEST_MESSAGE_BYTES} bytes`))
      void this.close()
      return
    }
    const answer = { [UNREADABLE]: { why: 'is larger than the limit', answer_begins: begins } }
    this.#receive([this.#open.settle(id, answer)], '')
  }

  /** Lines that are not messages, such as log output of a server, are ignored. */
  #receive(messages: readonly JSONRPCMessage[], line: string): void {
    if (messages.length > 0) this.#noise = null
    else if (line.trim() !== '') this.onerror?.(new Error(`not a message: ${line.slice(0, 200)}`))
    for (const message of messages) {
      try {
        this.onmessage?.(message)
      } catch (error) {
        this.onerror?.(error as Error)
      }
    }
  }

  #ended(): void {
    this.#isClosed = true
    this.#stopWatching()
    this.onclose?.()
  }
}
