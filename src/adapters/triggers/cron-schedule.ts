import { WaybillError } from '../../document/issue.ts'
import { CRON_HINT, readCron } from '../../schema/cron-schedule.ts'

export interface Schedule {
  /** The next time; null if there is none. */
  next(): Date | null
  /** Calls back at each time, until it is stopped. Does not catch up on times that passed while it was not running. */
  start(onTime: (at: Date) => void): void
  stop(): void
}

/**
 * Opens the schedule of a trigger.
 * @throws TRIGGER_INVALID if it is not a schedule; see {@link readCron}
 */
export function openSchedule(expression: string, pointer: string): Schedule {
  const read = readCron(expression)
  if (!read.ok) {
    throw new WaybillError('TRIGGER_INVALID', {
      at: pointer,
      message: `the schedule "${expression}" ${read.reason}`,
      hint: CRON_HINT,
      rule: 'SPEC-D-29',
    })
  }
  const { cron } = read
  return {
    next: () => cron.nextRun(),
    start(onTime) {
      cron.schedule(() => onTime(cron.currentRun() ?? new Date()))
      cron.resume()
    },
    stop: () => cron.stop(),
  }
}
