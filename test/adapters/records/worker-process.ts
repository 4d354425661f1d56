import { type ChildProcess, type ForkOptions, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Answer, Order } from './worker.ts'

export interface Worker {
  readonly child: ChildProcess
  readonly acknowledged: Map<string, number>
  /** @throws with the code of the error in the other process */
  tell(order: Order): Promise<unknown>
  /** Sends an order without waiting for an answer. */
  send(order: Order): void
  kill(signal?: NodeJS.Signals): Promise<void>
}

/** Starts a process that has opened the records of a home; it ends with the test. */
export function startWorker(t: TestContext, home: string, options: ForkOptions = {}): Worker {
  const child = fork(join(import.meta.dirname, 'worker.ts'), [home], options)
  const acknowledged = new Map<string, number>()
  const waiting: ((answer: Answer) => void)[] = []
  child.on('message', (answer: Answer) => {
    if ('acknowledged' in answer) acknowledged.set(...answer.acknowledged)
    else waiting.shift()?.(answer)
  })
  child.on('exit', () => {
    for (const answer of waiting) answer({ ok: false, code: 'EXITED', message: 'the process has ended' })
  })
  t.after(() => child.kill('SIGKILL'))
  return {
    child,
    acknowledged,
    send: (order) => child.send(order),
    async tell(order) {
      const answer = await new Promise<Answer>((resolve) => {
        waiting.push(resolve)
        child.send(order)
      })
      if ('acknowledged' in answer) throw new Error('no answer')
      if (answer.ok) return answer.value
      throw Object.assign(new Error(answer.message), { code: answer.code })
    },
    async kill(signal = 'SIGKILL') {
      const ended = once(child, 'exit')
      child.kill(signal)
      await ended
    },
  }
}
