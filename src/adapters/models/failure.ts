import {
  APICallError,
  InvalidArgumentError,
  InvalidPromptError,
  InvalidResponseDataError,
  JSONParseError,
  TypeValidationError,
  UnsupportedFunctionalityError,
} from '@ai-sdk/provider'
import type { Code } from '../../document/codes.ts'
import { WaybillError } from '../../document/issue.ts'
import { HostFailure, ModelFailure, type ModelFailureKind } from '../../run/ports.ts'
import { causeOf, GateRefusal, networkCodeOf, ResponseTooLarge } from '../net/gate-refusal.ts'
import { type Redact, shorten } from '../net/shorten.ts'
import { retryAfterMs } from './retry-after.ts'

/** The route named in a failure: the provider and the variable of the key, never its value. */
export interface FailureContext {
  readonly route: string
  readonly keyHint: string
  readonly redact: Redact
}

/**
 * Converts any error of a provider's library to a failure of the run.
 * @throws HostFailure if this process cannot open more files, so that all routes would fail
 */
export function toModelFailure(error: unknown, context: FailureContext): ModelFailure {
  if (error instanceof ModelFailure) return error
  const fail = (kind: ModelFailureKind, code: Code, what: string, after?: number) =>
    new ModelFailure(kind, code, `${context.route} ${context.redact(what)}`, after)
  const refusal = causeOf(error, GateRefusal)
  if (refusal !== undefined) return fail('route', refusal.code, `was not called: ${refusal.message}`)
  if (causeOf(error, ResponseTooLarge) !== undefined) {
    return fail('malformed', 'MODEL_ANSWER_TOO_LARGE', 'returned an answer that is larger than the limit')
  }
  // A transport error may be wrapped in a status error: the connection was interrupted after a 200.
  const network = networkCodeOf(error)
  if (network === 'EMFILE' || network === 'ENFILE') throw new HostFailure(noFilesLeft(error))
  if (network !== undefined) return fail(...fromNetwork(network))
  if (isUnreadable(error))
    return fail('malformed', 'MODEL_ANSWER_UNREADABLE', 'returned an unreadable answer')
  if (isUnwritable(error))
    return fail('request', 'MODEL_REQUEST_UNWRITABLE', `cannot process this request: ${error.message}`)
  if (APICallError.isInstance(error)) return fromCall(error, context, fail)
  if (error instanceof TypeError && /terminated|fetch failed|network/i.test(error.message)) {
    return fail('unavailable', 'MODEL_UNAVAILABLE', `closed the connection: ${error.message}`)
  }
  return fromEvent(error, fail)
}

function noFilesLeft(cause: unknown): WaybillError {
  return new WaybillError('TOO_MANY_FILES', {
    fault: 'failed',
    message: 'cannot open a connection: this process, or the system, has too many open files',
    hint: 'raise the limit (`ulimit -n`), or start fewer runs at the same time; `waybill resume` continues the run',
    cause,
  })
}

type Fail = (kind: ModelFailureKind, code: Code, what: string, after?: number) => ModelFailure

function fromNetwork(code: string): [ModelFailureKind, Code, string] {
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') {
    return ['timeout', 'MODEL_TIMEOUT', `did not answer in time (${code})`]
  }
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code)) {
    return ['route', 'MODEL_CERTIFICATE_REFUSED', `has no certificate that this machine trusts (${code})`]
  }
  return ['unavailable', 'MODEL_UNAVAILABLE', `cannot be reached (${code})`]
}

/** Errors before the request was sent, such as a schema that the library cannot express. */
function isUnwritable(error: unknown): error is Error {
  return (
    UnsupportedFunctionalityError.isInstance(error) ||
    InvalidArgumentError.isInstance(error) ||
    InvalidPromptError.isInstance(error)
  )
}

function isUnreadable(error: unknown): boolean {
  return (
    causeOf(error, JSONParseError) !== undefined ||
    causeOf(error, TypeValidationError) !== undefined ||
    causeOf(error, InvalidResponseDataError) !== undefined
  )
}

function fromCall(error: APICallError, { keyHint }: FailureContext, fail: Fail): ModelFailure {
  const status = error.statusCode
  if (status === undefined)
    return fail('unavailable', 'MODEL_UNAVAILABLE', `cannot be reached: ${error.message}`)
  if (status >= 200 && status < 300) {
    // An interrupted body has a transport code or this TypeError as its cause; otherwise the body was unreadable.
    return causeOf(error, TypeError) !== undefined
      ? fail('unavailable', 'MODEL_UNAVAILABLE', 'interrupted its answer')
      : fail('malformed', 'MODEL_ANSWER_UNREADABLE', 'returned an unreadable answer')
  }
  const detail = shorten(error.responseBody || error.message)
  const what = `answered ${status}: ${detail}`
  if (status === 429)
    return fail('rate_limited', 'MODEL_RATE_LIMITED', what, retryAfterMs(error.responseHeaders))
  if (status >= 500 || status === 408 || status === 409) return fail('unavailable', 'MODEL_UNAVAILABLE', what)
  if (status === 401 || status === 403) return fail('route', 'MODEL_KEY_REFUSED', `${what}; ${keyHint}`)
  if (status === 404) return fail('route', 'MODEL_NOT_FOUND', what)
  if (status === 400 || status === 413 || status === 422)
    return fail('request', 'MODEL_REQUEST_REFUSED', what)
  return fail('route', 'MODEL_ROUTE_REFUSED', what)
}

/** An error event in a stream: its type corresponds to a status code. */
function fromEvent(error: unknown, fail: Fail): ModelFailure {
  const event = typeof error === 'object' && error !== null ? error : {}
  const { type, code, message } = event as { type?: unknown; code?: unknown; message?: unknown }
  const sign = `${String(type ?? '')} ${String(code ?? '')}`
  const what = `reported ${shorten(String(message ?? error))}`
  if (/rate_limit|429/.test(sign)) return fail('rate_limited', 'MODEL_RATE_LIMITED', what)
  if (/invalid_request|context_length|400/.test(sign)) return fail('request', 'MODEL_REQUEST_REFUSED', what)
  if (/authentication|permission|not_found/.test(sign)) return fail('route', 'MODEL_ROUTE_REFUSED', what)
  return fail('unavailable', 'MODEL_UNAVAILABLE', what)
}
