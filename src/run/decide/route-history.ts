import type { ModelFailureKind, RouteSight } from '../ports.ts'

/** Failures in a row after which a route is left alone for a while. */
export const BREAK_AFTER = 3
const FIRST_REST_MS = 60_000
const LONGEST_REST_MS = 600_000
/** A provider may ask for a longer rest than this, and is asked again after it all the same. */
const LONGEST_ASKED_REST_MS = 3_600_000
/** How many answers a median is taken of, and how old they may be: a route that was slow yesterday may be fast today. */
const SAMPLES = 32
const SAMPLE_LIFE_MS = 86_400_000

/** What has been seen of one route. Times are milliseconds since the epoch. */
export interface RouteHistory {
  /** When something was last noted. */
  readonly at: number
  /** The number of its last question, counted over all routes; 0: never asked. */
  readonly turn: number
  /** Failures since it last answered. */
  readonly failures: number
  /** Not asked before, unless nothing else is left. */
  readonly closed_until?: number
  /** When each of the latest answers came, and after how many milliseconds; oldest first. */
  readonly answers: readonly (readonly [at: number, ms: number])[]
}

export const UNSEEN: RouteHistory = { at: 0, turn: 0, failures: 0, answers: [] }

/**
 * A question leaves. Over a route that rests and whose time has come it is the probe: the others wait for how it
 * ends, or as long again.
 */
export function afterAsked(history: RouteHistory, turn: number, at: number): RouteHistory {
  const probe = history.failures >= BREAK_AFTER
  return { ...history, at, turn, ...(probe && { closed_until: at + restAfter(history.failures) }) }
}

export function afterAnswered({ turn, answers }: RouteHistory, latency_ms: number, at: number): RouteHistory {
  return { at, turn, failures: 0, answers: [...answers.slice(1 - SAMPLES), [at, Math.round(latency_ms)]] }
}

/** A route whose provider refused the request is well; one that is not open to us (its key, its name) is not counted. */
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

/** Each probe that fails doubles the rest. */
function restAfter(failures: number): number {
  return Math.min(FIRST_REST_MS * 2 ** Math.max(0, failures - BREAK_AFTER), LONGEST_REST_MS)
}

/** What of it matters for choosing a route now. */
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

/** The middle one; of an even number the lower of the two, which was really observed. */
function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[(sorted.length - 1) >> 1] ?? 0
}

/** Two processes have watched the same route: every answer counts, and for the rest the later word. */
export function merged(a: RouteHistory, b: RouteHistory): RouteHistory {
  const history = a.at >= b.at ? a : b
  const answers = new Map([...a.answers, ...b.answers].map((answer) => [answer.join(' '), answer]))
  return {
    ...history,
    turn: Math.max(a.turn, b.turn),
    answers: [...answers.values()].sort(([x], [y]) => x - y).slice(-SAMPLES),
  }
}
