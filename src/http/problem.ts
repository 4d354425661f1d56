import { defined } from '../document/defined.ts'
import { type UnplacedIssue, WaybillError } from '../document/issue.ts'
import { inPlatformWords, platformHint } from '../policy/hints/platform-words.ts'
import { statusOfError } from './status-of-code.ts'

/** The media type of every answer that is an error (RFC 9457). */
export const PROBLEM_JSON = 'application/problem+json'

/** The body of an answer that is an error. */
export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly code: string
  readonly detail: string
  readonly hint?: string
  readonly rule?: string
  readonly pointer?: string
  readonly issues?: readonly UnplacedIssue[]
}

/** Returns an error as the body of an answer. */
export function problemOf(error: WaybillError): Problem {
  const { message, hint, rule, at, issues } = error.details
  return {
    type: `urn:waybill:problem:${error.code.toLowerCase().replaceAll('_', '-')}`,
    title: titleOf(error.code),
    status: statusOfError(error),
    code: error.code,
    detail: message,
    ...defined({ hint: hint && platformHint(hint), rule, pointer: at, issues: inPlatformWords(issues) }),
  }
}

/**
 * Returns the error of an unexpected failure. Says nothing about the failure: its message may quote data.
 * @param id names the entry in the server's log
 */
export function internalError(id: string): WaybillError {
  return new WaybillError('INTERNAL', {
    fault: 'failed',
    message: `an unexpected error; the log of the server describes it under ${id}`,
    hint: 'send the request again later, with the same Idempotency-Key',
  })
}

/** Returns a code as words: `Run not found` for RUN_NOT_FOUND. */
function titleOf(code: string): string {
  const words = code.toLowerCase().replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
