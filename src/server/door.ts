import type { WaybillError } from '../document/issue.ts'
import { PROBLEM_JSON, problemOf } from '../http/problem.ts'

/** An answer to a request that failed. */
export interface FailedAnswer {
  readonly status: number
  readonly mediaType: string
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A part of the server for clients of another protocol, which read errors in its form only. */
export interface Door {
  /** Such as `/openai/v1`: every request at or below this path gets errors in this form, whatever refuses it. */
  readonly prefix: string
  failed(error: WaybillError): FailedAnswer
}

const OWN: Door = {
  prefix: '',
  failed(error) {
    const problem = problemOf(error)
    return { status: problem.status, mediaType: PROBLEM_JSON, body: JSON.stringify(problem) }
  },
}

/** Returns the door that a request came to. @param url as it was sent, with a query or without */
export function doorOf(doors: readonly Door[], url: string): Door {
  const [path = ''] = url.split('?')
  return doors.find(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`)) ?? OWN
}
