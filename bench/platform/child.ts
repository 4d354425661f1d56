import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

interface Reply {
  readonly result?: unknown
  readonly error?: string
}

/** Another process of the benchmark, which answers one request after another. */
export interface Child {
  readonly pid: number
  /** @param withinMs how long the answer may take, in milliseconds */
  ask<T>(what: object, withinMs?: number): Promise<T>
  /** Ends the process at once, like a crash: its database is dropped. */
  kill(): Promise<void>
}

const started = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of started) child.kill('SIGKILL')
})

/** Starts a file of this folder. @param config its configuration; see {@link answer} */
export async function startChild(file: string, config: object): Promise<Child> {
  const child = fork(join(import.meta.dirname, file), {
    env: { ...process.env, BENCH: JSON.stringify(config) },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  started.add(child)
  child.once('exit', () => started.delete(child))
  const reply = async (withinMs: number): Promise<unknown> => {
    const signal = AbortSignal.timeout(withinMs)
    const [{ result, error }] = (await Promise.race([
      once(child, 'message', { signal }),
      once(child, 'exit', { signal }).then(() => [{ error: 'the process has ended' }]),
    ])) as [Reply]
    if (error !== undefined) throw new Error(`${file}: ${error}`)
    return result
  }
  await reply(60_000)
  return {
    pid: child.pid ?? 0,
    async ask<T>(what: object, withinMs = 60_000) {
      child.send(what)
      return (await reply(withinMs)) as T
    },
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Returns the configuration of this process, given by {@link startChild}. */
export function configOf<T>(): T {
  return JSON.parse(process.env.BENCH ?? '{}') as T
}

/** Answers the requests of the process that has started this one. */
export function answer<T extends object>(act: (what: T) => unknown): void {
  const send = (reply: Reply) => process.send?.(reply)
  process.on('message', async (what: T) => {
    try {
      send({ result: await act(what) })
    } catch (error) {
      send({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    }
  })
  send({})
}
