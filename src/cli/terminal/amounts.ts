import type { RunTotals } from '../../run/state.ts'

/** Returns a duration as text: `840 ms`, `2.4 s`, `3 min 20 s`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`
  const hours = Math.floor(minutes / 60)
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
}

/** Returns a whole number with commas: `12,345`. `toLocaleString` would load the locale data, about 7 ms. */
export function grouped(amount: number): string {
  return String(amount).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
}

export function count(amount: number, one: string, many = `${one}s`): string {
  return `${grouped(amount)} ${amount === 1 ? one : many}`
}

/** Returns an amount in US dollars as text; small amounts keep two significant digits. */
export function dollars(usd: number): string {
  if (usd === 0) return '$0'
  return `$${usd >= 0.01 ? usd.toFixed(2) : usd.toPrecision(2)}`
}

/** Returns the usage of a run in one line. */
export function usageLine(totals: RunTotals, rehearsal: boolean): string {
  const parts = [
    `${grouped(totals.input_tokens)} tokens in, ${grouped(totals.output_tokens)} out`,
    ...(rehearsal ? [] : [totals.cost_usd === null ? 'cost unknown' : dollars(totals.cost_usd)]),
    count(totals.llm_calls, 'model call'),
    ...(totals.tool_calls > 0 ? [count(totals.tool_calls, 'tool call')] : []),
    duration(totals.duration_ms),
  ]
  return parts.join(' · ')
}
