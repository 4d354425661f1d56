import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Duplex } from 'node:stream'
import { WaybillError } from '../../document/issue.ts'
import { messageOf } from '../../document/message-of.ts'
import { ToolFailure } from '../../run/ports.ts'
import { killGroup, watchGroup } from '../net/watch-group.ts'
import { within } from '../net/within.ts'
import { followLines } from './follow-lines.ts'
import {
  CHANNEL_FD,
  type DescribedModule,
  type FromProcess,
  LARGEST_RESULT,
  type ToProcess,
} from './function-messages.ts'
import { jsonLines } from './json-lines.ts'
import { type KeptFolders, packagesAbove, readablePaths } from './readable-paths.ts'

/** A module of functions, and what its processes may use. */
export interface FunctionModule {
  /** Its name in the configuration. */
  readonly name: string
  /** An absolute path. */
  readonly file: string
  /** The complete environment of its processes; our own variables are not added. */
  readonly env: Readonly<Record<string, string>>
  /** Further paths that it may read, and that it may write. */
  readonly read?: readonly string[]
  readonly write?: readonly string[]
  /** Folders of the installation, which it may not read. */
  readonly kept: KeptFolders
  /** Without Node's permissions: for packages with native code, and for those that start processes. */
  readonly unrestricted?: boolean
  /** The limit of the memory for JavaScript objects in a process, in MiB; default 256. */
  readonly memoryMb?: number
}

export interface ProcessTiming {
  /** In which a module must be loaded. */
  readonly startMs: number
  /** In which a cancelled call must end, before its process is replaced. */
  readonly cancelMs: number
  /** After which a process that does not answer during a call is killed. */
  readonly silentMs: number
  /** In which a process that is ended must end by itself. */
  readonly endMs: number
}

export const DEFAULT_TIMING: ProcessTiming = {
  startMs: 30_000,
  cancelMs: 5000,
  silentMs: 30_000,
  endMs: 2000,
}

export interface ProcessEvents {
  /** Receives a line that the module wrote. */
  readonly onLine: (stream: 'stdout' | 'stderr', line: string) => void
  /** It accepts no further calls. Called once. */
  readonly onLeave: () => void
  /** It performs no call. */
  readonly onIdle: () => void
}

type NewCall =
  | Omit<Extract<ToProcess, { kind: 'call' }>, 'id'>
  | Omit<Extract<ToProcess, { kind: 'hook' }>, 'id'>

interface Pending {
  readonly name: string
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
  isCancelled: boolean
}

const LAUNCHER = join(import.meta.dirname, '../../../bin/functions.mjs')

/** How often a process is asked for a sign of life in the time after which it is killed. */
const PULSES = 4

/** A process that performs the functions of one module for one organisation. */
export class FunctionProcess {
  /** Rejects with TOOLS_MODULE_UNREADABLE, TOOLS_MODULE_INVALID or FUNCTION_PROCESS_FAILED. */
  readonly ready: Promise<DescribedModule>
  readonly #module: FunctionModule
  readonly #events: ProcessEvents
  readonly #timing: ProcessTiming
  readonly #child: ChildProcess
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>
  readonly #pending = new Map<number, Pending>()
  #send: (message: ToProcess) => void = () => {}
  #calls = 0
  /** Calls that wait until the module is loaded. */
  #waiting = 0
  #answeredAt = performance.now()
  #missed = 0
  #pulse: NodeJS.Timeout | undefined
  #hasLeft = false
  #why: string | undefined

