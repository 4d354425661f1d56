import type { Plan } from '../../plan/plan.ts'
import { apply } from '../apply.ts'
import type { RunEvent } from '../event.ts'
import type { Span } from '../ports.ts'
import type { RunStore } from '../record/run-store.ts'
import { initialState } from '../state.ts'
import { foldSpans, type OpenSpans, openSpansOf } from './spans.ts'

export interface RecordedTrace {
  readonly spans: readonly Span[]
  /** Time of the last event on record: as far as spans are known that have not ended. */
  readonly until: number
  /** Agents that took part and asked not to be traced. */
  readonly untraced: readonly string[]
}

/** The spans of a run and of its sub-agents' runs, made again from their records. */
export function readTrace(store: RunStore, runId: string): RecordedTrace {
  const { header, plan, family } = store.read(runId)
  const events = store.events(runId)
  const planOf = planFinder(plan, family)
  let open: OpenSpans | null = null
  let state = initialState(header.run_id, header.agent_id, header.plan_hash)
  const spans: Span[] = []
  const called = new Set<string>()
  for (const event of events) {
    state = apply(state, event)
    const step: ReturnType<typeof foldSpans> = foldSpans(plan, planOf, open, event, state)
    open = step.open
    spans.push(...step.ended)
    for (const id of agentRunsOf(event)) called.add(id)
  }
  if (open !== null) spans.push(...openSpansOf(open))
  const traced = plan.telemetry.tracing
  const parts = [...called].flatMap((id) => (store.has(id) ? [readTrace(store, id)] : []))
  return {
    spans: [...(traced ? spans : []), ...parts.flatMap((part) => part.spans)],
    until: Math.max(state.at, ...parts.map((part) => part.until)),
    untraced: [...(traced ? [] : [plan.agent_name]), ...parts.flatMap((part) => part.untraced)],
  }
}

function planFinder(plan: Plan, family: readonly Plan[]): (definition: string) => Plan | undefined {
  return (definition) => [plan, ...family].find((member) => member.definition_hash === definition)
}

function agentRunsOf({ decision: { calls = [], add = [], replace } }: RunEvent): readonly string[] {
  return [...calls, ...add, ...(replace === undefined ? [] : [replace])].flatMap(({ agent }) =>
    agent === undefined ? [] : [agent.run_id],
  )
}
