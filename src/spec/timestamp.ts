/** A time in a document. */
export interface Timestamp {
  /** Milliseconds since 1970 in UTC. */
  readonly ms: number
  /** True if the text gives an exact time; false for a date without a time, or a time without a zone. */
  readonly exact: boolean
}

const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?([Zz]|[+-]\d{2}(?::?\d{2})?)?)?$/

/**
 * Reads an ISO 8601 date and time. Missing parts count as zero, a missing zone as UTC.
 * @returns undefined for other text, including days that do not exist.
 */
export function readTimestamp(text: string): Timestamp | undefined {
  const match = DATE_TIME.exec(text)
  if (match === null) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => (part === undefined ? 0 : Number(part)))
  const midnight = new Date(Date.UTC(2000, month - 1, day))
  midnight.setUTCFullYear(year, month - 1, day)
  const zone = offsetOf(match[8])
  // A day that does not exist in the month becomes a day of another month.
  if (midnight.getUTCMonth() !== month - 1) return undefined
  if (hour > 23 || minute > 59 || second > 60 || zone === undefined) return undefined
  const fraction = match[7] === undefined ? 0 : Number(`0.${match[7]}`) * 1000
  const time = ((hour * 60 + minute) * 60 + second) * 1000 + fraction
  return {
    ms: midnight.getTime() + time - zone * 60_000,
    exact: match[4] !== undefined && match[8] !== undefined,
  }
}

/** Minutes east of UTC. */
function offsetOf(zone: string | undefined): number | undefined {
  if (zone === undefined || /^z$/i.test(zone)) return 0
  const hours = Number(zone.slice(1, 3))
  const minutes = Number(zone.slice(3).replace(':', '') || 0)
  if (hours > 23 || minutes > 59) return undefined
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes)
}
