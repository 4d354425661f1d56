import type { Code } from './codes.ts'
import type { Severity } from './issue.ts'

/**
 * A finding of a rule about a value, without a position in the file. `mark` selects the position to report: the value
 * (default), the name of the member, or the name of the container that lacks the member.
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

/** A problem of the text, with its offset. */
export interface TextProblem {
  readonly severity: Severity
  readonly code: Code
  readonly offset: number
  readonly length?: number
  readonly pointer?: string
  readonly message: string
  readonly hint?: string
}

/** Maximum number of problems reported for one text, so that hostile files cannot flood the output. */
export const MAX_PROBLEMS = 20
