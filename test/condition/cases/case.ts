/** What an expression gives over the shared payload, or over its own. */
export type Case = readonly [
  expr: string | object,
  outcome: 'true' | 'false' | 'unevaluable',
  options?: {
    /** Asked instead of the shared payload. */
    readonly payload?: unknown
    /** What the reason of an `unevaluable` says. */
    readonly reason?: RegExp
  },
]
