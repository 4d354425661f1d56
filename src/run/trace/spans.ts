import { defined } from '../../document/defined.ts'
import { ownMember } from '../../document/own-member.ts'
import type { Plan } from '../../plan/plan.ts'
import type { Fact, RunEvent } from '../event.ts'
import { entriesToSearch, memoryAct, usableMemory } from '../kept-items.ts'
import type { Span, SpanAttributes, SpanName } from '../ports.ts'
import type { CallEntry, RunState } from '../state.ts'
import { RunTrace } from './run-trace.ts'
import {
  answerAttributes,
  attemptAttributes,
  handoffAttributes,
  judgeAttributes,
  memoryAttributes,
  runAttributes,
  runEndAttributes,
  toolAttributes,
  toolCallAttributes,
} from './span-attributes.ts'

/** The spans of one run that are open. */
export interface OpenSpans {
  readonly trace: RunTrace
  readonly run: Span | null
  /** What the run had used before this turn. */
  readonly before: RunState['totals']
  readonly attempt: Span | null
  readonly calls: readonly OpenCall[]
  /** Time of the last event; a crash happens after it. */
  readonly at: number
}

interface OpenCall {
  readonly id: string
  /** The ended span of a call that failed and that a person must decide about. */
  readonly span: Span
}

export interface SpanStep {
  readonly open: OpenSpans
  readonly ended: readonly Span[]
}

/**
 * Folds one event into the spans of its run (AAIF §4.7). Spans and their ids are derived from the record alone, so
 * a run that is resumed in another process continues its trace, and the trace of any run can be rebuilt later.
 * @param before null at the first event of a run
 * @param state after the event
 * @param planOf returns the plan of a sub-agent by its `definition_hash`
 */
export function foldSpans(
  plan: Plan,
  planOf: (definition: string) => Plan | undefined,
  before: OpenSpans | null,
  event: RunEvent,
  state: RunState,
): SpanStep {
  const fold = new SpanFold(plan, planOf, before, event, state)
  return fold.step()
}

/** Returns all open spans in their current state. */
export function openSpansOf({ run, attempt, calls }: OpenSpans): readonly Span[] {
  return [
    ...(run === null ? [] : [run]),
    ...(attempt === null ? [] : [attempt]),
    ...calls.map(({ span }) => span),
  ]
}

class SpanFold {
  readonly #plan: Plan
  readonly #planOf: (definition: string) => Plan | undefined
  readonly #event: RunEvent
  readonly #state: RunState
  readonly #trace: RunTrace
  readonly #ended: Span[] = []
  readonly #last: number
  #run: Span | null
  #before: RunState['totals']
  #attempt: Span | null
  #calls: readonly OpenCall[]

  constructor(
    plan: Plan,
    planOf: (definition: string) => Plan | undefined,
    before: OpenSpans | null,
    event: RunEvent,
    state: RunState,
  ) {
    this.#plan = plan
    this.#planOf = planOf
    this.#event = event
    this.#state = state
    this.#trace = before?.trace ?? new RunTrace(state)
    this.#run = before?.run ?? null
    this.#before = before?.before ?? state.totals
    this.#attempt = before?.attempt ?? null
    this.#calls = before?.calls ?? []
    this.#last = before?.at ?? event.at
  }

  step(): SpanStep {
    const { fact, decision, at } = this.#event
    // A restored run is a span of its own: the spans of the captured run belong to its platform.
    const begins = fact.type === 'run.started' || fact.type === 'user.said' || fact.type === 'run.restored'
    if (begins) this.#beginTurn()
    this.#endAttempt(fact)
    this.#endCalls()
    this.#past(fact)
    for (const call of [...(decision.calls ?? []), ...(decision.add ?? [])]) this.#beginCall(call)
    if (decision.replace !== undefined) this.#beginCall(decision.replace)
    if (decision.set !== undefined) {
      for (const call of this.#state.calls)
        if (ownMember(decision.set, call.id) === 'sent') this.#beginCall(call)
    }
    if (decision.attempt !== undefined) this.#beginAttempt()
    if (decision.end !== undefined) this.#endTurn()
    return {
      open: {
        trace: this.#trace,
        run: this.#run,
        before: this.#before,
        attempt: this.#attempt,
        calls: this.#calls,
        at,
      },
      ended: this.#ended,
    }
  }

  #begin(
    name: SpanName,
    span_id: string,
    parent_id: string | null,
    attributes: SpanAttributes,
    start = this.#event.at,
  ): Span {
    return {
      trace_id: this.#trace.context.trace_id,
      span_id,
      parent_id,
      sampled: this.#trace.context.sampled,
      name,
      kind: name === 'aaif.agent.llm_call' ? 'client' : 'internal',
      start,
      end: null,
      attributes,
    }
  }

