import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client'
import type { Code } from '../../document/codes.ts'
import { messageOf } from '../../document/message-of.ts'
import { type CallOutcome, ToolFailure } from '../../run/ports.ts'
import { causeOf, GateRefusal, networkCodeOf, neverLeft } from '../net/gate-refusal.ts'
import { type Redact, shorten } from '../net/shorten.ts'

/** The connection was gone before a message left: it may be sent again over another. */
export class NotSent extends Error {
  override readonly name = 'NotSent'
}

/** The error by which our own transport says that an answer broke off. */
export const LOST_CODE = -32_077

/** Whether a call certainly never reached the server, so that another connection may carry it. */
export function neverSent(error: unknown): boolean {
  if (causeOf(error, NotSent) !== undefined) return true
  if (sessionGone(error)) return true
  if (error instanceof SdkError && error.code === SdkErrorCode.NotConnected) return true
  if (error instanceof Error && error.message === 'Not connected') return true
  return neverLeft(error)
}

/** A server that no longer knows the session has refused the message before looking at it. */
function sessionGone(error: unknown): boolean {
  const status = statusOf(error)
  return status === 404 || (status === 400 && error instanceof Error && /session/i.test(error.message))
}

/** The HTTP status of a refused message; the client says it in words only, where it speaks SSE. */
function statusOf(error: unknown): number | undefined {
  if (error instanceof SdkHttpError) return error.status
  const said =
    error instanceof Error
      ? /^Error POSTing to endpoint \(HTTP (\d{3})\)/.exec(error.message)?.[1]
      : undefined
  return said === undefined ? undefined : Number(said)
}

/** What is known about a call that gave no result, in words that hold no secret. */
export function asToolFailure(name: string, error: unknown, redact: Redact): ToolFailure {
  if (error instanceof ToolFailure) return error
  const failure = (code: Code, message: string, outcome: CallOutcome) =>
    new ToolFailure(code, redact(message), outcome)
  const refusal = causeOf(error, GateRefusal)
  if (refusal !== undefined) {
    return failure(
      refusal.code,
      `${name} was not called: ${refusal.message}`,
      refusal.unsent ? 'unsent' : 'unknown',
    )
  }
  const said = whyOf(error)
  if (neverSent(error)) return failure('MCP_UNREACHABLE', `${name} was not called: ${said}`, 'unsent')
  if (error instanceof ProtocolError && error.code !== LOST_CODE)
    return failure('MCP_CALL_REFUSED', `the server did not take the call of ${name}: ${said}`, 'answered')
  const status = statusOf(error)
  if (status !== undefined) {
    // A gateway that gave up on the server does not know whether the server went on.
    const outcome = status === 502 || status === 503 || status === 504 ? 'unknown' : 'answered'
    return failure(
      'MCP_CALL_REFUSED',
      `the server answered ${status} to the call of ${name}: ${said}`,
      outcome,
    )
  }
  if (error instanceof SdkError) {
    switch (error.code) {
      case SdkErrorCode.RequestTimeout:
        return failure(
          'TOOL_TIMEOUT',
          `${name} gave no sign of life; it may have acted on the call`,
          'unknown',
        )
      case SdkErrorCode.InvalidResult:
      case SdkErrorCode.UnsupportedResultType:
      case SdkErrorCode.InputRequiredRoundsExceeded:
      case SdkErrorCode.CapabilityNotSupported:
        return failure(
          'MCP_RESULT_INVALID',
          `${name} gave an answer that cannot be used: ${said}`,
          'answered',
        )
      default:
    }
  }
  return failure(
    'MCP_CONNECTION_LOST',
    `${name} gave no answer; it may have acted on the call (${said})`,
    'unknown',
  )
}

/**
 * Returns the text of an error. Of a program that cannot be started it names the missing program or folder; of a
 * network error it adds the code, because "fetch failed" alone does not help the reader.
 */
export function whyOf(error: unknown): string {
  const said = shorten(messageOf(error))
  const program = /^spawn (.+) ENOENT$/.exec(said)?.[1]
  if (program !== undefined) return `there is no program ${program}, or no folder to start it in`
  const code = networkCodeOf(error)
  return code === undefined || said.includes(code) ? said : `${said} (${code})`
}
