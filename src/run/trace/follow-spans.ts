import type { Plan, Program } from '../../plan/plan.ts'
import { apply } from '../apply.ts'
import type { RunEvent } from '../event.ts'
import { initialState } from '../initial-state.ts'
import type { TelemetryPort } from '../ports.ts'
import type { RunState } from '../state.ts'
import { measurementsOf } from './measurements.ts'
import { foldSpans, type OpenSpans } from './spans.ts'

/**
 * Reports a run and its sub-agents' runs as their events arrive, each agent to its own port, if it has one.
 * @param history by run id, the recorded events of a run that is continued: its open spans are derived from them
 * @returns a function to call with each event and the state after it
 */
export function followSpans(
  program: Pick<Program, 'family'>,
  portOf: (plan: Plan) => Omit<TelemetryPort, 'close'> | undefined,
  history: ReadonlyMap<string, readonly RunEvent[]>,
): (event: RunEvent, state: RunState) => void {
  const plans = new Map([...program.family.values()].map(({ hash, plan }) => [hash, plan]))
  const planOf = (definition: string) => program.family.get(definition)?.plan
  const runs = new Map<string, OpenSpans>()
  return (event, state) => {
    const plan = plans.get(state.plan_hash)
    const port = plan === undefined ? undefined : portOf(plan)
    if (plan === undefined || port === undefined) return
    const before = runs.get(state.run_id) ?? openBefore(plan, planOf, event, state, history)
    const { open, ended } = foldSpans(plan, planOf, before, event, state)
    if (open.run === null) runs.delete(state.run_id)
    else runs.set(state.run_id, open)
    for (const span of ended) {
      if (plan.telemetry.tracing) port.span(span)
      if (plan.telemetry.metrics) for (const one of measurementsOf(plan.agent_id, span)) port.measure(one)
    }
  }
}

/** Returns the spans that are open before the first new event; a turn begins without open spans. */
function openBefore(
  plan: Plan,
  planOf: (definition: string) => Plan | undefined,
  { seq, fact }: RunEvent,
  state: RunState,
  history: ReadonlyMap<string, readonly RunEvent[]>,
): OpenSpans | null {
  if (fact.type === 'run.started' || fact.type === 'user.said') return null
  let open: OpenSpans | null = null
  let past = initialState(state.run_id, state.agent_id, state.plan_hash)
  for (const event of history.get(state.run_id) ?? []) {
    if (event.seq >= seq) break
    past = apply(past, event)
    open = foldSpans(plan, planOf, open, event, past).open
  }
  return open
}
