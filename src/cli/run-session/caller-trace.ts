import type { Env } from '../../compose/parts.ts'
import { WaybillError } from '../../document/issue.ts'
import { type CallerTrace, callerTrace, parseTraceParent } from '../../run/trace/trace-context.ts'
import { parseTraceState } from '../../run/trace/trace-state.ts'

export interface TraceOptions {
  readonly traceParent?: string
  readonly traceState?: string
}

/**
 * Returns the trace context of the caller: from the options, else from TRACEPARENT and TRACESTATE. Invalid options are
 * an error; invalid environment variables are ignored, as W3C Trace Context requires.
 * @throws TRACE_PARENT_INVALID, TRACE_STATE_INVALID
 */
export function callerTraceOf({ traceParent, traceState }: TraceOptions, env: Env): CallerTrace {
  if (traceParent !== undefined && parseTraceParent(traceParent) === null) {
    throw new WaybillError('TRACE_PARENT_INVALID', {
      fault: 'usage',
      message: `"${traceParent}" is not a valid W3C traceparent`,
      hint: 'the form is 00-TRACE_ID-PARENT_ID-FLAGS in lower-case hexadecimal digits, such as 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
      rule: 'AAIF-4.7-08',
    })
  }
  const trace =
    // TRACESTATE belongs only to TRACEPARENT, not to a parent from the options.
    traceParent === undefined
      ? callerTrace(env.TRACEPARENT, traceState ?? env.TRACESTATE)
      : callerTrace(traceParent, traceState)
  if (traceState === undefined || trace.trace_state !== undefined) return trace
  const wrong = parseTraceState(traceState) === null
  throw new WaybillError('TRACE_STATE_INVALID', {
    fault: 'usage',
    message: wrong ? `"${traceState}" is not a valid W3C tracestate` : '--trace-state needs a traceparent',
    hint: wrong
      ? 'use a comma-separated list of at most 32 KEY=VALUE members with different keys, such as congo=t61rcWkgMzE,rojo=00f067aa0ba902b7'
      : 'add --trace-parent',
    rule: 'AAIF-4.7-08',
  })
}
