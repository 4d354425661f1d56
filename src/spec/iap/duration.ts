const UNITS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}

const SHORT = /^\d{1,12}[smhd]$/
/** What authors write besides: several units, the largest first, of which the last may have decimals. */
const MIXED = /^(?=\d)(?:(\d{1,12})d)?(?:(\d{1,12})h)?(?:(\d{1,12})m)?(?:(\d{1,12})s)?$/
const DECIMAL = /^((?:\d{1,12}[dhm])*)(\d{1,12}\.\d{1,12})([smhd])$/
/** Years and months have no fixed length, so they are not allowed in a limit. */
const ISO =
  /^P(?=[\dT])(?:(\d+(?:[.,]\d+)?)W)?(?:(\d+(?:[.,]\d+)?)D)?(?:T(?=\d)(?:(\d+(?:[.,]\d+)?)H)?(?:(\d+(?:[.,]\d+)?)M)?(?:(\d+(?:[.,]\d+)?)S)?)?$/

/** The units, the smallest first, with their names. */
const WRITTEN = [
  ['s', 'second'],
  ['m', 'minute'],
  ['h', 'hour'],
  ['d', 'day'],
] as const

/**
 * Reads a duration: a whole number with s, m, h or d (`30m`), several of them or decimals (`1h30m`, `1.5h`), or an ISO 8601
 * duration of weeks, days and time (`PT30M`).
 * @returns milliseconds, or undefined for anything else, durations beyond exact integers included.
 */
export function parseDuration(text: string): number | undefined {
  if (text.length > 64) return undefined
  const ms = mixedDuration(text) ?? decimalDuration(text) ?? isoDuration(text)
  return ms !== undefined && Number.isSafeInteger(ms) ? ms : undefined
}

/** Returns whether a readable duration has a form that other readers may not know: several units, or decimals. */
export function isUnusualDuration(text: string): boolean {
  return !SHORT.test(text) && (mixedDuration(text) ?? decimalDuration(text)) !== undefined
}

/** Returns the duration as one whole number with its unit, such as `90m`; parts of a second are left out. */
export function formatDuration(ms: number): string {
  const [amount, [unit]] = largestWhole(ms)
  return `${amount}${unit}`
}

/** Returns the duration for people, such as `90 minutes`. */
export function durationText(ms: number): string {
  if (ms % 1000 !== 0) return `${ms} milliseconds`
  const [amount, [, name]] = largestWhole(ms)
  return `${amount} ${name}${amount === 1 ? '' : 's'}`
}

function largestWhole(ms: number): readonly [number, (typeof WRITTEN)[number]] {
  // A limit may not become longer, and none is not a limit.
  const seconds = Math.max(1, Math.floor(ms / 1000))
  const [smallest, ...larger] = WRITTEN
  const unit = larger.findLast(([one]) => (seconds * 1000) % (UNITS[one] ?? 1) === 0) ?? smallest
  return [(seconds * 1000) / (UNITS[unit[0]] ?? 1), unit]
}

function mixedDuration(text: string): number | undefined {
  const match = MIXED.exec(text)
  return match === null ? undefined : sumOf(match.slice(1), ['d', 'h', 'm', 's'])
}

function decimalDuration(text: string): number | undefined {
  const [, before = '', amount = '', unit = ''] = DECIMAL.exec(text) ?? []
  if (unit === '') return undefined
  // With 0 in the place of the decimals, the units must have their order.
  const whole = mixedDuration(`${before}0${unit}`)
  return whole === undefined ? undefined : Math.round(whole + Number(amount) * (UNITS[unit] ?? Number.NaN))
}

function isoDuration(text: string): number | undefined {
  const match = ISO.exec(text)
  return match === null ? undefined : Math.round(sumOf(match.slice(1), ['w', 'd', 'h', 'm', 's']))
}

function sumOf(amounts: readonly (string | undefined)[], units: readonly string[]): number {
  let ms = 0
  for (const [i, unit] of units.entries()) {
    const amount = amounts[i]
    if (amount !== undefined) ms += Number(amount.replace(',', '.')) * (UNITS[unit] ?? Number.NaN)
  }
  return ms
}
