import { parseTraceState } from './trace-state.ts'

/** The place of a span: its trace, its parent, and whether it is sampled. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly trace_id: string
  /** 16 hexadecimal digits; null at the top of a trace. */
  readonly parent_id: string | null
  readonly sampled: boolean
  /** Whether the caller states that `trace_id` is random (Level 2); only passed on. */
  readonly random?: true
  /** W3C `tracestate`: data of other systems in the trace; only passed on. */
  readonly trace_state?: string
}

/** The caller's trace context, as a run's record stores it. */
export interface CallerTrace {
  readonly trace_parent?: string
  readonly trace_state?: string
}

/**
 * Returns the usable part of a caller's trace context: nothing without a valid `traceparent`, and a `tracestate`
 * only together with it (W3C Trace Context §4.3).
 */
export function callerTrace(traceParent: string | undefined, traceState: string | undefined): CallerTrace {
  if (traceParent === undefined || parseTraceParent(traceParent) === null) return {}
  const trace_state = traceState === undefined ? null : parseTraceState(traceState)
  return { trace_parent: traceParent, ...(trace_state !== null && { trace_state }) }
}

/**
 * Parses a W3C `traceparent`. An invalid one is not an error: it returns null, and a new trace begins. Fields that
 * later versions may add are ignored.
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
