import type { Plan } from '../../plan/plan.ts'
import { apply } from '../apply.ts'
import type { RunEvent } from '../event.ts'
import { initialState } from '../initial-state.ts'
import type { Span } from '../ports.ts'
import type { Records } from '../record/records.ts'
import { foldSpans, type OpenSpans, openSpansOf } from './spans.ts'

export interface RecordedTrace {
  readonly spans: readonly Span[]
  /** Time of the last event on record: the known end of spans that have not ended. */
  readonly until: number
  /** Agents that took part and disabled tracing. */
  readonly untraced: readonly string[]
}

/** Derives the spans of a run and of its sub-agents' runs from their records. */
export async function readTrace(records: Pick<Records, 'runs'>, runId: string): Promise<RecordedTrace> {
  const { header, plan, family } = await records.runs.read(runId)
  const events = await records.runs.events(runId)
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
  const parts: RecordedTrace[] = []
  for (const id of called) if (await records.runs.has(id)) parts.push(await readTrace(records, id))
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
