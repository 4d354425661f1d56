import {
  APICallError,
  InvalidArgumentError,
  InvalidPromptError,
  UnsupportedFunctionalityError,
} from '@ai-sdk/provider'
import type { Code } from '../../document/codes.ts'
import { WaybillError } from '../../document/issue.ts'
import type { Json } from '../../document/json.ts'
import { messageOf } from '../../document/message-of.ts'
import { ownMember } from '../../document/own-member.ts'
import type { PlannedModel } from '../../plan/plan.ts'
import { addressOf, type RouteProblem, routeHint } from '../../policy/route-hint.ts'
import { type CallOutcome, HostFailure, ModelFailure, type ModelFailureKind } from '../../run/ports.ts'
import { causeOf, GateRefusal, networkCodeOf, neverLeft, ResponseTooLarge } from '../net/gate-refusal.ts'
import { type Redact, shorten } from '../net/shorten.ts'
import { UnreadableCall } from './answers/answer-reader.ts'
import { ReportedError, UnreadableAnswer } from './answers/read-response.ts'
import { isMarkup, NotAnAnswer, quoted } from './quoted.ts'
import { rateLimitResetMs } from './rate-limit-reset.ts'
import { retryAfterMs } from './retry-after.ts'

/** The route named in a failure: the provider and the variable of the key, never its value. */
export interface FailureContext {
  readonly route: PlannedModel
  /** Text for the route in messages. */
  readonly name: string
  readonly keyHint: string
  readonly keySent: boolean
  readonly queued?: RouteProblem['queued']
  /** A known model of the provider with a similar name. */
  readonly near?: string | undefined
  readonly redact: Redact
}

type Fail = (
  kind: ModelFailureKind,
  code: Code,
  what: string,
  more?: RouteProblem & { readonly after?: number | undefined; readonly hint?: string },
) => ModelFailure

/**
 * Converts any error of a provider's library to a failure of the run.
 * @throws HostFailure if this process cannot open more files, so that all routes would fail
 */
export function toModelFailure(error: unknown, context: FailureContext): ModelFailure {
  if (error instanceof ModelFailure) return error
  const { route, name, keySent, queued, near, redact } = context
  const outcome = outcomeOf(error)
  const fail: Fail = (kind, code, what, { after, hint, ...problem } = {}) => {
    const way = hint ?? routeHint(code, route, { key_sent: keySent, queued, near, ...problem })
    return new ModelFailure(kind, code, `${name} ${redact(what)}`, after, redact(way), { outcome })
  }
  const refusal = causeOf(error, GateRefusal)
  if (refusal !== undefined) {
    const { code, reason, hint } = refusal
    return fail('route', code, `was not called: ${reason}`, { hint })
  }
  const other = causeOf(error, NotAnAnswer)
  if (other !== undefined) return fail('route', 'MODEL_ANSWER_UNREADABLE', other.message)
  if (causeOf(error, ResponseTooLarge) !== undefined) {
    return fail('malformed', 'MODEL_ANSWER_TOO_LARGE', 'returned an answer that is larger than the limit')
  }
  // A transport error may be wrapped in a status error: the connection was interrupted after a 200.
  const network = networkCodeOf(error)
  if (network === 'EMFILE' || network === 'ENFILE') throw new HostFailure(noFilesLeft(error))
  if (network !== undefined) return fromNetwork(network, route, fail)
  if (error instanceof ReportedError) return fromEvent(error, fail)
  if (error instanceof UnreadableAnswer || error instanceof UnreadableCall) return unreadable(error, fail)
  if (isUnwritable(error))
    return fail('request', 'MODEL_REQUEST_UNWRITABLE', `cannot process this request: ${error.message}`)
  if (APICallError.isInstance(error)) return fromCall(error, context, fail)
  if (error instanceof TypeError && /terminated|fetch failed|network/i.test(error.message)) {
    return fail('unavailable', 'MODEL_UNAVAILABLE', `closed the connection: ${error.message}`)
  }
  return fail('unavailable', 'MODEL_UNAVAILABLE', `reported ${shorten(messageOf(error))}`)
}

/** Returns what is known about the request: never sent, refused by the provider, or perhaps billed. */
function outcomeOf(error: unknown): CallOutcome {
  const refusal = causeOf(error, GateRefusal)
  if (refusal !== undefined) return refusal.unsent ? 'unsent' : 'answered'
  if (isUnwritable(error) || neverLeft(error)) return 'unsent'
  const refused = APICallError.isInstance(error) && (error.statusCode ?? 0) >= 400
  return refused && networkCodeOf(error) === undefined ? 'answered' : 'unknown'
}

function noFilesLeft(cause: unknown): WaybillError {
  return new WaybillError('TOO_MANY_FILES', {
    fault: 'failed',
    message: 'cannot open a connection: this process, or the system, has too many open files',
    hint: 'raise the limit (`ulimit -n`), or start fewer runs at the same time; `waybill resume` continues the run',
    cause,
  })
}

function fromNetwork(network: string, route: PlannedModel, fail: Fail): ModelFailure {
  if (network === 'UND_ERR_HEADERS_TIMEOUT' || network === 'UND_ERR_BODY_TIMEOUT') {
    return fail('timeout', 'MODEL_TIMEOUT', `did not answer in time (${network})`)
  }
  if (/CERT|TLS|SELF_SIGNED|UNABLE_TO/.test(network)) {
    const what = `has no certificate that this machine trusts (${network})`
    return fail('route', 'MODEL_CERTIFICATE_REFUSED', what)
  }
  const url = addressOf(route)
  if (/SSL|EPROTO/.test(network)) {
    const what = `cannot be reached at ${url}: the TLS handshake failed (${network})`
    return fail('route', 'MODEL_CERTIFICATE_REFUSED', what, { network })
  }
  const why = ownMember(WHY, network)
  const what = `cannot be reached at ${url}${why === undefined ? '' : `: ${why}`} (${network})`
  return fail(network === 'EBADPORT' ? 'route' : 'unavailable', 'MODEL_UNAVAILABLE', what, { network })
}

