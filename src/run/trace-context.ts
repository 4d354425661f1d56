import { hash } from 'node:crypto'
import type { Plan } from '../plan/plan.ts'
import type { CallEntry, RunState } from './state.ts'

/** Where a span belongs: whose trace, below what, and whether it is meant to be kept. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly trace_id: string
  /** 16 hexadecimal digits; null at the top of a trace. */
  readonly parent_id: string | null
  readonly sampled: boolean
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
  return { trace_id, parent_id, sampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

/**
 * The trace of a run: the one it was called in, else one whose id follows from its own, so that a run that is resumed
 * in another process goes on with the same trace.
 */
export function traceContextOf(state: RunState): TraceContext {
  const given = state.trace_parent === null ? null : parseTraceParent(state.trace_parent)
  return given ?? { trace_id: digest(`trace ${state.run_id}`, 32), parent_id: null, sampled: true }
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
  if (!plan.telemetry.tracing && state.trace_parent !== null) return state.trace_parent
  const { trace_id, sampled } = traceContextOf(state)
  return `00-${trace_id}-${callSpanId(call)}-${sampled && plan.telemetry.tracing ? '01' : '00'}`
}

function digest(text: string, digits: number): string {
  return hash('sha256', text).slice(0, digits)
}
