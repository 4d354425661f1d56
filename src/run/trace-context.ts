import { hash } from 'node:crypto'
import type { Plan } from '../plan/plan.ts'
import type { CallEntry, RunState } from './state.ts'
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

/**
 * The trace of a run: the one it was called in, else one whose id follows from its own, so that a run that is resumed
 * in another process goes on with the same trace.
 */
export function traceContextOf(state: RunState): TraceContext {
  const given = state.trace_parent === null ? null : parseTraceParent(state.trace_parent)
  if (given !== null)
    return { ...given, ...(state.trace_state !== null && { trace_state: state.trace_state }) }
  return { trace_id: digest(`trace ${state.run_id}`, 32), parent_id: null, sampled: true }
}

/** The span of a turn of a run. */
export function runSpanId(state: RunState): string {
  return digest(`turn ${state.run_id} ${state.turn}`, 16)
}

/** The span of one attempt to get an answer from a model. */
export function attemptSpanId(runId: string, n: number): string {
  return digest(`attempt ${runId} ${n}`, 16)
}

/** The span of something that is known only when it is over. */
export function factSpanId(runId: string, seq: number): string {
  return digest(`fact ${runId} ${seq}`, 16)
}

/** The span of a call, however often it is sent. */
export function callSpanId({ key }: Pick<CallEntry, 'key'>): string {
  return digest(`call ${key}`, 16)
}

/**
 * The `traceparent` of a call that is about to leave (W3C Trace Context; AAIF §4.7). An agent that is not traced hands
 * on what it was given, as the standard asks of those who take no part.
 */
export function callTraceParent(plan: Plan, state: RunState, call: CallEntry): string {
  return traceParentOf(plan, state, callSpanId(call))
}

/**
 * The headers by which whoever is asked, a tool or a model, learns the trace and the span that asks: the `traceparent`
 * under the name that the definition gives it (AAIF §4.7), and the caller's `tracestate`.
 */
export function traceHeaders(plan: Plan, state: RunState, span: string): Readonly<Record<string, string>> {
  return {
    [plan.telemetry.trace_context_header]: traceParentOf(plan, state, span),
    ...(state.trace_state !== null && { tracestate: state.trace_state }),
  }
}

function traceParentOf(plan: Plan, state: RunState, span: string): string {
  if (!plan.telemetry.tracing && state.trace_parent !== null) return state.trace_parent
  const { trace_id, sampled, random } = traceContextOf(state)
  const flags = (sampled && plan.telemetry.tracing ? 1 : 0) | (random === true ? 2 : 0)
  return `00-${trace_id}-${span}-0${flags}`
}

function digest(text: string, digits: number): string {
  return hash('sha256', text).slice(0, digits)
}
