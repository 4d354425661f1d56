import type { Plan, PlannedTrigger } from '../../plan/plan.ts'
import type { Paint } from '../terminal/paint.ts'
import { plainLine } from '../terminal/plain-text.ts'
import { conditionText } from './condition-text.ts'

/** A trigger with its next time, which is not part of the plan: the plan does not depend on the clock. */
export interface TimedTrigger extends PlannedTrigger {
  /** The next time of a schedule, as an RFC 3339 timestamp in UTC. */
  readonly next?: string
}

/** Returns the triggers of a plan with the next times of its schedules. */
export async function timedTriggers({ triggers = [] }: Plan): Promise<readonly TimedTrigger[]> {
  return Promise.all(
    triggers.map(async (trigger) => {
      if (trigger.schedule === undefined || trigger.reason !== undefined) return trigger
      const { openSchedule } = await import('../../adapters/triggers/cron-schedule.ts')
      const next = openSchedule(trigger.schedule, `${trigger.pointer}/schedule`).next()
      return next === null ? trigger : { ...trigger, next: next.toISOString() }
    }),
  )
}

/** Returns each trigger as a line: what starts a run, or why it cannot start one here. */
export function triggerLines(triggers: readonly TimedTrigger[], paint: Paint): readonly string[] {
  return triggers.map(({ type, schedule, path, filter, reason, next }) => {
    const what = [
      type,
      ...(schedule === undefined ? [] : [`"${plainLine(schedule, 80)}" (UTC)`]),
      ...(path === undefined ? [] : [plainLine(path, 200)]),
      ...(filter === undefined ? [] : [`when ${conditionText(filter)}`]),
    ].join(' ')
    if (reason !== undefined) return `${paint('warn', '!')} ${what}: ${plainLine(reason, 300)}`
    const time = next === undefined ? '' : ` ${paint('faint', `next ${next}`)}`
    return `${paint('good', '✓')} ${what}${time}`
  })
}
