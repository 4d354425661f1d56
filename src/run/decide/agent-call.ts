import { defined } from '../../document/defined.ts'
import type { Json } from '../../document/json.ts'
import type { Program } from '../../plan/plan.ts'
import type { PlannedSubagent } from '../../plan/planned-orchestration.ts'
import type { CallEntry, PassedMemory, RunState } from '../state.ts'
import { agentRunId } from './agent-run-id.ts'
import { withShares } from './shares.ts'

export interface AgentCallOptions {
  readonly passContext?: boolean
  /** The items to pass on. Null: none. Absent: the keys that the definition lists for this sub-agent. */
  readonly memory?: PassedMemory | null
  readonly insteadOf?: string
  readonly status?: 'sent' | 'queued'
}

/**
 * Returns the ledger's entry for calling a sub-agent, or for calling its fallback if the sub-agent cannot be
 * called. A sub-agent's run has its own ledger, which protects its effects, so the call may be driven again.
 * Its share of the budget is missing: `withShares` gives it when the whole round is known.
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
  return call.error === true ? (fallbackCall(program, state, call, input, options.status) ?? call) : call
}

/** Returns the entry of `callSubagent` for a sub-agent that starts alone: everything that is left is its share. */
export function callAlone(
  program: Program,
  state: RunState,
  id: string,
  subagent: PlannedSubagent,
  input: Json,
  options: AgentCallOptions = {},
): CallEntry {
  const call = callSubagent(program, state, id, subagent, input, options)
  const [shared = call] = withShares(program, state, state.calls, [call])
  return shared
}

/**
 * Returns the call of the fallback that replaces a failed sub-agent, once (AAIF §4.3). Its share is one of those that
 * are left for it and the queued sub-agents of the round.
 * @returns null if there is no fallback, or if the failed call was the fallback itself
 */
export function fallbackFor(
  program: Program,
  state: RunState,
  broken: CallEntry,
  input: Json,
): CallEntry | null {
  const call = fallbackCall(program, state, broken, input)
  if (call === null) return null
  const running = state.calls.filter(({ id }) => id !== broken.id)
  const queued = running.filter(({ status }) => status === 'queued')
  const [shared = call] = withShares(program, state, running, [call, ...queued])
  return shared
}

function fallbackCall(
  program: Program,
  state: RunState,
  broken: CallEntry,
  input: Json,
  status?: AgentCallOptions['status'],
): CallEntry | null {
  const alias = program.plan.orchestration?.fallback
  const subagent = subagentNamed(program, alias)
  if (subagent === undefined || broken.tool === alias || broken.agent?.instead_of !== undefined) return null
  const call = agentCall(program, state, broken.id, subagent, input, {
    insteadOf: broken.agent?.alias ?? broken.tool,
    ...defined({ status }),
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
      limits: {},
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

export function subagentNamed(program: Program, alias: string | undefined): PlannedSubagent | undefined {
  return alias === undefined ? undefined : program.subagent.get(alias)
}