const WHY: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the server closed the connection',
  UND_ERR_SOCKET: 'the server closed the connection',
  ENOTFOUND: 'the name of the host is not known',
  EAI_AGAIN: 'the name of the host could not be looked up',
  ETIMEDOUT: 'the connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  EHOSTUNREACH: 'there is no way to the host',
  ENETUNREACH: 'there is no way to the network',
  EBADPORT: 'HTTP clients refuse this port, because it belongs to another protocol',
}

/** Errors before the request was sent, such as a schema that the library cannot express. */
function isUnwritable(error: unknown): error is Error {
  return (
    UnsupportedFunctionalityError.isInstance(error) ||
    InvalidArgumentError.isInstance(error) ||
    InvalidPromptError.isInstance(error)
  )
}

/** Markup is not an answer of a model: asking again gives the same page. */
function unreadable(error: UnreadableAnswer | UnreadableCall, fail: Fail): ModelFailure {
  if (error instanceof UnreadableCall)
    return fail('malformed', 'MODEL_ANSWER_UNREADABLE', `returned an unreadable answer: ${error.message}`)
  const { status, type, text } = error
  const about = [status, type].filter((part) => part !== null).join(', ')
  const begin = text.trim() === '' ? '' : `; it begins with ${JSON.stringify(shorten(text).slice(0, 80))}`
  const what = `returned an unreadable answer (${about})${begin}`
  return fail(isMarkup(text) ? 'route' : 'malformed', 'MODEL_ANSWER_UNREADABLE', what)
}

const TOO_LONG =
  /context.{0,3}(length|window|size)|maximum (context|prompt)|prompt is too long|too many (input )?tokens|input.{0,20}too (long|large)|token count.{0,40}exceeds|reduce the length/i
/** Not the word "billing": messages about rate limits advertise a paid plan. */
const NO_CREDIT = /insufficient_quota|insufficient.{0,10}(credit|balance|funds)|credit balance/i
const NO_MODEL =
  /model_not_found|invalid model|unknown model|not a valid model|\bmodel:? [`'"]?[\w./:-]+[`'"]? (does not exist|(is )?not found)/i

function fromCall(error: APICallError, { keyHint }: FailureContext, fail: Fail): ModelFailure {
  const status = error.statusCode
  if (status === undefined)
    return fail('unavailable', 'MODEL_UNAVAILABLE', `cannot be reached: ${error.message}`)
  const body = error.responseBody || error.message
  const what = `answered ${status}: ${shorten(quoted(body))}`
  const no_credit = status === 402 || NO_CREDIT.test(body)
  // Counts for every answer after which the request may be repeated.
  const after = retryAfterMs(error.responseHeaders, parsedBody(body))
  if (status === 429) {
    const wait = after ?? rateLimitResetMs(error.responseHeaders, Date.now())
    return fail(no_credit ? 'route' : 'rate_limited', 'MODEL_RATE_LIMITED', what, { after: wait, no_credit })
  }
  if (status >= 500 || status === 408 || status === 409)
    return fail('unavailable', 'MODEL_UNAVAILABLE', what, { after })
  if (status === 401 || status === 403)
    return fail('route', 'MODEL_KEY_REFUSED', `${what.replace(/[.;:,\s]+$/, '')}; ${keyHint}`, { no_credit })
  if (status === 404 || (status === 400 && NO_MODEL.test(body))) return fail('route', 'MODEL_NOT_FOUND', what)
  if (status === 400 || status === 413 || status === 422) {
    const too_long = status === 413 || TOO_LONG.test(body)
    return fail('request', 'MODEL_REQUEST_REFUSED', what, { no_credit, too_long })
  }
  return fail('route', 'MODEL_ROUTE_REFUSED', what, { no_credit })
}

function parsedBody(body: string): Json {
  try {
    return JSON.parse(body) as Json
  } catch {
    return null
  }
}

/** An error inside of an answer: its type and its code correspond to a status. */
function fromEvent({ sign, message, body, headers }: ReportedError, fail: Fail): ModelFailure {
  const after = retryAfterMs(headers, body)
  const what = `reported ${shorten(message === '' ? JSON.stringify(body) : message)}`
  const no_credit = NO_CREDIT.test(`${sign} ${message}`)
  if (/rate_limit|429|insufficient_quota|resource_exhausted/i.test(sign))
    return fail(no_credit ? 'route' : 'rate_limited', 'MODEL_RATE_LIMITED', what, {
      after: after ?? rateLimitResetMs(headers, Date.now()),
      no_credit,
    })
  if (/invalid_request|invalid_argument|context_length|\b(400|413|422)\b/i.test(sign))
    return fail('request', 'MODEL_REQUEST_REFUSED', what, { too_long: TOO_LONG.test(`${sign} ${message}`) })
  if (/authentication|permission|not_found|\b(401|402|403|404)\b/i.test(sign))
    return fail('route', 'MODEL_ROUTE_REFUSED', what)
  return fail('unavailable', 'MODEL_UNAVAILABLE', what, { after })
}
