import { concurrencyOf } from '../../plan/concurrency-of.ts'
import type { Plan } from '../../plan/plan.ts'
import type { Turn } from '../../session/session.ts'
import type { Io } from '../io.ts'
import { plainLine } from '../terminal/plain-text.ts'

export interface WaitOptions {
  /** False if `--no-wait` is given. */
  readonly wait?: boolean
  /** Whether a batch, a trigger or `--detach` starts the run, not a person who waits for it. */
  readonly unattended?: boolean
}

/** Returns the options for taking a slot of the agent (runtime.concurrency); a wait is reported on standard error. */
export function slotOptions(
  plan: Plan,
  { wait = true, unattended = false }: WaitOptions,
  io: Io,
): NonNullable<Turn['slot']> {
  return {
    wait,
    unattended,
    onWait: (holders) => {
      const who = holders.map(({ pid, run_id }) => (pid === undefined ? run_id : `process ${pid}`)).join(', ')
      const limit = `limit of ${concurrencyOf(plan.limits, unattended)} at a time (runtime.concurrency)`
      io.err(`waiting for ${plainLine(plan.agent_name, 80)}: ${limit}, held by ${who}\n`)
    },
  }
}
