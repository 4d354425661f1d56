import type { ReadOptions } from '../../document/read-document.ts'
import type { JudgeOptions } from '../kinds.ts'
import { parseDocument, type Source } from '../parse-document.ts'
import type { AgentDefinition } from './generated/agent.ts'
import { validateAgentDefinition } from './validate-agent-definition.ts'

/**
 * Reads an agent definition (AAIF §4) from text, bytes, a document or plain data, and returns its data unchanged.
 * Warnings do not throw; `validateAgentDefinition` returns them.
 * @param options `registries`: documents whose `standard` values are valid in addition to those of the schema (AAIF
 * §10)
 * @throws WaybillError with the code, pointer and rule of the first error, and the number of others.
 */
export function parseAgentDefinition(
  source: Source,
  options: ReadOptions & Pick<JudgeOptions, 'registries'> = {},
): AgentDefinition {
  const { registries = [] } = options
  return parseDocument(source, (input) => validateAgentDefinition(input, { registries }), options)
}