  constructor(module: FunctionModule, events: ProcessEvents, timing: ProcessTiming = DEFAULT_TIMING) {
    this.#module = module
    this.#events = events
    this.#timing = timing
    this.#child = spawnProcess(module)
    const stopWatching =
      this.#child.pid === undefined ? () => {} : watchGroup(this.#child.pid, module.env.PATH)
    this.ended = new Promise((resolve) => {
      const end = (why: string) => {
        stopWatching()
        this.#why ??= why
        this.#leave()
        this.#failAll()
        resolve()
      }
      this.#child.once('error', (error) => end(`it could not be started: ${error.message}`))
      this.#child.once('exit', (code, signal) => {
        // Its own processes, if it may start any.
        killGroup(this.#child.pid, 'SIGKILL')
        end(signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`)
      })
    })
    this.ready = this.#start()
    // A caller may only wait for its call.
    this.ready.catch(() => {})
    const { stdout, stderr } = this.#child
    if (stdout !== null) followLines(stdout, (line) => events.onLine('stdout', line))
    if (stderr !== null) followLines(stderr, (line) => events.onLine('stderr', line))
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  get isIdle(): boolean {
    return this.#pending.size === 0 && this.#waiting === 0
  }

  /** Performs a call. @throws ToolFailure; for `signal`, its reason */
  async call(request: NewCall, signal: AbortSignal): Promise<unknown> {
    await this.#loaded(request.name)
    if (signal.aborted || this.#hasLeft) {
      this.#rest()
      signal.throwIfAborted()
      throw this.#failure(request.name, 'unsent')
    }
    const id = ++this.#calls
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        reject(signal.reason as Error)
        this.#cancel(id)
      }
      signal.addEventListener('abort', onAbort, { once: true })
      const settled = () => signal.removeEventListener('abort', onAbort)
      this.#pending.set(id, {
        name: request.name,
        resolve: (result) => {
          settled()
          resolve(result)
        },
        reject: (error) => {
          settled()
          reject(error)
        },
        isCancelled: false,
      })
      if (this.#pending.size === 1) this.#watchPulse()
      this.#send({ ...request, id })
    })
  }

  /** Ends the process: at once if it performs a call. Never throws. */
  async end(): Promise<void> {
    this.#why ??= 'it was ended'
    this.#leave()
    this.#child.stdio[CHANNEL_FD]?.destroy()
    if (this.#pending.size === 0) await within(this.#timing.endMs, this.ended)
    this.#kill()
    await this.ended
  }

  #start(): Promise<DescribedModule> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        this.#why ??= `its module was not loaded within ${this.#timing.startMs} ms`
        this.#kill()
      }, this.#timing.startMs)
      const onMessage = (message: FromProcess) => {
        this.#answeredAt = performance.now()
        this.#missed = 0
        switch (message.kind) {
          case 'ready': {
            clearTimeout(late)
            const { tools, hooks } = message
            resolve({ tools, hooks })
            return
          }
          case 'broken': {
            const { code, ...details } = message.error
            reject(new WaybillError(code, { fault: 'usage', ...details }))
            this.#why ??= details.message
            this.#kill()
            return
          }
          case 'done':
            this.#settle(message.id, ({ resolve: succeed }) => succeed(JSON.parse(message.result)))
            return
          case 'failed': {
            const { code, message: text, outcome } = message.failure
            this.#settle(message.id, ({ reject: fail }) => fail(new ToolFailure(code, text, outcome)))
            return
          }
          case 'pong':
        }
      }
      const onBroken = (why: string) => {
        this.#why ??= why
        this.#kill()
      }
      this.#send = jsonLines(this.#child.stdio[CHANNEL_FD] as Duplex, {
        onMessage,
        onBroken,
        // Each character of the result may be escaped.
        longest: 6 * LARGEST_RESULT,
      })
      void this.ended.then(() => {
        clearTimeout(late)
        reject(
          new WaybillError('FUNCTION_PROCESS_FAILED', {
            fault: 'failed',
            message: `the process of the module ${this.#module.name} has failed: ${this.#why}`,
            hint: 'read the output of the module in the log',
          }),
        )
      })
    })
  }

