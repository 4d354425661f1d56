import type { FactOf, RunEvent } from './event.ts'
import { Log } from './log.ts'
import type { AgentOutcome, RestoredState, RunState, RunWarning } from './state.ts'

/** Adds a part of the conversation that an Agent State holds. */
export function withRestoredMessages(
  state: RunState,
  { messages, times }: FactOf<'messages.restored'>,
  { seq, at }: Pick<RunEvent, 'seq' | 'at'>,
): RunState {
  return {
    ...state,
    seq,
    at,
    messages: state.messages.append(messages),
    message_times: state.message_times.append(times),
  }
}

/** Continues a run from an Agent State. The conversation is that of the events before. */
export function withRestoredState(
  { v, run_id, agent_id, plan_hash, messages, message_times }: RunState,
  { state, from }: FactOf<'run.restored'>,
  { seq, at }: Pick<RunEvent, 'seq' | 'at'>,
): RunState {
  const { received, warnings, agents, ...members } = state
  return {
    ...members,
    v,
    run_id,
    agent_id,
    plan_hash,
    seq,
    at,
    messages,
    message_times,
    received: Log.empty<string>().append(received),
    warnings: Log.empty<RunWarning>().append(warnings),
    agents: Log.empty<AgentOutcome>().append(agents),
    restored: from,
  }
}

/** Returns the members of a state as `run.restored` records them: the inverse of {@link withRestoredState}. */
export function restoredMembers(state: RunState): RestoredState {
  const {
    v: _v,
    run_id: _run,
    agent_id: _agent,
    plan_hash: _plan,
    seq: _seq,
    at: _at,
    messages: _messages,
    message_times: _times,
    restored: _restored,
    received,
    warnings,
    agents,
    ...members
  } = state
  return {
    ...members,
    received: received.toArray(),
    warnings: warnings.toArray(),
    agents: agents.toArray(),
  }
}
