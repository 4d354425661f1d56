const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** No clock is set back by more, and none is changed twice in this time. */
const LARGEST_CHANGE_MS = 180 * MINUTE_MS

/** A change at which the clocks of a time zone are set forward. */
export interface ClockGap {
  /** The first moment after it. */
  readonly at: Date
  /** The local times that do not occur, as if they were in UTC: from this one (inclusive) to that one (exclusive). */
  readonly from: Date
  readonly until: Date
}

export interface ClockChanges {
  /** Returns the gaps after a time, and not later than another one. */
  gaps(after: Date, until: Date): readonly ClockGap[]
  /** Returns whether the clocks have shown the same local time before, because they were set back. */
  isRepeated(at: Date): boolean
}

/** Returns the changes of the clocks in an IANA time zone. @throws RangeError for an unknown one */
export function clockChanges(timezone: string): ClockChanges {
  const format = new Intl.DateTimeFormat('en', { timeZone: timezone, timeZoneName: 'longOffset' })
  const offsetAt = (ms: number): number => {
    const [, sign, hours = '0', minutes = '0'] = /GMT(?:([+-])(\d\d):(\d\d))?/.exec(format.format(ms)) ?? []
    return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * MINUTE_MS
  }
  return {
    gaps(after, until) {
      const gaps: ClockGap[] = []
      let before = after.getTime()
      let offset = offsetAt(before)
      while (before < until.getTime()) {
        const next = Math.min(before + DAY_MS, until.getTime())
        const changed = offsetAt(next)
        if (changed > offset) gaps.push(gapIn(before, next, offset, changed, offsetAt))
        before = next
        offset = changed
      }
      return gaps
    },
    isRepeated(at) {
      const ms = at.getTime()
      const back = offsetAt(ms - LARGEST_CHANGE_MS) - offsetAt(ms)
      return back > 0 && offsetAt(ms - back) - offsetAt(ms) === back
    },
  }
}

/** Finds the minute of a change by halving. */
function gapIn(
  before: number,
  next: number,
  offset: number,
  changed: number,
  offsetAt: (ms: number) => number,
): ClockGap {
  let low = Math.floor(before / MINUTE_MS)
  let high = Math.ceil(next / MINUTE_MS)
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetAt(middle * MINUTE_MS) === offset) low = middle
    else high = middle
  }
  const at = high * MINUTE_MS
  return { at: new Date(at), from: new Date(at + offset), until: new Date(at + changed) }
}