  async #loaded(name: string): Promise<void> {
    this.#waiting++
    try {
      await this.ready
    } catch (error) {
      const message = `${name} was not called: ${messageOf(error)}`
      throw new ToolFailure('FUNCTION_PROCESS_FAILED', message, 'unsent')
    } finally {
      this.#waiting--
    }
  }

  #settle(id: number, settle: (call: Pending) => void): void {
    const call = this.#pending.get(id)
    if (call === undefined) return
    this.#pending.delete(id)
    settle(call)
    this.#rest()
  }

  /** A cancelled call must end soon. If it does not, the process finishes its other calls and is then ended. */
  #cancel(id: number): void {
    const call = this.#pending.get(id)
    if (call === undefined) return
    call.isCancelled = true
    const cancelledAt = performance.now()
    this.#send({ kind: 'cancel', id })
    this.#send({ kind: 'ping' })
    setTimeout(() => {
      if (!this.#pending.has(id)) return
      this.#leave()
      if (this.#answeredAt < cancelledAt) {
        this.#why ??= 'it did not answer'
        this.#kill()
      } else this.#rest()
    }, this.#timing.cancelMs).unref()
  }

  #rest(): void {
    if (this.#hasLeft && [...this.#pending.values()].every(({ isCancelled }) => isCancelled)) this.#kill()
    if (this.#pending.size > 0) return
    clearInterval(this.#pulse)
    if (this.isIdle) this.#events.onIdle()
  }

  /** A function that computes without a pause, or a loop without an end, must not hold its callers for ever. */
  #watchPulse(): void {
    const { silentMs } = this.#timing
    this.#missed = 0
    // Counted, and not measured: this process may have been stopped for a while.
    this.#pulse = setInterval(() => {
      if (this.#missed++ > PULSES) {
        this.#why ??= `it did not answer for ${silentMs} ms`
        this.#kill()
      } else this.#send({ kind: 'ping' })
    }, silentMs / PULSES)
    this.#pulse.unref()
  }

  #leave(): void {
    if (this.#hasLeft) return
    this.#hasLeft = true
    this.#events.onLeave()
  }

  #kill(): void {
    this.#leave()
    if (this.#child.exitCode === null && this.#child.signalCode === null)
      killGroup(this.#child.pid, 'SIGKILL')
  }

  #failAll(): void {
    clearInterval(this.#pulse)
    const calls = [...this.#pending.values()]
    this.#pending.clear()
    for (const { name, reject } of calls) reject(this.#failure(name, 'unknown'))
  }

  #failure(name: string, outcome: 'unsent' | 'unknown'): ToolFailure {
    const state = outcome === 'unsent' ? 'was not called' : 'may have taken effect'
    const message = `${name} ${state}: the process of its module has failed: ${this.#why ?? 'it is being ended'}`
    return new ToolFailure('FUNCTION_PROCESS_FAILED', message, outcome)
  }
}

function spawnProcess(module: FunctionModule): ChildProcess {
  const { env, memoryMb = 256 } = module
  // A module that does not exist is reported by the process.
  const file = existsSync(module.file) ? realpathSync(module.file) : module.file
  const args = [`--max-old-space-size=${memoryMb}`, ...permissions(module, file), '--', LAUNCHER, file]
  return spawn(process.execPath, args, {
    cwd: existsSync(dirname(file)) ? dirname(file) : '/',
    env: { ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    // Ctrl-C at the terminal must not interrupt a call.
    detached: true,
  })
}

/** The module may read itself, its packages, this package and the paths of the operator. */
function permissions({ read = [], write = [], kept, unrestricted }: FunctionModule, file: string): string[] {
  if (unrestricted === true) return []
  const own = dirname(dirname(LAUNCHER))
  const product = ['bin', 'src', 'lib'].map((name) => join(own, name)).filter(existsSync)
  const readable = [...product, ...packagesAbove(own), ...readablePaths(file, kept), ...read, ...write]
  return [
    '--permission',
    ...[...new Set(readable)].map((path) => `--allow-fs-read=${path}`),
    ...write.map((path) => `--allow-fs-write=${path}`),
  ]
}
