import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { CommandLine, Ended } from './command-process.ts'

const PROGRAM = join(import.meta.dirname, 'command-process.ts')

/**
 * Runs command lines in other processes, which are used again. A command that does not end is killed with its process:
 * it may block a whole process for ever.
 */
export class CommandProcesses {
  readonly #idle: ChildProcess[] = []
  readonly #limitMs: number

  /** @param limitMs time after which a command counts as one that does not end */
  constructor(limitMs: number) {
    this.#limitMs = limitMs
  }

  /** @throws an error if the command does not end in time, or ends the process */
  async run(line: CommandLine): Promise<Ended> {
    const child = this.#idle.pop() ?? fork(PROGRAM, { stdio: ['pipe', 'ignore', 'inherit', 'ipc'] })
    const limit = AbortSignal.timeout(this.#limitMs)
    const gone = new AbortController()
    const onExit = (): void => gone.abort()
    child.once('exit', onExit)
    try {
      child.send(line)
      const [ended] = await once(child, 'message', { signal: AbortSignal.any([limit, gone.signal]) })
      this.#idle.push(child)
      return ended as Ended
    } catch (error) {
      child.kill('SIGKILL')
      throw new Error(`waybill ${line.argv.join(' ')} did not end`, { cause: error })
    } finally {
      child.off('exit', onExit)
    }
  }

  /** Ends the processes; no command may be running. */
  close(): void {
    for (const child of this.#idle.splice(0)) child.kill()
  }
}
