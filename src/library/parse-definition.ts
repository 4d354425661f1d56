import type { Document } from '../document/document.ts'
import type { Issue } from '../document/issue.ts'
import type { Json } from '../document/json.ts'
import type { ReadOptions } from '../document/read-document.ts'
import type { AgentDefinition } from '../spec/aaif/generated/agent.ts'
import { parseAgentDefinition as parse } from '../spec/aaif/parse-agent-definition.ts'
import { validateAgentDefinition as validate } from '../spec/aaif/validate-agent-definition.ts'
import type { JudgeOptions } from '../spec/kinds.ts'
import type { Source } from '../spec/parse-document.ts'
import { inWords, inWordsOf } from './option-hints.ts'

/**
 * Reads an agent definition (AAIF §4) from text, bytes, a document or plain data, and returns its data unchanged.
 * Warnings do not throw; {@link validateAgentDefinition} returns them.
 * @param options `registries`: documents whose `standard` values are valid in addition to those of the schema (AAIF
 * §10)
 * @throws WaybillError with the code, pointer and rule of the first error, and the number of others.
 */
export function parseAgentDefinition(
  source: Source,
  options: ReadOptions & Pick<JudgeOptions, 'registries'> = {},
): AgentDefinition {
  try {
    return parse(source, options)
  } catch (error) {
    throw inWordsOf(error)
  }
}

/** Validates an agent definition (AAIF §4) and returns all issues in reading order. */
export function validateAgentDefinition(input: Document | Json, options: JudgeOptions = {}): Issue[] {
  return validate(input, options).map(inWords)
}
