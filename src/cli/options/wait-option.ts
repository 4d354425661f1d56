import type { Plan } from '../../plan/plan.ts'
import type { SlotOptions } from '../../run/record/records.ts'
import type { Io } from '../io.ts'
import { plainLine } from '../terminal/plain-text.ts'

export interface WaitOptions {
  /** False with `--no-wait`. */
  readonly wait?: boolean
}

/** How a run waits until its agent may run once more (runtime.concurrency), and says so. */
export function slotOptions(plan: Plan, { wait = true }: WaitOptions, io: Io): SlotOptions {
  return {
    wait,
    onWait: (holders) => {
      const who = holders.map(({ pid, run_id }) => (pid === undefined ? run_id : `process ${pid}`)).join(', ')
      const limit = `${plan.limits.concurrency} at a time (runtime.concurrency)`
      io.err(`waiting for ${plainLine(plan.agent_name, 80)}: ${limit}, under way in ${who}\n`)
    },
  }
}
