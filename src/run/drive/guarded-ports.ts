import { HostFailure } from '../ports.ts'
import type { DrivePorts } from './drive-ports.ts'

/**
 * Checks that this process may still drive its runs, for example that its lease has not lapsed. If it throws, the run
 * stops, no event reports it, and `drive` throws the same error.
 */
export type Guard = () => void

type Sending = Omit<DrivePorts, 'sink'>

/**
 * Calls the guard before each question to a model or a judge, each call of a tool, each hook, and each use of memory.
 * @param guard absent: nothing is checked
 */
export function guardedPorts(ports: Sending, guard: Guard | undefined): Sending {
  if (guard === undefined) return ports
  const { model, tools, hooks, memory, context } = ports
  const check = () => {
    try {
      guard()
    } catch (error) {
      throw new HostFailure(error instanceof Error ? error : new Error(String(error)))
    }
  }
  const guarded =
    <A extends readonly unknown[], R>(send: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      check()
      return send(...args)
    }
  return {
    ...ports,
    model: { ask: guarded((...args) => model.ask(...args)) },
    tools: { call: guarded((request, options) => tools.call(request, { ...options, guard: check })) },
    ...(hooks !== undefined && { hooks: { run: guarded((request) => hooks.run(request)) } }),
    // Reading stores the items of the definition first, so it is a write as well.
    ...(memory !== undefined && {
      memory: {
        recall: guarded((request) => memory.recall(request)),
        collect: guarded((request) => memory.collect(request)),
        save: guarded((request) => memory.save(request)),
      },
    }),
    ...(context !== undefined && {
      context: { refresh: guarded((...args) => context.refresh(...args)) },
    }),
  }
}
