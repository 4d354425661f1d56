import type { Program } from '../plan/plan.ts'
import { advance, type Step } from './advance.ts'
import type { Effect, Fact } from './event.ts'
import { initialState } from './initial-state.ts'
import type { RunEnd } from './state.ts'

/** Limit of simulated facts: sub-agents of a group may call one another. */
const MOST_STEPS = 1000

/**
 * Returns the end that every run of this program reaches without a model request, or null if a run sends one. It is
 * the decision of the run itself, for an input that fits: the core gets the facts of a run in which the sub-agents
 * that can work answer, and those that cannot work fail.
 */
export function earlyEnd(program: Program): RunEnd | null {
  return endOf(program, new Set([program]))
}

/** @param above the agents that wait for this one: a circle of agents ends by its own limits, so it is not followed */
function endOf(program: Program, above: ReadonlySet<Program>): RunEnd | null {
  const { plan, hash } = program
  if (dependsOnInput(program)) return null
  let step: Step | null = advance(
    program,
    initialState('plan', plan.agent_id, hash),
    { type: 'run.started', input: null, fits: true },
    0,
  )
  const waiting: Fact[] = []
  for (let taken = 0; step !== null && taken < MOST_STEPS; taken += 1) {
    const { state, effects }: Step = step
    if (state.end !== null) return isCertain(state.end) ? state.end : null
    for (const effect of effects) {
      const fact = factOf(effect, state.turn, program, above)
      // A model is asked, or something outside decides: this run is more than its plan.
      if (fact === null) return null
      waiting.push(fact)
    }
    const next = waiting.shift()
    if (next === undefined) return null
    step = advance(program, state, next, 0)
  }
  return null
}

/** Whether conditions on the input decide which sub-agents begin; a refused agent ends for every input. */
function dependsOnInput({ plan, when }: Program): boolean {
  const mode = plan.orchestration?.mode
  return (mode === 'swarm' || mode === 'router') && when.size > 0 && plan.refusals.length === 0
}

/** The output of a sub-agent is not known here, so it cannot be wrong. */
function isCertain({ status, error }: RunEnd): boolean {
  return status !== 'completed' && error?.code !== 'OUTPUT_INVALID'
}

function factOf(effect: Effect, turn: number, program: Program, above: ReadonlySet<Program>): Fact | null {
  if (effect.type === 'recall') return { type: 'memory.read', turn, items: [], latency_ms: 0 }
  if (effect.type !== 'agent' || effect.call.agent === undefined) return null
  const { id: call_id, agent } = effect.call
  const called = program.family.get(agent.definition)
  const end = called === undefined || above.has(called) ? null : endOf(called, new Set([...above, called]))
  if (end?.error === undefined) {
    // Only a pipeline certainly reaches its next step; elsewhere the answers decide what follows.
    return program.plan.orchestration?.mode === 'pipeline'
      ? { type: 'call.answered', call_id, result: null, fits: true, latency_ms: 0 }
      : null
  }
  const { code, message } = end.error
  return { type: 'call.failed', call_id, code, message, outcome: 'answered', latency_ms: 0 }
}
