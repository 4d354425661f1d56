import type { ModelFailureKind, RouteSight } from '../ports.ts'

/** Failures in a row after which a route is closed for a while. */
export const BREAK_AFTER = 3
const FIRST_REST_MS = 60_000
const LONGEST_REST_MS = 600_000
/** If a provider asks for a longer pause than this, the route is closed for this long only. */
const LONGEST_ASKED_REST_MS = 3_600_000
/**
 * The number of answers that a median is computed from, and their maximum age: a route that was slow
 * yesterday may be fast today.
 */
const SAMPLES = 32
const SAMPLE_LIFE_MS = 86_400_000

/** The observations of one route. Times are milliseconds since the epoch. */
export interface RouteHistory {
  /** Time of the last observation. */
  readonly at: number
  /** The number of its last question, counted over all routes; 0: never asked. */
  readonly turn: number
  /** Failures since it last answered. */
  readonly failures: number
  /** Not asked before this time, unless no other route is left. */
  readonly closed_until?: number
  /** The latest answers, oldest first: when each arrived, and its latency in milliseconds. */
  readonly answers: readonly (readonly [at: number, ms: number])[]
}

/** Reads a stored history; undefined if it cannot be read. */
export function readRouteHistory(text: string): RouteHistory | undefined {
  try {
    const history = JSON.parse(text) as RouteHistory | null
    return Array.isArray(history?.answers) ? history : undefined
  } catch {
    return undefined
  }
}

export const UNSEEN: RouteHistory = { at: 0, turn: 0, failures: 0, answers: [] }

/**
 * Records that a question is sent. If the route was closed and its time is over, this question is the probe:
 * the route is closed for other questions until the probe ends, or for the same time again.
 */
export function afterAsked(history: RouteHistory, turn: number, at: number): RouteHistory {
  const probe = history.failures >= BREAK_AFTER
  return { ...history, at, turn, ...(probe && { closed_until: at + restAfter(history.failures) }) }
}

export function afterAnswered({ turn, answers }: RouteHistory, latency_ms: number, at: number): RouteHistory {
  return { at, turn, failures: 0, answers: [...answers.slice(1 - SAMPLES), [at, Math.round(latency_ms)]] }
}

/**
 * Records a failure. A refused request does not count, because the route itself works; nor does a route that
 * we cannot use (wrong key or name).
 */
export function afterFailed(
  history: RouteHistory,
  failure: { readonly kind: ModelFailureKind; readonly retry_after_ms?: number },
  at: number,
): RouteHistory {
  const { turn, answers } = history
  if (failure.kind === 'request') return { at, turn, failures: 0, answers }
  if (failure.kind === 'route') return { ...history, at }
  const failures = history.failures + 1
  const asked = failure.retry_after_ms
  const rest =
    asked !== undefined
      ? Math.min(asked, LONGEST_ASKED_REST_MS)
      : failures >= BREAK_AFTER
        ? restAfter(failures)
        : undefined
  return { at, turn, failures, answers, ...(rest !== undefined && { closed_until: at + rest }) }
}

/** Returns how long a route is closed; each failed probe doubles the time. */
function restAfter(failures: number): number {
  return Math.min(FIRST_REST_MS * 2 ** Math.max(0, failures - BREAK_AFTER), LONGEST_REST_MS)
}

/** Returns the part of a history that matters for choosing a route now. */
export function sightOf(history: RouteHistory, at: number): RouteSight {
  const recent = history.answers.filter(([when]) => at - when < SAMPLE_LIFE_MS).map(([, ms]) => ms)
  const { closed_until = 0 } = history
  return {
    turn: history.turn,
    failures: history.failures,
    ...(recent.length > 0 && { p50_ms: medianOf(recent) }),
    ...(closed_until > at && { closed_until }),
  }
}

/** Returns the median; of an even number the lower of the two middle values, which was really observed. */
function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[(sorted.length - 1) >> 1] ?? 0
}

/**
 * Merges the observations that two processes made of one route: all answers count, and the later closing time
 * is used.
 */
export function merged(a: RouteHistory, b: RouteHistory): RouteHistory {
  const history = a.at >= b.at ? a : b
  const answers = new Map([...a.answers, ...b.answers].map((answer) => [answer.join(' '), answer]))
  return {
    ...history,
    turn: Math.max(a.turn, b.turn),
    answers: [...answers.values()].sort(([x], [y]) => x - y).slice(-SAMPLES),
  }
}
