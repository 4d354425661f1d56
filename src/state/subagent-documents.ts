import type { PlannedSubagent } from '../plan/planned-orchestration.ts'
import { callSubagent, subagentNamed } from '../run/decide/agent-call.ts'
import type { CallEntry, RunState, Stage } from '../run/state.ts'
import type { AgentState, PendingToolCall, SubagentState } from '../spec/aaif/generated/state.ts'
import type { Fidelity } from './fidelity.ts'
import type { RestoreOptions } from './restore-options.ts'
import { stepCalls } from './restore-position.ts'

type Documents = Pick<RestoreOptions, 'program' | 'documents'>

/** A sub-agent of a state, with what continues it here. */
interface Linked {
  readonly entry: SubagentState
  readonly subagent: PlannedSubagent
  readonly document: AgentState
}

/** Returns the own state of a sub-agent, which the state of its caller names by its `state_id` (AAIF §8.1). */
export function subagentDocument(
  { subagent_states = [] }: AgentState,
  alias: string,
  { program, documents = [] }: Documents,
): AgentState | undefined {
  const entry = subagent_states.find((one) => one.alias === alias)
  if (entry?.state_id === undefined) return undefined
  const document = documents.find(({ state_id }) => state_id === entry.state_id)
  const own = program.family.get(subagentNamed(program, alias)?.agent ?? '')
  return document !== undefined && document.agent_id === own?.plan.agent_id ? document : undefined
}

/** The sub-agents that had not ended, are declared here, and have a state of their own. */
function linkedOf(state: AgentState, options: Documents): readonly Linked[] {
  const { subagent_states = [] } = state
  return subagent_states.flatMap((entry): readonly Linked[] => {
    if (hasEnded(entry) || entry.output !== undefined) return []
    const subagent = subagentNamed(options.program, entry.alias)
    const document = subagentDocument(state, entry.alias, options)
    return subagent === undefined || document === undefined ? [] : [{ entry, subagent, document }]
  })
}

function hasEnded({ status }: SubagentState): boolean {
  return status === 'completed' || status === 'failed'
}

/**
 * Returns a state of another platform in which the calls of sub-agents that the own model makes are pending: the platform
 * names the sub-agents, and need not name the calls.
 */
export function withAgentCalls(state: AgentState, options: Documents): AgentState {
  const { program } = options
  if (program.plan.orchestration?.mode !== 'model') return state
  const { pending_tool_calls: pending = [] } = state
  const missing = linkedOf(state, options).flatMap(({ entry }): readonly PendingToolCall[] => {
    const tool = program.plan.tools.find(({ agent, gate }) => agent === entry.alias && gate !== 'deny')
    if (tool === undefined || pending.some(({ tool_name }) => tool_name === tool.name)) return []
    const id = `subagent_${entry.alias}`
    return [{ id, tool_name: tool.name, arguments: { task: '' }, status: 'in_flight' }]
  })
  return missing.length === 0 ? state : { ...state, pending_tool_calls: [...pending, ...missing] }
}

/**
 * Returns the stage and the calls of the topology of a state that another platform captured: the sub-agent of the current
 * step; or, of agents that work in parallel, each with its answer or its own state.
 */
export function topologyCalls(
  document: AgentState,
  state: RunState,
  options: Documents,
): { readonly stage: Stage | null; readonly calls: readonly CallEntry[] } {
  const { program } = options
  const { mode, steps = [], workers = [] } = program.plan.orchestration ?? {}
  const linked = linkedOf(document, options)
  if (mode === 'pipeline') {
    const stage = state.stage ?? stageOf(linked, steps)
    return { stage, calls: stepCalls(document, { ...state, stage }, program) }
  }
  if ((mode !== 'swarm' && mode !== 'router') || linked.length === 0) return { stage: state.stage, calls: [] }
  const { subagent_states = [] } = document
  const calls = workers.flatMap((alias, index): readonly CallEntry[] => {
    const entry = subagent_states.find((one) => one.alias === alias)
    const subagent = subagentNamed(program, alias)
    if (entry === undefined || subagent === undefined) return []
    const call = callSubagent(program, state, `worker${index}`, subagent, state.input)
    return [settled(call, entry)]
  })
  return { stage: mode === 'router' ? { type: 'route' } : { type: 'swarm', phase: 'work' }, calls }
}

/** Without a position, the sub-agent at work says at which step the pipeline is. */
function stageOf(linked: readonly Linked[], steps: readonly string[]): Stage | null {
  const atWork = new Set(linked.map(({ entry }) => entry.alias))
  const step = steps.findIndex((alias) => atWork.has(alias))
  return step < 0 ? null : { type: 'pipeline', step }
}

function settled(call: CallEntry, { status, output }: SubagentState): CallEntry {
  if (output !== undefined) return { ...call, status: 'done', result: output }
  if (status !== 'failed') return call
  return {
    ...call,
    status: 'done',
    result: 'it failed on the platform that captured this state',
    error: true,
  }
}

/** Reports what has become of each sub-agent of a state that another platform captured. */
export function reportSubagents(
  state: AgentState,
  calls: readonly CallEntry[],
  options: Documents,
  report: Fidelity,
): void {
  const taken = calls.map(({ agent }) => agent?.input)
  for (const { alias, status, output, state_id } of state.subagent_states ?? []) {
    const part = `subagent_states ${alias}`
    const call = calls.find(({ agent }) => agent?.alias === alias)
    if (output !== undefined && taken.includes(output)) report.kept(part, 'the next step takes its answer')
    else if (output !== undefined && call?.status === 'done') report.kept(part, 'its answer is used')
    else if (
      call !== undefined &&
      call.status !== 'done' &&
      subagentDocument(state, alias, options) !== undefined
    )
      report.kept(part, 'it continues with its own state')
    else if (status === 'pending') report.kept(part)
    else report.leftBehind(part, whyLost(alias, status, state_id, options))
  }
}

function whyLost(
  alias: string,
  status: SubagentState['status'],
  stateId: string | undefined,
  { program, documents = [] }: Documents,
): string {
  const work = `its work (${status ?? 'of unknown status'})`
  if (subagentNamed(program, alias) === undefined)
    return `${work}: the definition declares no sub-agent of this name`
  if (stateId === undefined) return `${work} is not in the state`
  return documents.some(({ state_id }) => state_id === stateId)
    ? `${work}: its state ${stateId} cannot be continued here`
    : `${work} is in the state ${stateId}, which did not come with this one`
}
