import { hash } from 'node:crypto'
import type { Plan } from '../../plan/plan.ts'
import type { CallEntry, RunState } from '../state.ts'
import { parseTraceParent, type TraceContext } from './trace-context.ts'

/**
 * The trace of a run: the one it was called in, else one whose id follows from its own. The ids of its spans follow
 * from its id too, so that a run that is resumed in another process goes on with the same trace, and its record alone
 * draws it. Nothing rests on their being hard to guess: so one SHA-256 for each run is enough, where one for each span
 * would be a tenth of what an iteration costs.
 */
export class RunTrace {
  readonly context: TraceContext
  readonly #runId: string
  readonly #seedA: number
  readonly #seedB: number

  /** @param state of the run, once its first event is in it */
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

  /** The span of a turn. */
  turnSpan(turn: number): string {
    return this.#span(`turn ${turn}`)
  }

  /** The span of one attempt to get an answer from a model. */
  attemptSpan(n: number): string {
    return this.#span(`attempt ${n}`)
  }

  /** The span of something that is known only when it is over. */
  factSpan(seq: number): string {
    return this.#span(`fact ${seq}`)
  }

  /** The span of a call, however often it is sent. */
  callSpan({ key }: Pick<CallEntry, 'key'>): string {
    return this.#span(key.startsWith(this.#runId) ? key.slice(this.#runId.length) : key)
  }

  /**
   * The `traceparent` of what is about to leave (W3C Trace Context; AAIF §4.7). An agent that is not traced hands on
   * what it was given, as the standard asks of those who take no part.
   */
  parentOf(plan: Plan, state: RunState, span: string): string {
    if (!plan.telemetry.tracing && state.trace_parent !== null) return state.trace_parent
    const { trace_id, sampled, random } = this.context
    const flags = (sampled && plan.telemetry.tracing ? 1 : 0) | (random === true ? 2 : 0)
    return `00-${trace_id}-${span}-0${flags}`
  }

  /**
   * The header by which whoever is asked learns the trace and the span that asks: the `traceparent` under the name
   * that the definition gives it (AAIF §4.7). It says nothing but ids.
   */
  parentHeader(plan: Plan, state: RunState, span: string): Readonly<Record<string, string>> {
    return { [plan.telemetry.trace_context_header]: this.parentOf(plan, state, span) }
  }

  /**
   * The same with the caller's `tracestate`, for those who take part in the work. A provider of models does not: what
   * others say of themselves in it is none of its business.
   */
  headers(plan: Plan, state: RunState, span: string): Readonly<Record<string, string>> {
    const own = this.parentHeader(plan, state, span)
    return state.trace_state === null ? own : { ...own, tracestate: state.trace_state }
  }

  /** 16 hexadecimal digits: two multiplicative hashes over the name, seeded by the run, each mixed into the other. */
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
    // The standard knows no span of zeros.
    return hex(a) + hex(a === 0 && b === 0 ? 1 : b)
  }
}

const BYTES: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

function hex(n: number): string {
  return `${BYTES[n >>> 24]}${BYTES[(n >>> 16) & 255]}${BYTES[(n >>> 8) & 255]}${BYTES[n & 255]}`
}
