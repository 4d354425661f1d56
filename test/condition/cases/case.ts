/** The expected result of an expression for the shared payload, or its own. */
export type Case = readonly [
  expr: string | object,
  outcome: 'true' | 'false' | 'unevaluable',
  options?: {
    /** Used instead of the shared payload. */
    readonly payload?: unknown
    /** The expected reason of an `unevaluable` result. */
    readonly reason?: RegExp
  },
]
