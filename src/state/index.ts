/** `waybill/state`: reads, checks, compares and streams Agent States (AAIF §8). */
export type { AgentState } from '../spec/aaif/generated/state.ts'
export { parseAgentState } from '../spec/aaif/parse-agent-state.ts'
export { validateAgentState } from '../spec/aaif/validate-agent-state.ts'
export { assertStateChecksum, stateChecksum, withStateChecksum } from '../trust/checksum.ts'
export { compareStates, type StateChange } from './compare-states.ts'
export {
  type HandoffInit,
  type ReadHandoff,
  type ReadHandoffOptions,
  readHandoff,
  type TakeMessages,
} from './stream/read-handoff.ts'
export { HANDOFF_TYPE, streamedChecksum, streamedState } from './stream/streamed-state.ts'
export { handoffError, type WriteHandoffOptions, writeHandoff } from './stream/write-handoff.ts'
export { summarizeState } from './summarize-state.ts'
