import { STATUS_CODES } from 'node:http'
import { WaybillError } from '../document/issue.ts'
import { problemOf } from '../http/problem.ts'
import { asOutage } from '../platform/records/storage-errors.ts'
import { tooSlow } from './request-time.ts'

/** Returns an error of a request as our own; null if it is unexpected. */
export function errorOf(error: unknown): WaybillError | null {
  if (error instanceof WaybillError) return error
  const { statusCode = 500 } = error as { readonly statusCode?: number }
  if (statusCode === 413)
    return new WaybillError('BODY_TOO_LARGE', {
      fault: 'usage',
      message: 'the body is larger than this route accepts',
      hint: '/openapi.json has the limit of the route, as x-max-bytes',
    })
  if (statusCode === 415)
    return new WaybillError('MEDIA_TYPE_UNSUPPORTED', {
      fault: 'usage',
      message: 'the header content-type is not a valid media type',
      hint: 'send application/json',
    })
  if (statusCode === 503) return new WaybillError('SERVER_STOPPING', STOPPING)
  return statusCode >= 400 && statusCode < 500 ? malformed() : asOutage(error)
}

const STOPPING = {
  fault: 'failed',
  message: 'the server is shutting down',
  hint: 'send the request again, with the same Idempotency-Key',
} as const

function malformed(): WaybillError {
  return new WaybillError('REQUEST_MALFORMED', {
    fault: 'usage',
    message: 'the request is not valid HTTP, or its body is not complete',
    hint: 'send the request again; encode the path, and send as many bytes as content-length says',
  })
}

/** Returns the answer to a request that the HTTP parser refused or that did not arrive in time. */
export function clientProblem({ code }: NodeJS.ErrnoException): {
  readonly statusLine: string
  readonly body: string
} {
  const problem = problemOf(
    code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? tooSlow()
      : code === 'HPE_HEADER_OVERFLOW'
        ? new WaybillError('HEADERS_TOO_LARGE', {
            fault: 'usage',
            message: 'the headers are too large',
            hint: 'send fewer or shorter headers',
          })
        : malformed(),
  )
  return { statusLine: `${problem.status} ${STATUS_CODES[problem.status]}`, body: JSON.stringify(problem) }
}
