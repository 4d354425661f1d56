import type { AgentState } from '../spec/aaif/generated/state.ts'
import { readWaybillMember } from './read-waybill-member.ts'

/** Returns the states of sub-agents that a state has within itself, to any depth. */
export function nestedStates(document: AgentState): readonly AgentState[] {
  const documents = readWaybillMember(document).member?.documents ?? []
  return documents.flatMap((state) => [state, ...nestedStates(state)])
}
