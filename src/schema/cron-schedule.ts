import { Cron } from 'croner'
import { messageOf } from '../document/message-of.ts'
import { clockChanges } from './clock-changes.ts'

export type ReadCron =
  | {
      readonly ok: true
      /** Paused: it starts nothing. */
      readonly cron: Cron
      /** Returns the first slot after a time; null if there is none. */
      readonly next: (after: Date) => Date | null
    }
  | { readonly ok: false; readonly reason: string }

/** How to write a schedule, for the hint of an error. */
export const CRON_HINT =
  'five fields, in UTC: minute, hour, day, month, day of the week, such as "0 9 * * 1-5"; or six, with seconds first; or @daily'

/**
 * Reads a cron expression (AAIF events.triggers[].schedule): five fields, six with seconds first, or a nickname such as
 * `@daily`. An expression that never matches, such as 31 February, is not accepted. The answer does not depend on the
 * clock. Where the clocks of a time zone change, a time that occurs twice counts at its first occurrence, unless the field
 * of the hours is a wildcard; one that does not occur counts at the end of the gap.
 * @param timezone an IANA time zone; a definition has UTC only
 */
export function readCron(expression: string, timezone = 'UTC'): ReadCron {
  // The library also accepts one date and time, which would be valid only until then.
  if (/^\s*\d{4}-/.test(expression)) return { ok: false, reason: 'is a date, and not a cron expression' }
  if (!isTimeZone(timezone))
    return { ok: false, reason: `has the unknown time zone ${timezone.slice(0, 40)}` }
  let cron: Cron
  try {
    cron = new Cron(expression, { timezone, mode: '5-or-6-parts', paused: true })
  } catch (error) {
    const why = messageOf(error).replace(/^CronPattern: /, '')
    return { ok: false, reason: `is not a cron expression: ${why}` }
  }
  if (cron.nextRun() === null) return { ok: false, reason: 'never matches a day or time' }
  return { ok: true, cron, next: nextSlot(cron, expression, timezone) }
}

/**
 * The library applies the rules for changed clocks to expressions with one hour only. With several, a time in a gap is
 * looked for here as a time in UTC, which has no gaps, and one that is repeated is left out.
 */
function nextSlot(cron: Cron, expression: string, timezone: string): (after: Date) => Date | null {
  const fields = expression.trim().split(/\s+/)
  const hours = fields.at(fields.length === 6 ? 2 : 1)
  const isWildcard = hours === undefined ? /^@hourly$/i.test(expression.trim()) : /^[*?]/.test(hours)
  if (timezone === 'UTC' || isWildcard) return (after) => cron.nextRun(after)
  const { gaps, isRepeated } = clockChanges(timezone)
  const plain = new Cron(expression, { timezone: 'UTC', mode: '5-or-6-parts', paused: true })
  return (after) => {
    let next = cron.nextRun(after)
    while (next !== null && isRepeated(next)) next = cron.nextRun(next)
    if (next === null) return null
    const gap = gaps(after, next).find(({ at, from, until }) => {
      const lost = plain.nextRun(new Date(from.getTime() - 1))
      return at > after && lost !== null && lost < until
    })
    return gap?.at ?? next
  }
}

/** Returns whether this machine knows a time zone. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    // An offset such as +02:00 is not a place: it has no rules.
    return !/^[+-]/.test(name)
  } catch {
    return false
  }
}
