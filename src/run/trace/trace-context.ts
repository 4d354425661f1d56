import { parseTraceState } from './trace-state.ts'

/** Where a span belongs: whose trace, below what, and whether it is meant to be kept. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly trace_id: string
  /** 16 hexadecimal digits; null at the top of a trace. */
  readonly parent_id: string | null
  readonly sampled: boolean
  /** Whether `trace_id` was made at random, as its maker says (Level 2); only handed on. */
  readonly random?: true
  /** W3C `tracestate`: what others in the trace say of themselves; only handed on. */
  readonly trace_state?: string
}

/** What a caller says of the trace that a run belongs to, as a run's record keeps it. */
export interface CallerTrace {
  readonly trace_parent?: string
  readonly trace_state?: string
}

/**
 * What of a caller's trace context can be used: nothing without a `traceparent` that can be read, and a `tracestate`
 * only together with it (W3C Trace Context §4.3).
 */
export function callerTrace(traceParent: string | undefined, traceState: string | undefined): CallerTrace {
  if (traceParent === undefined || parseTraceParent(traceParent) === null) return {}
  const trace_state = traceState === undefined ? null : parseTraceState(traceState)
  return { trace_parent: traceParent, ...(trace_state !== null && { trace_state }) }
}

/**
 * Reads a W3C `traceparent`. What cannot be read means a new trace begins, so it is null and no error.
 * Versions to come may add fields, which are left aside.
 */
export function parseTraceParent(text: string): TraceContext | null {
  const parts = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(text)
  if (parts === null) return null
  const [, version = '', trace_id = '', parent_id = '', flags = '', rest] = parts
  if (version === 'ff' || (version === '00' && rest !== undefined)) return null
  if (/^0+$/.test(trace_id) || /^0+$/.test(parent_id)) return null
  const bits = Number.parseInt(flags, 16)
  return {
    trace_id,
    parent_id,
    sampled: (bits & 1) === 1,
    ...((bits & 2) === 2 && { random: true as const }),
  }
}
