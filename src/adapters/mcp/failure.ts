import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client'
import type { Code } from '../../document/codes.ts'
import { messageOf } from '../../document/message-of.ts'
import { type CallOutcome, ToolFailure, ToolQuestions } from '../../run/ports.ts'
import { causeOf, GateRefusal, networkCodeOf, neverLeft } from '../net/gate-refusal.ts'
import { type Redact, shorten } from '../net/shorten.ts'
import { outcomeOfStatus } from '../tools/call-outcome.ts'

/** The connection was closed before a message was sent: the message may be sent over another connection. */
export class NotSent extends Error {
  override readonly name = 'NotSent'
}

/** The error of our transport for an interrupted answer. */
export const LOST_CODE = -32_077

/** Returns true if a call certainly never reached the server, so that it may be sent over another connection. */
export function neverSent(error: unknown): boolean {
  if (causeOf(error, NotSent) !== undefined) return true
  if (sessionGone(error)) return true
  if (error instanceof SdkError && error.code === SdkErrorCode.NotConnected) return true
  if (error instanceof Error && error.message === 'Not connected') return true
  return neverLeft(error)
}

/** A server that no longer has the session refuses the message before processing it. */
function sessionGone(error: unknown): boolean {
  const status = statusOf(error)
  return status === 404 || (status === 400 && error instanceof Error && /session/i.test(error.message))
}

/** The HTTP status of a refused message; over SSE the client reports it only in the message. */
function statusOf(error: unknown): number | undefined {
  if (error instanceof SdkHttpError) return error.status
  const reason =
    error instanceof Error
      ? /^Error POSTing to endpoint \(HTTP (\d{3})\)/.exec(error.message)?.[1]
      : undefined
  return reason === undefined ? undefined : Number(reason)
}

/** Returns the failure of a call without a result, with a message that contains no secrets; questions as they are. */
export function asToolFailure(name: string, error: unknown, redact: Redact): ToolFailure | ToolQuestions {
  if (error instanceof ToolFailure || error instanceof ToolQuestions) return error
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
  const reason = whyOf(error)
  if (neverSent(error)) return failure('MCP_UNREACHABLE', `${name} was not called: ${reason}`, 'unsent')
  if (error instanceof ProtocolError && error.code !== LOST_CODE)
    return failure('MCP_CALL_REFUSED', `the server refused the call of ${name}: ${reason}`, 'answered')
  const status = statusOf(error)
  if (status !== undefined) {
    return failure(
      'MCP_CALL_REFUSED',
      `the server answered ${status} to the call of ${name}: ${reason}`,
      outcomeOfStatus(status),
    )
  }
  if (error instanceof SdkError) {
    switch (error.code) {
      case SdkErrorCode.RequestTimeout:
        return failure('TOOL_TIMEOUT', `${name} did not respond; the call may have taken effect`, 'unknown')
      case SdkErrorCode.InvalidResult:
      case SdkErrorCode.UnsupportedResultType:
      case SdkErrorCode.InputRequiredRoundsExceeded:
      case SdkErrorCode.CapabilityNotSupported:
        return failure('MCP_RESULT_INVALID', `${name} returned an unusable answer: ${reason}`, 'answered')
      default:
    }
  }
  return failure(
    'MCP_CONNECTION_LOST',
    `${name} did not answer; the call may have taken effect (${reason})`,
    'unknown',
  )
}

/**
 * Returns the text of an error. Of a program that cannot be started it names the missing program or folder; of a
 * network error it adds the code, because "fetch failed" alone does not help the reader.
 */
export function whyOf(error: unknown): string {
  const text = shorten(messageOf(error))
  const program = /^spawn (.+) ENOENT$/.exec(text)?.[1]
  if (program !== undefined) return `the program ${program}, or its working folder, does not exist`
  const code = networkCodeOf(error)
  return code === undefined || text.includes(code) ? text : `${text} (${code})`
}
