import { ownMember } from '../../document/own-member.ts'

/** Longer numbers are moments: seconds or milliseconds since the epoch. */
const FIRST_MOMENT = 1e9
const FIRST_MOMENT_MS = 1e12
/** No run waits for a year. */
const LONGEST_MS = 31_536_000_000

/** Milliseconds of a unit, in the durations of Go, which several providers write: `1m30.5s`, `17ms`. */
const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/**
 * Returns when the limits that a provider counts are full again, in ms from now: of those that are used
 * up, the last one. Names are those of OpenAI and others (`x-ratelimit-reset-tokens`), of Anthropic
 * (`anthropic-ratelimit-tokens-reset`) and of the IETF draft (`ratelimit-reset`). A limit that is not used up did
 * not cause a refusal.
 */
export function rateLimitResetMs(
  headers: Readonly<Record<string, string>> | undefined,
  nowMs: number,
): number | undefined {
  const resets = Object.entries(headers ?? {}).flatMap(([name, text]) => {
    const limit = RESET.exec(name.toLowerCase())
    if (limit === null) return []
    const [, prefix = '', before = '', after = ''] = limit
    const remaining = ownMember(headers ?? {}, remainingOf(prefix, before, after))
    const ms = millisIn(text.trim(), nowMs)
    return ms === undefined || (remaining !== undefined && Number(remaining) > 0)
      ? []
      : [{ ms, isKnown: remaining !== undefined }]
  })
  const known = resets.filter(({ isKnown }) => isKnown)
  const used = known.length > 0 ? known : resets.length === 1 ? resets : []
  return used.length === 0 ? undefined : Math.min(LONGEST_MS, Math.max(...used.map(({ ms }) => ms)))
}

const RESET = /^((?:x-|anthropic-)?ratelimit-)(?:(.+)-)?reset(?:-(.+))?$/

function remainingOf(prefix: string, before: string, after: string): string {
  return `${prefix}${before === '' ? '' : `${before}-`}remaining${after === '' ? '' : `-${after}`}`
}

function millisIn(text: string, nowMs: number): number | undefined {
  if (/^\d+(?:\.\d+)?$/.test(text)) {
    const number = Number(text)
    if (number < FIRST_MOMENT) return Math.ceil(number * 1000)
    return Math.max(0, Math.ceil(number < FIRST_MOMENT_MS ? number * 1000 : number) - nowMs)
  }
  if (/^(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+$/.test(text)) {
    const parts = text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)
    return Math.ceil(
      [...parts].reduce((sum, [, n, unit = '']) => sum + Number(n) * (ownMember(UNIT_MS, unit) ?? 0), 0),
    )
  }
  const moment = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - nowMs)
}
