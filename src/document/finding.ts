import type { Code } from './codes.ts'
import type { Severity } from './issue.ts'

/**
 * What a rule has to say about a value, before anyone knows where in the file that value stands.
 * `mark` says what to point at: the value (default), the member's name, or the name of the container that
 * lacks the member.
 */
export interface Finding {
  readonly severity: Severity
  readonly code: Code
  readonly pointer: string
  readonly message: string
  readonly hint?: string | undefined
  readonly rule?: string | undefined
  readonly mark?: 'value' | 'key' | 'parent'
}

/** A problem of the text itself, known by its offset. */
export interface TextProblem {
  readonly severity: Severity
  readonly code: Code
  readonly offset: number
  readonly length?: number
  readonly pointer?: string
  readonly message: string
  readonly hint?: string
}

/** How many problems of one text are told: beyond this nobody reads on, and hostile files would flood the reader. */
export const MAX_PROBLEMS = 20
