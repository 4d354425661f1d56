import assert from 'node:assert/strict'
import { compileProgram } from '../../src/plan/compile-program.ts'
import type { Plan, PlannedTool, Program } from '../../src/plan/plan.ts'
import { advance, type Step } from '../../src/run/advance.ts'
import type { Decision, Fact, FactOf } from '../../src/run/event.ts'
import { initialState } from '../../src/run/initial-state.ts'
import type { ModelAnswer, RouteSight } from '../../src/run/ports.ts'
import type { CallEntry, RunEnd, RunState, ToolCall } from '../../src/run/state.ts'

export const START: Fact = { type: 'run.started', input: 'hello' }

/** Returns the state of a run after these facts, one millisecond apart; each of them must matter. */
export function stateAfter(program: Program, facts: readonly Fact[], at = 0): RunState {
  let state = initialState('run-1', program.plan.agent_id, program.hash)
  for (const fact of facts) {
    const step: Step | null = advance(program, state, fact, at + state.seq)
    assert.ok(step !== null, `${fact.type} does not matter here`)
    state = step.state
  }
  return state
}

/** Returns the core's decision about a fact in a state, or null if the fact does not matter. */
export function decisionOn(
  program: Program,
  state: RunState,
  fact: Fact,
  { at = state.at, sights }: { readonly at?: number; readonly sights?: readonly RouteSight[] } = {},
): Decision | null {
  return advance(program, state, fact, at, sights)?.event.decision ?? null
}

/** Returns the answer of a model to the run's attempt number `attempt`. */
export function answered(attempt: number, answer: ModelAnswer): FactOf<'model.answered'> {
  const { message, finish, usage, warnings } = answer
  const counted = { input_tokens: 0, output_tokens: 0, ...usage }
  return { type: 'model.answered', attempt, message, finish, usage: counted, warnings, latency_ms: 1 }
}

/** A state with these members; the others are those of a run that has not begun. */
export function stateWith(members: Partial<RunState>): RunState {
  return { ...initialState('run-1', 'agent-1', 'hash-1'), seq: 5, turn: 1, ...members }
}

/** A call `a` of the tool `send` that must not be repeated and is on its way, with these members in place of its own. */
export function callWith(members: Partial<CallEntry> = {}): CallEntry {
  return {
    id: 'a',
    tool: 'send',
    args: { x: 1 },
    key: 'run-1:1.1:a',
    effect: 'once',
    status: 'sent',
    ...members,
  }
}

/** The same program with these members of its plan in place of its own. */
export function withPlan({ plan, family }: Program, members: Partial<Plan>): Program {
  const others = [...family.values()].map((member) => member.plan)
  return compileProgram(
    { ...plan, ...members },
    others.filter(({ definition_hash }) => definition_hash !== plan.definition_hash),
  )
}

/** The same program with other members of one tool. */
export function withTool(program: Program, name: string, members: Partial<PlannedTool>): Program {
  return withPlan(program, {
    tools: program.plan.tools.map((tool) => (tool.name === name ? { ...tool, ...members } : tool)),
  })
}

/** The call `a` of a tool, as a model makes it. */
export function toolCall(tool: string, members: Partial<ToolCall> = {}): ToolCall {
  return { id: 'a', tool, args: { x: 1 }, ...members }
}

export function started(members: Partial<FactOf<'run.started'>> = {}): FactOf<'run.started'> {
  return { type: 'run.started', input: 'hello', ...members }
}

export const END: RunEnd = { status: 'completed', stop_reason: 'final', output: 'x' }
/** A judge of constraints, as a member of a plan. */
export const JUDGE = { judge: { provider: 'openai', model: 'judge' } }
/** Asks a person about each call, as a member of an agent. */
export const ASKS = { compliance: { human_in_the_loop: { enabled: true } } }
