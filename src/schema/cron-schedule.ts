import { Cron } from 'croner'
import { messageOf } from '../document/message-of.ts'

export type ReadCron =
  /** `cron` is paused: it starts nothing. */
  { readonly ok: true; readonly cron: Cron } | { readonly ok: false; readonly reason: string }

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
  let cron: Cron
  try {
    cron = new Cron(expression, { timezone, mode: '5-or-6-parts', paused: true })
  } catch (error) {
    const why = messageOf(error).replace(/^CronPattern: /, '')
    return { ok: false, reason: `is not a cron expression: ${why}` }
  }
  return cron.nextRun() === null ? { ok: false, reason: 'never matches a day or time' } : { ok: true, cron }
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
