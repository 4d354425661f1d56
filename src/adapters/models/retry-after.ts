/** Returns the retry delay from the response headers of a provider, in ms; a date is relative to `nowMs`. */
export function retryAfterMs(
  headers: Readonly<Record<string, string>> | undefined,
  nowMs: number = Date.now(),
): number | undefined {
  const exact = Number.parseFloat(headers?.['retry-after-ms'] ?? '')
  if (Number.isFinite(exact) && exact >= 0) return Math.ceil(exact)
  const given = headers?.['retry-after']?.trim()
  if (given === undefined || given === '') return undefined
  if (/^\d+(\.\d+)?$/.test(given)) return Math.ceil(Number(given) * 1000)
  const date = Date.parse(given)
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs)
}
