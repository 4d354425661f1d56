import { defined } from '../document/defined.ts'
import type { JsonObject } from '../document/json.ts'
import type { AgentState } from '../spec/aaif/generated/state.ts'
import { readWaybillMember } from './read-waybill-member.ts'

/** Returns what a state contains, in words and counts: ids, status, position, memory, pending calls, and how exactly it continues. */
export function summarizeState(state: AgentState): JsonObject {
  const { conversation = [], memory_snapshot = [], pending_tool_calls = [], subagent_states = [] } = state
  const read = readWaybillMember(state)
  const tokens = conversation.reduce((sum, { token_count = 0 }) => sum + token_count, 0)
  return {
    state_id: state.state_id,
    ...defined({ run_id: state.run_id }),
    agent_id: state.agent_id,
    ...defined({ agent_version: state.agent_version }),
    status: state.status,
    captured: `${state.checkpoint_at}${state.provenance?.source_platform === undefined ? '' : ` by ${state.provenance.source_platform}`}`,
    iteration: state.iteration ?? 0,
    ...(state.pipeline_position?.current_step !== undefined && {
      step: state.pipeline_position.current_step,
    }),
    messages: `${conversation.length} (about ${tokens} tokens)`,
    memory: memory_snapshot.map(({ scope, key }) => `${scope}/${key}`),
    pending_calls: pending_tool_calls.map(({ tool_name, status }) => `${tool_name} (${status ?? 'pending'})`),
    subagents: subagent_states.map(({ alias, status }) => `${alias} (${status ?? 'pending'})`),
    variables: Object.keys(state.variables ?? {}),
    ...(state.approval_request?.trigger_description !== undefined && {
      waits_for: state.approval_request.trigger_description,
    }),
    ...(state.error !== undefined && { error: `${state.error.code}: ${state.error.message}` }),
    continues: continuation(state, read),
  }
}

/** Returns how exactly a run can continue from the state. */
function continuation({ status }: AgentState, read: ReturnType<typeof readWaybillMember>): string {
  if (status === 'completed' || status === 'failed') return 'no: the run has ended'
  if (read.member !== undefined) return `exactly, after event ${read.member.seq} of the run`
  const why = read.problem === undefined ? 'the state has no x-waybill' : `x-waybill: ${read.problem}`
  return `at the boundary of its turn (${why})`
}
