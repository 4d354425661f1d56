import { WaybillError } from '../../document/issue.ts'

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }

/**
 * Returns the end of a grant.
 * @param text a duration such as `90s`, `30m`, `8h`, `7d`, or a future time in ISO 8601
 * @returns ISO 8601, UTC
 * @throws UNTIL_INVALID
 */
export function untilOf(text: string | undefined, now: Date): string | undefined {
  if (text === undefined) return undefined
  const [, amount, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  const end =
    amount === undefined
      ? /^\d{4}-\d\d-\d\d/.test(text)
        ? Date.parse(text)
        : Number.NaN
      : now.getTime() + Number(amount) * (UNITS[unit] ?? Number.NaN) * 1000
  if (Number.isNaN(end) || end <= now.getTime()) {
    throw new WaybillError('UNTIL_INVALID', {
      fault: 'usage',
      message: `"${text}" is not a duration or a future time`,
      hint: 'use a duration such as 30m, 8h or 7d, or a time such as 2027-01-31T18:00:00Z',
    })
  }
  return new Date(end).toISOString()
}
