import type { Program } from '../plan/plan.ts'
import { apply } from './apply.ts'
import { decide } from './decide/decide.ts'
import type { Effect, Fact, RunEvent } from './event.ts'
import type { RouteSight } from './ports.ts'
import type { CallEntry, RunState } from './state.ts'
import { asksPerson } from './unsettled.ts'

export interface Step {
  readonly state: RunState
  readonly event: RunEvent
  readonly effects: readonly Effect[]
}

/**
 * The core of a run: takes a fact and returns the new state, the event to record and the effects to perform.
 * `advance = decide + apply + effectsOf`. The event must be on record before its effects are performed,
 * except questions to models.
 * @param sights the observations of each route of the plan
 * @returns null if the fact no longer matters and there is nothing to record
 */
export function advance(
  program: Program,
  state: RunState,
  fact: Fact,
  at: number,
  sights?: readonly RouteSight[],
): Step | null {
  const decision = decide(program, state, fact, { at, sights })
  if (decision === null) return null
  const event: RunEvent = { seq: state.seq + 1, at, fact, decision }
  const next = apply(state, event)
  return { state: next, event, effects: effectsOf(next, event) }
}

function effectsOf(state: RunState, { fact, decision }: RunEvent): readonly Effect[] {
  // What follows from it is due with the fact that resumes the run.
  if (fact.type === 'record.copied') return []
  const effects: Effect[] = []
  if (decision.abort !== undefined) effects.push({ type: 'abort', what: decision.abort })
  if (decision.recall === true) effects.push({ type: 'recall' })
  if (decision.attempt !== undefined) effects.push({ type: 'model', attempt: decision.attempt })
  if (decision.review !== undefined && decision.review !== null)
    effects.push({ type: 'judge', review: decision.review })
  for (const call_id of decision.cancel ?? []) effects.push({ type: 'cancel', call_id })
  for (const call of callsConcerned(state, fact, decision)) {
    if (call.status === 'sent' && call.agent === undefined) effects.push({ type: 'tool', call })
    else if (call.status === 'sent')
      effects.push({ type: 'agent', call, ...(state.ending !== null && { cancelled: true as const }) })
    else if (asksPerson(call)) effects.push({ type: 'ask', call })
  }
  return effects
}

function callsConcerned(state: RunState, fact: Fact, decision: RunEvent['decision']): readonly CallEntry[] {
  // After a restart no call is in flight: open calls are sent again, where that is safe, or a person is asked
  // again.
  if (fact.type === 'run.resumed') return state.calls
  if (decision.calls !== undefined) return state.calls
  const { set, add, replace, judged } = decision
  const changed = Object.keys(set ?? {})
  return [
    ...(changed.length === 0 ? [] : state.calls.filter(({ id }) => changed.includes(id))),
    ...(add === undefined ? [] : add),
    ...(replace === undefined ? [] : [replace]),
    ...(judged ?? []),
  ]
}
