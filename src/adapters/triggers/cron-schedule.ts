import { WaybillError } from '../../document/issue.ts'
import { messageOf } from '../../document/message-of.ts'

export interface Schedule {
  /** The next time; null if there is none. */
  next(): Date | null
  /** Calls back at each time, until it is stopped. Does not catch up on times that passed while it was not running. */
  start(onTime: (at: Date) => void): void
  stop(): void
}

/**
 * Reads a cron expression, in UTC (AAIF events.triggers[].schedule): five fields, or six with seconds first.
 * @throws TRIGGER_INVALID, also for an expression that never matches, such as 31 February
 */
export async function openSchedule(expression: string, pointer: string): Promise<Schedule> {
  const { Cron } = await import('croner')
  const refuse = (message: string) =>
    new WaybillError('TRIGGER_INVALID', {
      at: pointer,
      message: `the schedule "${expression}" ${message}`,
      hint: 'five fields, in UTC: minute, hour, day, month, day of the week, such as "0 9 * * 1-5"',
      rule: 'SPEC-D-29',
    })
  let cron: InstanceType<typeof Cron>
  try {
    cron = new Cron(expression, { timezone: 'UTC', mode: '5-or-6-parts', paused: true })
  } catch (error) {
    throw refuse(`is not a cron expression: ${messageOf(error)}`)
  }
  if (cron.nextRun() === null) throw refuse('never matches a day or time')
  return {
    next: () => cron.nextRun(),
    start(onTime) {
      cron.schedule(() => onTime(cron.currentRun() ?? new Date()))
      cron.resume()
    },
    stop: () => cron.stop(),
  }
}
