import type { ReadOptions } from '../../document/read-document.ts'
import { parseDocument, type Source } from '../parse-document.ts'
import type { AgentState } from './generated/state.ts'
import { validateAgentState } from './validate-agent-state.ts'

/**
 * Reads an Agent State (AAIF §8.1) and returns its data unchanged, with marked digits for numbers that a double cannot hold; its checksum and token are not verified.
 * @throws WaybillError with the code, pointer and rule of the first error, and the number of others.
 */
export function parseAgentState(source: Source, options: ReadOptions = {}): AgentState {
  return parseDocument(source, validateAgentState, { exactNumbers: true, ...options })
}
