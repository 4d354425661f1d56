import type { Env } from '../../compose/parts.ts'
import { WaybillError } from '../../document/issue.ts'
import { type CallerTrace, callerTrace, parseTraceParent } from '../../run/trace/trace-context.ts'
import { parseTraceState } from '../../run/trace/trace-state.ts'

export interface TraceOptions {
  readonly traceParent?: string
  readonly traceState?: string
}

/**
 * The trace that a run is started in: that of the options, else that of TRACEPARENT and TRACESTATE. What was asked for
 * must be right; what merely lay in the environment is left when it is not, as the standard has it.
 * @throws TRACE_PARENT_INVALID, TRACE_STATE_INVALID
 */
export function callerTraceOf({ traceParent, traceState }: TraceOptions, env: Env): CallerTrace {
  if (traceParent !== undefined && parseTraceParent(traceParent) === null) {
    throw new WaybillError('TRACE_PARENT_INVALID', {
      fault: 'usage',
      message: `"${traceParent}" is no W3C traceparent`,
      hint: 'it has the form 00-TRACE_ID-PARENT_ID-FLAGS, in small hexadecimal digits, such as 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
      rule: 'AAIF-4.7-08',
    })
  }
  const trace =
    // The state in the environment belongs to the parent in the environment, and to no other.
    traceParent === undefined
      ? callerTrace(env.TRACEPARENT, traceState ?? env.TRACESTATE)
      : callerTrace(traceParent, traceState)
  if (traceState === undefined || trace.trace_state !== undefined) return trace
  const wrong = parseTraceState(traceState) === null
  throw new WaybillError('TRACE_STATE_INVALID', {
    fault: 'usage',
    message: wrong
      ? `"${traceState}" is no W3C tracestate`
      : 'a tracestate belongs to a traceparent, and there is none',
    hint: wrong
      ? 'it is a list of at most 32 members KEY=VALUE with commas between them, no key twice, such as congo=t61rcWkgMzE,rojo=00f067aa0ba902b7'
      : 'give --trace-parent too',
    rule: 'AAIF-4.7-08',
  })
}
