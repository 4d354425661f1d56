import { hash } from 'node:crypto'
import type { Plan } from '../../plan/plan.ts'
import type { CallEntry, RunState } from '../state.ts'
import { parseTraceParent, type TraceContext } from './trace-context.ts'

/**
 * The trace of a run: its caller's trace, else one whose id is derived from the run's id. The ids of its spans are
 * derived from the run's id too, so a run that is resumed in another process continues the same trace, and the
 * trace can be rebuilt from the record. The ids need not be hard to guess, so one SHA-256 for each run is enough;
 * one for each span would be a tenth of the cost of an iteration.
 */
export class RunTrace {
  readonly context: TraceContext
  readonly #runId: string
  readonly #seedA: number
  readonly #seedB: number

  /** @param state of the run, after its first event */
  constructor({ run_id, trace_parent, trace_state }: RunState) {
    const given = trace_parent === null ? null : parseTraceParent(trace_parent)
    const digest = hash('sha256', run_id)
    this.context =
      given === null
        ? { trace_id: digest.slice(0, 32), parent_id: null, sampled: true }
        : { ...given, ...(trace_state !== null && { trace_state }) }
    this.#runId = run_id
    this.#seedA = Number.parseInt(digest.slice(32, 40), 16)
    this.#seedB = Number.parseInt(digest.slice(40, 48), 16)
  }

  /** Returns the span of a turn. */
  turnSpan(turn: number): string {
    return this.#span(`turn ${turn}`)
  }

  /** Returns the span of one attempt to get an answer from a model. */
  attemptSpan(n: number): string {
    return this.#span(`attempt ${n}`)
  }

  /** Returns the span of an operation that is recorded only when it is over. */
  factSpan(seq: number): string {
    return this.#span(`fact ${seq}`)
  }

  /** Returns the span of a call, which is the same each time it is sent. */
  callSpan({ key }: Pick<CallEntry, 'key'>): string {
    return this.#span(key.startsWith(this.#runId) ? key.slice(this.#runId.length) : key)
  }

  /**
   * Returns the `traceparent` of a request (W3C Trace Context; AAIF §4.7). An agent that is not traced passes on
   * its caller's, as the standard requires of components that take no part.
   */
  parentOf(plan: Plan, state: RunState, span: string): string {
    if (!plan.telemetry.tracing && state.trace_parent !== null) return state.trace_parent
    const { trace_id, sampled, random } = this.context
    const flags = (sampled && plan.telemetry.tracing ? 1 : 0) | (random === true ? 2 : 0)
    return `00-${trace_id}-${span}-0${flags}`
  }

  /**
   * Returns the `traceparent` header of a request, under the name that the definition gives it (AAIF §4.7). It
   * contains ids only.
   */
  parentHeader(plan: Plan, state: RunState, span: string): Readonly<Record<string, string>> {
    return { [plan.telemetry.trace_context_header]: this.parentOf(plan, state, span) }
  }

  /**
   * Returns the same with the caller's `tracestate`, for agents and tools. It is not sent to providers of models,
   * because it may hold data of other parties.
   */
  headers(plan: Plan, state: RunState, span: string): Readonly<Record<string, string>> {
    const own = this.parentHeader(plan, state, span)
    return state.trace_state === null ? own : { ...own, tracestate: state.trace_state }
  }

  /**
   * Returns 16 hexadecimal digits: two multiplicative hashes over the name, seeded by the run, each mixed into the
   * other.
   */
  #span(name: string): string {
    let a = this.#seedA
    let b = this.#seedB
    for (let i = 0; i < name.length; i++) {
      const code = name.charCodeAt(i)
      a = Math.imul(a ^ code, 0x9e3779b1)
      b = Math.imul(b ^ code, 0x5f356495)
    }
    a = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35)
    b = Math.imul(b ^ (b >>> 16), 0x85ebca6b) ^ Math.imul(a ^ (a >>> 13), 0xc2b2ae35)
    // The standard forbids a span id of zeros only.
    return hex(a) + hex(a === 0 && b === 0 ? 1 : b)
  }
}

const BYTES: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

function hex(n: number): string {
  return `${BYTES[n >>> 24]}${BYTES[(n >>> 16) & 255]}${BYTES[(n >>> 8) & 255]}${BYTES[n & 255]}`
}
