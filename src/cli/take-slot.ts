import type { Plan } from '../plan/plan.ts'
import { RunSlots } from '../run/record/run-slots.ts'
import { slotsFolder } from '../settings/home.ts'
import type { Io } from './io.ts'
import { plainLine } from './terminal/plain-text.ts'

export interface WaitOptions {
  /** False with `--no-wait`. */
  readonly wait?: boolean
}

/**
 * Waits until the agent may run once more (runtime.concurrency), and says so; Ctrl-C leaves the queue.
 * @returns what lets the next one run
 * @throws CONCURRENCY_EXCEEDED with `--no-wait`
 */
export function takeSlot(plan: Plan, { wait = true }: WaitOptions, io: Io): Promise<() => void> {
  return new RunSlots(slotsFolder(io.env)).take(plan, {
    wait,
    onWait: (holders) => {
      const pids = holders.map(({ pid }) => pid).join(', ')
      const limit = `${plan.limits.concurrency} at a time (runtime.concurrency)`
      io.err(`waiting for ${plainLine(plan.agent_name, 80)}: ${limit}, under way in process ${pids}\n`)
    },
  })
}
