import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import {
  type JSONRPCMessage,
  ReadBuffer,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client'
import { defined } from '../../document/defined.ts'
import { killGroup, watchGroup } from '../net/watch-group.ts'
import { within } from '../net/within.ts'
import { NotSent } from './failure.ts'

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

/**
 * Implements MCP over the standard streams of a process in a separate process group: Ctrl-C at the terminal does not
 * interrupt a call, and child processes of the server end with it.
 */
export class ProcessTransport implements Transport {
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
  onmessage?: Transport['onmessage']
  readonly #options: ProcessTransportOptions
  readonly #buffer = new ReadBuffer({ maxBufferSize: LARGEST_MESSAGE_BYTES })
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
    this.#buffer.clear()
  }

  #read(chunk: Buffer): void {
    if (this.#noise !== null) this.#noise = (this.#noise + chunk.toString('utf8')).slice(0, KEPT_STDERR)
    try {
      this.#buffer.append(chunk)
    } catch (error) {
      this.onerror?.(error as Error)
      void this.close()
      return
    }
    for (;;) {
      try {
        const message = this.#buffer.readMessage()
        if (message === null) return
        this.#noise = null
        this.onmessage?.(message)
      } catch (error) {
        // Lines that are not messages, such as log output of a server, are ignored.
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
