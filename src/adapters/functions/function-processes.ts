import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Json, JsonObject } from '../../document/json.ts'
import type { HookFunction, ToolCallContext, ToolModule } from '../tools/tool-module.ts'
import type { DescribedModule } from './function-messages.ts'
import {
  DEFAULT_TIMING,
  type FunctionModule,
  FunctionProcess,
  type ProcessTiming,
} from './function-process.ts'

export interface FunctionProcessesOptions {
  /** Receives a line that a module wrote. `org`: the organisation of its process, null while it is described. */
  readonly onLine: (
    module: FunctionModule,
    org: string | null,
    stream: 'stdout' | 'stderr',
    line: string,
  ) => void
  /** After which an unused process is ended; default 5 minutes. */
  readonly idleMs?: number
  /** The number of processes above which unused ones are ended at once; default 50. */
  readonly most?: number
  readonly timing?: Partial<ProcessTiming>
}

interface Kept {
  readonly process: FunctionProcess
  idle: NodeJS.Timeout | undefined
}

/** The processes of modules of functions: one for each module and organisation, from its first call until it is idle. */
export class FunctionProcesses {
  readonly #options: FunctionProcessesOptions
  readonly #timing: ProcessTiming
  /** The least recently used first. */
  readonly #kept = new Map<string, Kept>()
  readonly #described = new Map<string, Promise<DescribedModule>>()
  readonly #running = new Set<FunctionProcess>()

  constructor(options: FunctionProcessesOptions) {
    this.#options = options
    this.#timing = { ...DEFAULT_TIMING, ...options.timing }
  }

  /** The ids of the processes that run. */
  get pids(): readonly number[] {
    return [...this.#running].flatMap(({ pid }) => pid ?? [])
  }

  /**
   * Asks a module for its functions, in a process that is then ended. The answer is kept until the file changes.
   * @throws TOOLS_MODULE_UNREADABLE, TOOLS_MODULE_INVALID, FUNCTION_PROCESS_FAILED
   */
  async describe(module: FunctionModule): Promise<DescribedModule> {
    const key = `${module.name} ${hashOf(module.file)}`
    const known = this.#described.get(key)
    if (known !== undefined) return known
    const described = this.#ask(module)
    this.#described.set(key, described)
    described.catch(() => this.#described.delete(key))
    return described
  }

  /** Returns the functions of a module for one organisation. */
  async moduleOf(module: FunctionModule, org: string): Promise<ToolModule> {
    const { tools, hooks } = await this.describe(module)
    return {
      tools: new Map(
        tools.map(({ name, ...marks }) => [
          name,
          {
            ...marks,
            call: (args: JsonObject, { signal, idempotencyKey: key, headers }: ToolCallContext) =>
              this.#use(module, org).call({ kind: 'call', name, args, key, headers }, signal),
          },
        ]),
      ),
      hooks: new Map(
        hooks.map((name): [string, HookFunction] => [
          name,
          (argument, context) => {
            const { signal, idempotencyKey: key } = context as ToolCallContext
            return this.#use(module, org).call(
              { kind: 'hook', name, argument: argument as Json, key },
              signal,
            )
          },
        ]),
      ),
    }
  }

  /** Ends all processes. */
  async close(): Promise<void> {
    for (const { idle } of this.#kept.values()) clearTimeout(idle)
    await Promise.all([...this.#running].map((one) => one.end()))
  }

  async #ask(module: FunctionModule): Promise<DescribedModule> {
    const one = this.#open(
      module,
      null,
      () => {},
      () => {},
    )
    try {
      return await one.ready
    } finally {
      await one.end()
    }
  }

  #use(module: FunctionModule, org: string): FunctionProcess {
    const key = JSON.stringify([module.name, org])
    const known = this.#kept.get(key)
    if (known !== undefined) {
      clearTimeout(known.idle)
      this.#kept.delete(key)
      this.#kept.set(key, known)
      return known.process
    }
    const leave = () => {
      clearTimeout(kept.idle)
      if (this.#kept.get(key) === kept) this.#kept.delete(key)
    }
    const rest = () => {
      clearTimeout(kept.idle)
      kept.idle = setTimeout(() => void process.end(), this.#options.idleMs ?? 300_000)
      kept.idle.unref()
    }
    const process = this.#open(module, org, leave, rest)
    const kept: Kept = { process, idle: undefined }
    this.#kept.set(key, kept)
    this.#endUnused(key)
    return process
  }

  #endUnused(except: string): void {
    const surplus = this.#kept.size - (this.#options.most ?? 50)
    const unused = [...this.#kept].filter(([key, { process }]) => key !== except && process.isIdle)
    for (const [, { process }] of unused.slice(0, Math.max(0, surplus))) void process.end()
  }

  #open(
    module: FunctionModule,
    org: string | null,
    onLeave: () => void,
    onIdle: () => void,
  ): FunctionProcess {
    const events = {
      onLine: (stream: 'stdout' | 'stderr', line: string) => this.#options.onLine(module, org, stream, line),
      onLeave,
      onIdle,
    }
    const one = new FunctionProcess(module, events, this.#timing)
    this.#running.add(one)
    void one.ended.then(() => this.#running.delete(one))
    return one
  }
}

function hashOf(file: string): string {
  try {
    return createHash('sha256').update(readFileSync(file)).digest('hex')
  } catch {
    // The process reports why it cannot be read.
    return ''
  }
}
