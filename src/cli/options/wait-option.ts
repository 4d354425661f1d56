import type { Plan } from '../../plan/plan.ts'
import type { SlotOptions } from '../../run/record/records.ts'
import type { Io } from '../io.ts'
import { plainLine } from '../terminal/plain-text.ts'

export interface WaitOptions {
  /** False if `--no-wait` is given. */
  readonly wait?: boolean
}

/** Returns the options for taking a slot of the agent (runtime.concurrency); a wait is reported on standard error. */
export function slotOptions(plan: Plan, { wait = true }: WaitOptions, io: Io): SlotOptions {
  return {
    wait,
    onWait: (holders) => {
      const who = holders.map(({ pid, run_id }) => (pid === undefined ? run_id : `process ${pid}`)).join(', ')
      const limit = `limit of ${plan.limits.concurrency} at a time (runtime.concurrency)`
      io.err(`waiting for ${plainLine(plan.agent_name, 80)}: ${limit}, held by ${who}\n`)
    },
  }
}
