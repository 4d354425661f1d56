import { canonicalize, sha256 } from '../../document/canonical.ts'
import type { JsonObject } from '../../document/json.ts'
import type { AgentState, SubagentState } from '../../spec/aaif/generated/state.ts'
import { SC_STANDARD } from '../../spec/aaif/vocabulary.ts'
import { CAUSERS_MEMBER } from '../moved-causers.ts'

/** The media type of a streaming handoff, without parameters (AAIF §8.3). */
export const HANDOFF_TYPE = 'application/x-aaif-handoff+ndjson'

/**
 * Members of a state that no message has a place for: they are members of `handoff_init`, under the final checksum.
 * Receivers that do not know them ignore them, and continue at the boundary of the turn.
 */
export const INIT_MEMBERS = [
  'sc_version',
  'agent_version',
  'checkpoint_at',
  'approval_request',
  'error',
  'x-waybill',
  // Without it, a member who has caused the run could decide about its calls at the receiver.
  CAUSERS_MEMBER,
] as const satisfies readonly (keyof AgentState)[]

/** Member of `handoff_init` with the sub-agents that have no state of their own, which `subagent_ref` needs. */
export const OTHER_SUBAGENTS = 'x-subagents'

/**
 * Returns a state as both ends of a stream build it, and as the final checksum covers it: with the status `migrating`, with
 * its arrays in the order of arrival, and of its provenance only the source platform (AAIF §8.3).
 */
export function streamedState(document: AgentState): AgentState {
  const { state_id, agent_id, run_id, provenance, pipeline_position } = document
  const { withState, others } = subagentsOf(document)
  const extra = Object.fromEntries(
    INIT_MEMBERS.flatMap((name) => (document[name] === undefined ? [] : [[name, document[name]]])),
  )
  return {
    ...extra,
    sc_standard: SC_STANDARD,
    state_id,
    agent_id,
    ...(run_id !== undefined && { run_id }),
    status: 'migrating',
    conversation: document.conversation ?? [],
    memory_snapshot: document.memory_snapshot ?? [],
    // A message has no place for an absent position.
    pipeline_position: pipeline_position ?? {},
    variables: document.variables ?? {},
    iteration: document.iteration ?? 0,
    pending_tool_calls: (document.pending_tool_calls ?? []).map((call) => ({ status: 'pending', ...call })),
    subagent_states: [...withState, ...others],
    provenance: { source_platform: provenance?.source_platform ?? '' },
  } as unknown as AgentState
}

/** Returns what `handoff_complete` carries: SHA-256 in lower-case hex of the canonical JSON of a streamed state. */
export function streamedChecksum(state: AgentState): string {
  return sha256(canonicalize(state as unknown as JsonObject))
}

/** Returns the sub-agents that a message can name, and the others. */
export function subagentsOf({ subagent_states: all = [] }: Pick<AgentState, 'subagent_states'>): {
  readonly withState: readonly SubagentState[]
  readonly others: readonly SubagentState[]
} {
  return {
    withState: all.filter(({ state_id }) => state_id !== undefined),
    others: all.filter(({ state_id }) => state_id === undefined),
  }
}
