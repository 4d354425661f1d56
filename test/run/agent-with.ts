import assert from 'node:assert/strict'
import type { Json, JsonObject } from '../../src/document/json.ts'
import { compileProgram } from '../../src/plan/compile-program.ts'
import type { Program } from '../../src/plan/plan.ts'
import type { PlannedOrchestration, PlannedSubagent } from '../../src/plan/planned-orchestration.ts'
import type { AgentCall, CallEntry, RunState } from '../../src/run/state.ts'
import { callWith, stateWith } from './core.ts'
import { planOf } from './fixture.ts'

const WORKER = planOf({ tools: [] })

export function named(alias: string, members: Partial<PlannedSubagent> = {}): PlannedSubagent {
  return { ref: alias, alias, agent: WORKER.definition_hash, ...members }
}

export const GONE: PlannedSubagent = { ref: 'gone.json', alias: 'gone' }
export const ALL = [named('a'), named('b'), named('c'), named('judge'), GONE]

/** An agent with the sub-agents a, b, c and judge, and `gone`, which cannot be called. */
export function agentWith(
  orchestration: Partial<PlannedOrchestration>,
  { rehearsal = false, subagents = ALL, output }: Options = {},
): Program {
  const plan = planOf({ tools: [], ...(output !== undefined && { io: { output_schema: output } }) })
  const own: PlannedOrchestration = {
    mode: 'swarm',
    steps: [],
    workers: ['a', 'b', 'c'],
    max_parallel: 9,
    handoffs: [],
    ...orchestration,
  }
  const definition_hash = 'b'.repeat(64)
  return compileProgram({ ...plan, definition_hash, rehearsal, subagents, orchestration: own }, [WORKER])
}

export interface Options {
  readonly rehearsal?: boolean
  readonly subagents?: readonly PlannedSubagent[]
  readonly output?: JsonObject
}

export function orchestrationOf({ plan }: Program): PlannedOrchestration {
  assert.ok(plan.orchestration !== undefined)
  return plan.orchestration
}

export const AGENT: AgentCall = {
  alias: 'a',
  definition: WORKER.definition_hash,
  run_id: 'run-2',
  input: 'go',
  pass_context: false,
  limits: {},
}

export function worker(tool: string, members: Partial<CallEntry> = {}): CallEntry {
  return callWith({ id: tool, tool, effect: 'idempotent', agent: { ...AGENT, alias: tool }, ...members })
}

export const answered = (tool: string, result: Json = `from ${tool}`) =>
  worker(tool, { status: 'done', result })
export const failed = (tool: string) => worker(tool, { status: 'done', result: 'it broke', error: true })
export const state = (members: Partial<RunState> = {}) => stateWith({ input: 'go', ...members })
