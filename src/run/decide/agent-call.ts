import { defined } from '../../document/defined.ts'
import type { Json } from '../../document/json.ts'
import type { Program } from '../../plan/plan.ts'
import type { PlannedSubagent } from '../../plan/planned-orchestration.ts'
import type { CallEntry, PassedMemory, RunLimits, RunState } from '../state.ts'
import { agentRunId } from './agent-run-id.ts'
import { budgetOf, spent } from './budget.ts'

export interface AgentCallOptions {
  readonly passContext?: boolean
  /** The items to pass on. Null: none. Absent: the keys that the definition lists for this sub-agent. */
  readonly memory?: PassedMemory | null
  readonly insteadOf?: string
  readonly status?: 'sent' | 'queued'
  /** How many sub-agents share what is left of the budget. */
  readonly sharers?: number
  /** Calls of the same round that the budget must also cover. */
  readonly others?: number
}

/**
 * Returns the ledger's entry for calling a sub-agent, or for calling its fallback if the sub-agent cannot be
 * called. A sub-agent's run has its own ledger, which protects its effects, so the call may be driven again.
 */
export function callSubagent(
  program: Program,
  state: RunState,
  id: string,
  subagent: PlannedSubagent,
  input: Json,
  options: AgentCallOptions = {},
): CallEntry {
  const call = agentCall(program, state, id, subagent, input, options)
  return call.error === true ? (fallbackFor(program, state, call, input) ?? call) : call
}

/**
 * Returns the call of the fallback that replaces a failed sub-agent, once (AAIF §4.3).
 * @returns null if there is no fallback, or if the failed call was the fallback itself
 */
export function fallbackFor(
  program: Program,
  state: RunState,
  broken: CallEntry,
  input: Json,
): CallEntry | null {
  const alias = program.plan.orchestration?.fallback
  const subagent = subagentNamed(program, alias)
  if (subagent === undefined || broken.tool === alias || broken.agent?.instead_of !== undefined) return null
  const call = agentCall(program, state, broken.id, subagent, input, {
    insteadOf: broken.agent?.alias ?? broken.tool,
  })
  return call.error === true ? null : { ...call, tool: broken.tool }
}

function agentCall(
  program: Program,
  state: RunState,
  id: string,
  subagent: PlannedSubagent,
  input: Json,
  options: AgentCallOptions,
): CallEntry {
  const memory = passedMemory(subagent, options)
  const again = options.insteadOf === undefined ? '' : '+fallback'
  const key = `${state.run_id}:${Math.max(1, state.turn)}.${state.iteration}:${id}${again}`
  const entry = { id, tool: subagent.alias, args: {}, key, effect: 'idempotent' as const }
  if (subagent.agent === undefined || !program.family.has(subagent.agent)) {
    const result = `SUBAGENT_UNRESOLVED: ${subagent.reason ?? `${subagent.ref} was not found`}`
    return { ...entry, status: 'done', result, error: true }
  }
  return {
    ...entry,
    status: options.status ?? 'sent',
    agent: {
      alias: subagent.alias,
      definition: subagent.agent,
      run_id: agentRunId(state.run_id, key),
      input,
      pass_context: options.passContext ?? false,
      ...defined({ memory }),
      limits: shareOf(program, state, id, options),
      ...defined({ instead_of: options.insteadOf }),
    },
  }
}

function passedMemory(
  { pass_memory_keys: keys = [] }: PlannedSubagent,
  { memory }: AgentCallOptions,
): PassedMemory | undefined {
  if (memory === undefined) return keys.length === 0 ? undefined : { type: 'keys', keys }
  return memory ?? undefined
}

/**
 * Computes the limits of a sub-agent before it starts: an equal share of what the parent has left, and the parent's own
 * deadline. What sub-agents that still run were given is not left.
 * @param id the call, whose own earlier share is left again if it is a fallback
 */
function shareOf(
  program: Program,
  state: RunState,
  id: string,
  { sharers = 1, others = 0 }: AgentCallOptions,
): RunLimits {
  const budget = budgetOf(program, state)
  const used = spent(state.totals)
  const given = state.calls.flatMap((call) =>
    call.agent === undefined || call.status === 'done' || call.id === id ? [] : [call.agent.limits],
  )
  const left = (kind: 'tokens' | 'usd' | 'calls', also = 0): number | undefined => {
    const limit = budget[kind]
    if (limit === undefined) return undefined
    const reserved = given.reduce((sum, limits) => sum + (limits[kind] ?? 0), 0)
    const share = Math.max(0, limit - used[kind] - reserved - also) / sharers
    return kind === 'usd' ? share : Math.floor(share)
  }
  return {
    ...defined({ tokens: left('tokens'), usd: left('usd'), calls: left('calls', others) }),
    ...(state.deadline_at !== null && {
      deadline_at: state.deadline_at,
      ...defined({ deadline_of: state.deadline_of }),
    }),
  }
}

export function subagentNamed(program: Program, alias: string | undefined): PlannedSubagent | undefined {
  return alias === undefined ? undefined : program.subagent.get(alias)
}
