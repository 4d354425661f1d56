const UNITS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}

const SHORT = /^(\d{1,12})([smhd])$/
/** Years and months have no fixed length, so they are not allowed in a limit. */
const ISO =
  /^P(?=[\dT])(?:(\d+(?:[.,]\d+)?)W)?(?:(\d+(?:[.,]\d+)?)D)?(?:T(?=\d)(?:(\d+(?:[.,]\d+)?)H)?(?:(\d+(?:[.,]\d+)?)M)?(?:(\d+(?:[.,]\d+)?)S)?)?$/

/**
 * Reads a duration: a whole number with s, m, h or d (`30m`), or an ISO 8601 duration of weeks, days and time
 * (`PT30M`).
 * @returns milliseconds, or undefined for anything else, durations beyond exact integers included.
 */
export function parseDuration(text: string): number | undefined {
  if (text.length > 64) return undefined
  const short = SHORT.exec(text)
  const ms = short === null ? isoDuration(text) : Number(short[1]) * (UNITS[short[2] ?? ''] ?? Number.NaN)
  return ms !== undefined && Number.isSafeInteger(ms) ? ms : undefined
}

function isoDuration(text: string): number | undefined {
  const match = ISO.exec(text)
  if (match === null) return undefined
  let ms = 0
  for (const [i, unit] of ['w', 'd', 'h', 'm', 's'].entries()) {
    const amount = match[i + 1]
    if (amount !== undefined) ms += Number(amount.replace(',', '.')) * (UNITS[unit] ?? Number.NaN)
  }
  return Math.round(ms)
}