  #end(span: Span, error?: string, more?: SpanAttributes, at = this.#event.at): void {
    this.#ended.push({
      ...span,
      end: span.end ?? Math.max(at, span.start),
      ...(more !== undefined && { attributes: { ...span.attributes, ...more } }),
      ...defined({ error }),
    })
  }

  #beginTurn(): void {
    const parent = this.#trace.context.parent_id
    this.#run = this.#begin(
      'aaif.agent.run',
      this.#trace.turnSpan(this.#state.turn),
      parent,
      runAttributes(this.#plan, this.#state),
    )
    this.#before = this.#state.totals
  }

  #beginAttempt(): void {
    const { attempt } = this.#event.decision
    const route = attempt === undefined ? undefined : this.#plan.models[attempt.route]
    if (attempt === undefined || route === undefined) return
    this.#attempt = this.#begin(
      'aaif.agent.llm_call',
      this.#trace.attemptSpan(attempt.n),
      this.#run?.span_id ?? null,
      attemptAttributes(this.#plan, route, attempt.retry),
      this.#event.at + attempt.delay_ms,
    )
  }

  #endAttempt(fact: Fact): void {
    const span = this.#attempt
    if (span === null) return
    switch (fact.type) {
      case 'model.answered': {
        const { usage, finish } = fact
        this.#end(span, undefined, answerAttributes(usage, finish, this.#event.decision.cost_usd))
        break
      }
      case 'model.failed':
        this.#end(span, fact.code)
        break
      case 'run.paused':
        this.#end(span, 'interrupted')
        break
      case 'run.resumed':
        // The process that asked has died, some time after its last recorded event.
        this.#end(span, 'interrupted', undefined, this.#last)
        break
      default:
        return
    }
    this.#attempt = null
  }

  #beginCall(call: CallEntry): void {
    if (call.status !== 'sent') return
    const known = this.#calls.find(({ id }) => id === call.id)
    if (known !== undefined) {
      // Sent again: the same call, whose span continues.
      const { end: _end, error: _error, ...span } = known.span
      this.#calls = this.#calls.map((open) =>
        open === known ? { id: open.id, span: { ...span, end: null } } : open,
      )
      return
    }
    const parent = this.#run?.span_id ?? null
    const [name, attributes] = this.#kindOf(call)
    this.#calls = [
      ...this.#calls,
      { id: call.id, span: this.#begin(name, this.#trace.callSpan(call), parent, attributes) },
    ]
  }

  #kindOf(call: CallEntry): readonly [SpanName, SpanAttributes] {
    // A call by the model is a tool call, even if an agent answers it.
    if (call.agent !== undefined && this.#state.stage !== null)
      return ['aaif.agent.handoff', this.#handoff(call)]
    const tool = this.#plan.tools.find(({ name }) => name === call.tool)
    const act = memoryAct(tool)
    if (act === null) return ['aaif.agent.tool_call', toolAttributes(this.#plan, tool, call)]
    return [
      act === 'save' ? 'aaif.agent.memory_write' : 'aaif.agent.memory_read',
      { ...toolCallAttributes(call), ...memoryAttributes(entriesToSearch(this.#plan, call.args)) },
    ]
  }

  #handoff({ agent }: CallEntry): SpanAttributes {
    return agent === undefined ? {} : handoffAttributes(agent, this.#planOf(agent.definition))
  }

  #endCalls(): void {
    if (this.#calls.length === 0) return
    const { fact, decision } = this.#event
    const { done, replace, cancel, set } = decision
    if (done !== undefined) this.#endCall(done.call_id, done.error === true ? errorOf(fact) : undefined)
    if (replace !== undefined) this.#endCall(replace.id, errorOf(fact))
    for (const id of cancel ?? []) this.#endCall(id, 'cancelled')
    if (set === undefined) return
    // Its outcome is unknown: the span ends here, and is emitted when a person has decided about it.
    const [end, error] =
      fact.type === 'call.failed'
        ? [this.#event.at, fact.code]
        : [fact.type === 'drain.passed' ? this.#event.at : this.#last, 'interrupted']
    this.#calls = this.#calls.map((open) =>
      ownMember(set, open.id) === 'unknown' ? { ...open, span: { ...open.span, end, error } } : open,
    )
  }

  #endCall(id: string, error: string | undefined): void {
    const open = this.#calls.find((call) => call.id === id)
    if (open === undefined) return
    this.#calls = this.#calls.filter((call) => call !== open)
    const { error: before, ...span } = open.span
    this.#end(span, error === undefined ? undefined : (before ?? error))
  }

  /** Emits spans for facts that are recorded only on completion; the start is derived from `latency_ms`. */
  #past(fact: Fact): void {
    if (fact.type !== 'memory.read' && fact.type !== 'judge.answered' && fact.type !== 'judge.failed') return
    const id = this.#trace.factSpan(this.#event.seq)
    const parent = this.#run?.span_id ?? null
    const start = this.#event.at - fact.latency_ms
    if (fact.type === 'memory.read') {
      const attributes = memoryAttributes(usableMemory(this.#plan))
      this.#end(
        this.#begin('aaif.agent.memory_read', id, parent, attributes, start),
        fact.warnings?.[0]?.code,
      )
      return
    }
    const { judge } = this.#plan
    if (judge === undefined) return
    const span = this.#begin(
      'aaif.agent.llm_call',
      id,
      parent,
      attemptAttributes(this.#plan, judge, 0),
      start,
    )
    if (fact.type === 'judge.failed') this.#end(span, 'judge_failed')
    else this.#end(span, undefined, judgeAttributes(fact.usage))
  }

  #endTurn(): void {
    const { end } = this.#event.decision
    if (end === undefined) return
    const cut = end.error?.code ?? 'cancelled'
    if (this.#attempt !== null) this.#end(this.#attempt, cut)
    for (const { span } of this.#calls) this.#end(span, span.error ?? cut)
    if (this.#run !== null) {
      const more = runEndAttributes(this.#plan, this.#state, end, this.#before)
      this.#end(this.#run, end.status === 'completed' ? undefined : cut, more)
    }
    this.#run = null
    this.#attempt = null
    this.#calls = []
  }
}

function errorOf(fact: Fact): string {
  switch (fact.type) {
    case 'call.failed':
      return fact.code
    case 'person.decided':
      return 'denied'
    default:
      // It answered, but its answer does not match the schema.
      return 'answer_invalid'
  }
}
