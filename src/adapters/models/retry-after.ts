import { isObject, type Json } from '../../document/json.ts'

/** Longer delays are read as this: no run waits for a year. */
const LONGEST_MS = 31_536_000_000

/**
 * Returns the delay that a provider asks for, in ms: from the headers of its answer, else from its error (Google writes it
 * there). A date is relative to `nowMs`.
 */
export function retryAfterMs(
  headers: Readonly<Record<string, string>> | undefined,
  error?: Json,
  nowMs: number = Date.now(),
): number | undefined {
  const exact = millisOf(headers?.['retry-after-ms']?.trim(), 1)
  const given = headers?.['retry-after']?.trim() ?? ''
  return exact ?? millisOf(given, 1000) ?? untilDate(given, nowMs) ?? delayIn(error, 0)
}

function millisOf(text: string | undefined, unit: number): number | undefined {
  return text !== undefined && /^\d+(\.\d*)?$/.test(text)
    ? Math.min(Math.ceil(Number(text) * unit), LONGEST_MS)
    : undefined
}

function untilDate(text: string, nowMs: number): number | undefined {
  // A bare number would be read as a year.
  const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.min(Math.max(0, date - nowMs), LONGEST_MS)
}

/** Finds `retryDelay` of google.rpc.RetryInfo (`34s`), or `retry_after` in seconds, in the body of an error. */
function delayIn(value: Json | undefined, depth: number): number | undefined {
  if (depth > 4) return undefined
  if (Array.isArray(value)) return firstOf(value, depth)
  if (!isObject(value)) return undefined
  const { retryDelay, retry_after } = value
  const delay =
    typeof retryDelay === 'string' ? millisOf(/^([\d.]+)s$/.exec(retryDelay)?.[1], 1000) : undefined
  if (delay !== undefined) return delay
  if (typeof retry_after === 'number' || typeof retry_after === 'string')
    return millisOf(String(retry_after), 1000)
  return firstOf([value.error, value.details, value.metadata], depth)
}

function firstOf(values: readonly (Json | undefined)[], depth: number): number | undefined {
  for (const value of values) {
    const delay = delayIn(value, depth + 1)
    if (delay !== undefined) return delay
  }
  return undefined
}
