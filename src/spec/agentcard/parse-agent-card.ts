import type { Json } from '../../document/json.ts'
import type { ReadOptions } from '../../document/read-document.ts'
import type { JudgeOptions } from '../kinds.ts'
import { parseDocument, type Source } from '../parse-document.ts'
import type { AgentCard } from './generated/agent-card.ts'
import { openCard } from './open-card.ts'
import { validateAgentCard } from './validate-agent-card.ts'

/**
 * Reads an agent card in either form (AgentCard §3): the object, or a JSON string that contains it, each as text,
 * bytes, a document or plain data. Keeps unknown members; removes optional members that are null. Warnings do not
 * throw; `validateAgentCard` returns them.
 * @throws WaybillError with the code, pointer and rule of the first error, and the number of others.
 */
export function parseAgentCard(source: Source, options: ReadOptions & JudgeOptions = {}): AgentCard {
  const { lenient = false, ...reading } = options
  const json: ReadOptions = lenient ? reading : { encoding: 'json', ...reading }
  const value = parseDocument<Json>(source, (input) => validateAgentCard(input, { lenient }), json)
  return openCard(value).card as unknown as AgentCard
}
